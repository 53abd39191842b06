"""Checks an exported audit log without its key: that no line is missing, doubled, or moved.

Whether an entry is as it was written only the key of the profile tells (claimdesk audit verify --file).
"""

import json
import sys


def fail(line, reason):
    sys.exit(f"line {line}: {reason}")


def main(path):
    entries = 0
    first = last = before = None
    with open(path, encoding="utf-8") as lines:
        for number, text in enumerate(lines, 1):
            entry = json.loads(text)
            seq, digest = entry["seq"], entry["hash"]
            is_accepted = entry["action"] == "audit.accepted"
            if last is not None and seq != last + 1 and not (is_accepted and seq > last):
                fail(number, f"entry {seq} follows entry {last}")
            if before is not None and entry["follows"] != before:
                fail(number, "does not follow the hash of the line before")
            if not digest.startswith("hmac:"):
                fail(number, "not hashed under a key")
            entries += 1
            first = seq if first is None else first
            last, before = seq, digest
    if first is None:
        sys.exit("no entries")
    print(json.dumps({"entries": entries, "first": first, "last": last}))


if __name__ == "__main__":
    main(sys.argv[1])
