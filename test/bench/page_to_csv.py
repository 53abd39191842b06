"""The script that the service's documentation suggests: pages the claims with requests and pyjwt into a CSV.

Usage: page_to_csv.py BASE_URL EMAIL OUT.csv

Reads every page of 1,000 claims and writes the flat fields of each. Prints one JSON object with what it took.
"""

import csv
import sys

from service_pages import Stopwatch, read_pages, register_key


def main():
    base_url, email, out = sys.argv[1:4]
    sign = register_key(base_url, email)
    watch = Stopwatch()
    rows, writer = 0, None
    with open(out, "w", newline="", encoding="utf-8") as file:
        for claims in read_pages(base_url, sign):
            for claim in claims:
                flat = {key: value for key, value in claim.items() if not isinstance(value, (dict, list))}
                if writer is None:
                    writer = csv.DictWriter(file, fieldnames=sorted(flat), extrasaction="ignore")
                    writer.writeheader()
                writer.writerow(flat)
                rows += 1
    watch.print_result(rows)


main()
