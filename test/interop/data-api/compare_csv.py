"""Reads an export with Python's own CSV reader and compares its cells with the listing as decimals.

Usage: compare_csv.py CLAIMS_CSV CLAIMS_NDJSON. Prints one JSON object; exit 0 only where nothing differs.
"""

import csv
import io
import json
import sys
from decimal import Decimal
from pathlib import Path

RUNS = ("=", "+", "-", "@", "\t", "\r", "\n")


def value_at(record, path):
    value = record
    for key in path.split("."):
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


def is_same(cell, value):
    if value is None:
        return cell == ""
    if isinstance(value, bool):
        return cell == ("true" if value else "false")
    if isinstance(value, Decimal):
        return Decimal(cell) == value
    return cell == value or (value.startswith(RUNS) and cell == f"'{value}")


def main():
    csv_path, listing_path = sys.argv[1:3]
    text = Path(csv_path).read_bytes().decode("utf-8")
    rows = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
    listing = {}
    for line in Path(listing_path).read_text(encoding="utf-8").split("\n"):
        if line:
            record = json.loads(line, parse_float=Decimal, parse_int=Decimal)
            listing[str(record["id"])] = record
    found = []
    cells = 0
    for row in rows:
        record = listing.get(row["id"])
        for path, cell in row.items():
            cells += 1
            if record is None or not is_same(cell, value_at(record, path)):
                found.append(f"{row['id']} {path}")
    billed = sum((Decimal(row["amount_billed"]) for row in rows if row["amount_billed"]), Decimal(0))
    print(
        json.dumps(
            {
                "rows": len(rows),
                "cells": cells,
                "columns": list(rows[0].keys()) if rows else [],
                "billed": str(billed),
                "differences": found[:20],
            }
        )
    )
    return 0 if not found else 1


if __name__ == "__main__":
    sys.exit(main())
