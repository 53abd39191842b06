"""What the records say that this language reads with other means than ours: large integers, other scripts."""

import re

from harness import case, equal, true

DATA = "issue, data"


def special_claim_ids(service, *kinds):
    rows = service.control("GET", "/truth/special-claims")["claims"]
    return {row["claim_id"] for row in rows if not kinds or row["kind"] in kinds}


@case(DATA, "special claims, duplicates: same content under another id")
def _(service):
    claims = {claim["id"]: claim for claim in service.truth("claims")}
    differs = {"id", "uuid", "vendor_system_id", "dataobject_id", "claim_medical_lines", "is_incomplete"}
    found = 0
    for row in service.control("GET", "/truth/special-claims")["claims"]:
        if row["kind"] != "exact-duplicate":
            continue
        copy, original = claims[row["claim_id"]], claims[row["original_id"]]
        for field in set(copy) - differs:
            equal(copy[field], original[field])
        found += 1
    true(found > 0, "there are duplicates")


@case(DATA, "integers beyond 2^53 arrive with every digit")
def _(service):
    ids = special_claim_ids(service, "big-integer")
    values = [row["dataobject_id"] for row in service.truth("claims") if row["id"] in ids and row["dataobject_id"]]
    true(values and all(value > 2**53 and value % 2 == 1 for value in values), f"{values[:3]}")


@case(DATA, "text that a spreadsheet would run, leading zeros, other scripts")
def _(service):
    texts = set()
    for claim in service.truth("claims"):
        texts.update(value for value in claim.values() if isinstance(value, str))
    for member in service.truth("members"):
        texts.update(value for value in member.values() if isinstance(value, str))
    for start in "=+-@":
        true(any(text.startswith(start) for text in texts), f"a text that starts with {start}")
    true(any(re.fullmatch(r"0\d+", text) for text in texts), "leading zeros")
    true(any(re.fullmatch(r"\d{20,}", text) for text in texts), "a long string of digits")
    true(any("\u0590" <= char <= "\u06ff" for text in texts for char in text), "right-to-left text")
    true(any("\u3040" <= char <= "\u9fff" for text in texts for char in text), "CJK text")
    true(any("'" in text for text in texts) and any('"' in text for text in texts), "quotes")
