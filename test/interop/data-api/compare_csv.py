"""Reads an export with Python's own CSV reader and compares its cells with the listing as decimals.

Usage: compare_csv.py CLAIMS_CSV CLAIMS_NDJSON. Prints one JSON object; exit 0 only where nothing differs.
"""

import csv
import io
import json
import re
import sys
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

RUNS = ("=", "+", "-", "@", "\t", "\r", "\n")


def day_of_range(value, name):
    """The first or last day that a range of dates means; a bound that is not included moves it by a day."""
    if not isinstance(value, dict):
        return None
    is_first = name == "first_day"
    day = value.get("start" if is_first else "end")
    if day is None:
        return None
    bound = value.get("bounds", "[)")[0 if is_first else 1]
    shift = {"(": 1, ")": -1}.get(bound, 0)
    return (date.fromisoformat(day[:10]) + timedelta(days=shift)).isoformat()


def names_of(record, path):
    """Names of the members of a claim, or of their employers, each employer once; None where there are none."""
    names = []
    for member in record.get("members") or []:
        person = [member.get("first_name"), member.get("last_name")]
        name = (member.get("employer") or {}).get("name") if "employer" in path else " ".join(filter(None, person))
        if name and not ("employer" in path and name in names):
            names.append(name)
    return "; ".join(names) or None


def value_at(record, path):
    if path in ("members.name", "members.employer.name"):
        return names_of(record, path)
    value = record
    name = path.rpartition(".")[2]
    if name in ("first_day", "last_day"):
        return day_of_range(value_at(record, path.rpartition(".")[0]), name)
    for key in path.split("."):
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


DAYS = ("processed_on", "eob_date", "check_date")
MIDNIGHT = re.compile(r"(\d{4}-\d{2}-\d{2})T00:00:00(\.0+)?(Z|\+00:00)?")


def is_same(cell, value, path):
    if path in DAYS and isinstance(value, str):
        day = MIDNIGHT.fullmatch(value)
        value = day.group(1) if day else value
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
            if record is None or not is_same(cell, value_at(record, path), path):
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
