"""Reads a workbook with Python's own zip and XML readers; prints its cells, types and notes as one JSON object.

Usage: read_xlsx.py FILE. Numbers with a date format come as ISO dates.
"""

import json
import re
import sys
import zipfile
from datetime import date, timedelta
from xml.etree import ElementTree

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
DAY_STYLE = "3"


def unescape(text):
    return re.sub(r"_x([0-9A-Fa-f]{4})_", lambda found: chr(int(found.group(1), 16)), text)


def value_of(cell):
    if cell.get("t") == "inlineStr":
        return unescape("".join(cell.itertext()))
    text = cell.findtext(f"{MAIN}v")
    if cell.get("s") == DAY_STYLE:
        return (date(1899, 12, 30) + timedelta(days=int(text))).isoformat()
    return text


def cells_of(sheet):
    rows = []
    for row in sheet.iter(f"{MAIN}row"):
        rows.append({re.match(r"[A-Z]+", cell.get("r")).group(): cell for cell in row})
    return rows


def main():
    with zipfile.ZipFile(sys.argv[1]) as book:
        if book.testzip() is not None:
            raise SystemExit("a damaged part")
        parse = lambda name: ElementTree.fromstring(book.read(name))
        sheet, notes, workbook = parse("xl/worksheets/sheet1.xml"), parse("xl/worksheets/sheet2.xml"), parse("xl/workbook.xml")
        parse("xl/styles.xml")
    rows = cells_of(sheet)
    names = list(rows[0])
    types = {name: sorted({row[name].get("t", "n") for row in rows[1:] if name in row}) for name in names}
    print(
        json.dumps(
            {
                "sheets": [one.get("name") for one in workbook.iter(f"{MAIN}sheet")],
                "rows": [[value_of(row[name]) if name in row else "" for name in names] for row in rows],
                "types": types,
                "notes": {value_of(row["A"]): value_of(row["B"]) for row in cells_of(notes)},
                "frozen": next(sheet.iter(f"{MAIN}pane")).get("topLeftCell"),
                "filter": next(sheet.iter(f"{MAIN}autoFilter")).get("ref"),
                "formulas": {
                    name: cell.findtext(f"{MAIN}f")
                    for row in rows
                    for name, cell in row.items()
                    if cell.find(f"{MAIN}f") is not None
                },
                "orientation": next(sheet.iter(f"{MAIN}pageSetup")).get("orientation"),
                "titles": next(
                    one.text for one in workbook.iter(f"{MAIN}definedName") if one.get("name") == "_xlnm.Print_Titles"
                ),
            }
        )
    )


if __name__ == "__main__":
    main()
