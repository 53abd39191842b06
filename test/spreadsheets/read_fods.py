"""Prints the first sheet of a flat OpenDocument spreadsheet: type, value and formula of every cell, as JSON.

Usage: read_fods.py FILE
"""

import json
import sys
from xml.etree import ElementTree

OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"


def text_of(node):
    parts = [node.text or ""]
    for child in node:
        if child.tag == f"{TEXT}s":
            parts.append(" " * int(child.get(f"{TEXT}c", "1")))
        elif child.tag == f"{TEXT}tab":
            parts.append("\t")
        elif child.tag == f"{TEXT}line-break":
            parts.append("\n")
        else:
            parts.append(text_of(child))
        parts.append(child.tail or "")
    return "".join(parts)


def read_cell(cell):
    kind = cell.get(f"{OFFICE}value-type", "")
    if kind == "string":
        value = "\n".join(text_of(line) for line in cell.findall(f"{TEXT}p"))
    elif kind == "date":
        value = cell.get(f"{OFFICE}date-value", "")
    else:
        value = cell.get(f"{OFFICE}value", "")
    return {"type": kind, "value": value, "formula": cell.get(f"{TABLE}formula", "")}


def main():
    sheet = next(ElementTree.parse(sys.argv[1]).iter(f"{TABLE}table"))
    rows = []
    for row in sheet.iter(f"{TABLE}table-row"):
        cells = []
        for cell in row:
            if cell.tag not in (f"{TABLE}table-cell", f"{TABLE}covered-table-cell"):
                continue
            count = int(cell.get(f"{TABLE}number-columns-repeated", "1"))
            cells.extend([read_cell(cell)] * min(count, 10))
        if any(cell["type"] for cell in cells):
            count = int(row.get(f"{TABLE}number-rows-repeated", "1"))
            rows.extend([cells] * count)
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
