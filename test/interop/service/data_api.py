"""The data API: routes, paging, errors and what the records say."""

import datetime
import re
from decimal import Decimal
from urllib.parse import quote

import requests

from harness import case, equal, expect_error, true

ROUTES = "interface, Data API"
PAGING = "Lists and values"
MEANING = "What the claim fields mean"
DATA = "issue, data"


@case(ROUTES, "GET /claims is a page of claims in the envelope")
def _(service):
    page = service.page("/claims")
    keys = {"data", "has_next", "has_prev", "next_num", "prev_num", "page", "pages", "per_page", "total"}
    equal(set(page), keys)
    equal(len(page["data"]), 10)


@case(ROUTES, "all pages together are the truth, in order")
def _(service):
    equal(service.all("/claims"), service.truth("claims"))
    equal(service.all("/member"), service.truth("members"))


@case(ROUTES, "the single member is {data} only")
def _(service):
    member = next(row for row in service.truth("members") if row["employer"])
    path = f"/employer/{member['employer']['id']}/member/{member['id']}"
    equal(service.page(path), {"data": member})
    expect_error(service.get(path.replace(str(member["employer"]["id"]), "99999")), 404)


@case(ROUTES, "policy_holder/{id}/claims are the claims of that connection")
def _(service):
    claims = service.truth("claims")
    holders = {claim["policy_holder"]["id"] for claim in claims if claim["policy_holder"]}
    for holder in sorted(holders)[:40]:
        own = [claim for claim in claims if claim["policy_holder"] and claim["policy_holder"]["id"] == holder]
        equal(service.all(f"/policy_holder/{holder}/claims"), own)


@case(ROUTES, "the vendor-tenant route gives the claims that name the member; keys may need escaping")
def _(service):
    claims = service.truth("claims")
    employers = {row["employer_id"]: row for row in service.control("GET", "/truth/employers")["data"]}
    tried = set()
    for member in service.truth("members"):
        if not member["employer"] or not member["vendor_members"]:
            continue
        employer = employers[member["employer"]["id"]]
        tried.add(employer["employer_key"])
        parts = (employer["vendor_tenant_label"], employer["employer_key"], member["vendor_members"][0]["key"])
        path = "/vendor-tenant/{}/employer/{}/member/{}/claims".format(*(quote(part, safe="") for part in parts))
        own = [row for row in claims if any(one["id"] == member["id"] for one in row["members"] or [])]
        equal([row["id"] for row in service.all(path)], [row["id"] for row in own])
    true(any("/" in key for key in tried), "an employer key with a slash")


@case(PAGING, "per_page is 10 by default, capped at 1000, and told")
def _(service):
    equal(service.page("/claims")["per_page"], 10)
    page = service.page("/claims?per_page=99999")
    equal((page["per_page"], len(page["data"])), (1000, min(1000, page["total"])))


@case(PAGING, "prev_num and next_num are null where there is no such page")
def _(service):
    first = service.page("/claims?per_page=100")
    equal((first["prev_num"], first["has_prev"], first["next_num"]), (None, False, 2))
    last = service.page(f"/claims?per_page=100&page={first['pages']}")
    equal((last["next_num"], last["has_next"], last["prev_num"]), (None, False, first["pages"] - 1))


@case("interface, Errors", "malformed numbers: 400")
def _(service):
    for query in ("page=0", "page=-1", "page=x", "page=1.0", "per_page=0", "per_page=%20", "page=1&page=1"):
        expect_error(service.get(f"/claims?{query}"), 400, "page")


@case("interface, Errors", "unknown records and malformed path parameters: 404")
def _(service):
    for path in ("/policy_holder/abc/claims", "/policy_holder/1/claims", "/employer/x/member/y", "/nothing"):
        expect_error(service.get(path), 404)


@case("interface, Errors", "X-Request-Id on every response, each its own")
def _(service):
    seen = [service.get(path).headers["X-Request-Id"] for path in ("/claims", "/member", "/no", "/claims?page=x")]
    seen.append(requests.get(f"{service.base}/settings/ssh", timeout=30).headers["X-Request-Id"])
    equal(len(set(seen)), 5)


@case("interface, Connect rule 9", "a cookie is set; sending it back is complained about")
def _(service):
    before = len(service.control("GET", "/complaints")["data"])
    true("session=" in service.get("/claims").headers["Set-Cookie"], "a session cookie")
    equal(len(service.control("GET", "/complaints")["data"]), before)
    service.get("/claims", headers={"Cookie": "session=1"})
    equal(len(service.control("GET", "/complaints")["data"]), before + 1)


def money(value):
    return Decimal(repr(value)) if value is not None else None


def planted_ids(service, *kinds):
    rows = service.control("GET", "/truth/planted")["planted"]
    return {row["claim_id"] for row in rows if not kinds or row["kind"] in kinds}


@case(DATA, "billed - discount = allowed = paid + patient, on every line")
def _(service):
    checked = 0
    for claim in service.truth("claims"):
        for line in claim["claim_medical_lines"] or []:
            if line["amount_allowed"] is None or line["amount_billed"] is None:
                continue
            allowed = money(line["amount_allowed"])
            equal(money(line["amount_billed"]) - money(line["discount"]), allowed)
            equal(money(line["amount_paid"]) + money(line["patient_responsibility"]), allowed)
            patient = sum(
                money(line[field])
                for field in ("reduction", "copayment", "coinsurance_patient", "amount_not_covered")
            )
            equal(patient, money(line["patient_responsibility"]))
            checked += 1
    true(checked > 1000, "many lines were checked")


@case(DATA, "lines sum to the claim, except where planted")
def _(service):
    planted = planted_ids(service, "lines-do-not-sum", "near-duplicate")
    bent = checked = 0
    for claim in service.truth("claims"):
        lines = claim["claim_medical_lines"]
        if not lines or claim["amount_billed"] is None or any(line["amount_billed"] is None for line in lines):
            continue
        total = sum(money(line["amount_billed"]) for line in lines)
        if claim["id"] in planted:
            bent += total != money(claim["amount_billed"])
            continue
        equal(total, money(claim["amount_billed"]))
        for field in ("amount_allowed", "amount_paid", "discount", "reduction", "patient_responsibility"):
            if claim[field] is not None:
                equal(sum(money(line[field]) for line in lines), money(claim[field]))
        checked += 1
    true(checked > 500, "many claims were checked")
    true(bent > 0, "a planted claim does not sum")


@case(DATA, "NPIs have a right check digit")
def _(service):
    def luhn(digits):
        total = 0
        for place, digit in enumerate(reversed(digits)):
            value = int(digit) * (2 if place % 2 else 1)
            total += value - 9 if value > 9 else value
        return total % 10 == 0

    seen = set()
    for claim in service.truth("claims"):
        for field in ("service_provider_npi_number", "service_provider_billing_npi_number"):
            if claim[field] is not None:
                seen.add(claim[field])
    true(len(seen) > 50, "many NPIs")
    for npi in seen:
        true(re.fullmatch(r"[12]\d{9}", str(npi)), f"{npi} has ten digits")
        true(luhn("80840" + str(npi)), f"the check digit of {npi}")


@case(DATA, "codes have the forms of ICD-10-CM, HCPCS Level II and NDC; no CPT")
def _(service):
    diagnoses, procedures, drugs = set(), set(), set()
    for claim in service.truth("claims"):
        for line in claim["claim_medical_lines"] or []:
            diagnoses.add(line["diagnosis_code"])
            procedures.add(line["procedure_code"])
            drugs.add(line["national_drug_code"])
    for code in diagnoses - {None}:
        true(re.fullmatch(r"[A-Z]\d[0-9A-Z](\.[0-9A-Z]{1,4})?", code), code)
    for code in procedures - {None}:
        true(re.fullmatch(r"[ACEGHJLPQSTV]\d{4}( - .+)?", code), code)
    for code in drugs - {None}:
        true(re.fullmatch(r"\d{5}-\d{4}-\d{2}|\d{11}", code), code)
    true(min(len(diagnoses), len(procedures), len(drugs)) > 10, "many codes")


@case(DATA, "date ranges are PostgreSQL ranges; start before end")
def _(service):
    seen = set()
    for claim in service.truth("claims"):
        value = claim["date_of_service"]
        if value is None:
            continue
        seen.add(value["bounds"])
        if value["start"] and value["end"]:
            start, end = (datetime.date.fromisoformat(value[side]) for side in ("start", "end"))
            true(start < end or (start == end and value["bounds"] == "[]"), f"{value}")
    equal(seen >= {"[)", "[]"}, True)


@case(DATA, "planted duplicates: same content under another id")
def _(service):
    claims = {claim["id"]: claim for claim in service.truth("claims")}
    differs = {"id", "uuid", "vendor_system_id", "dataobject_id", "claim_medical_lines", "is_incomplete"}
    found = 0
    for row in service.control("GET", "/truth/planted")["planted"]:
        if row["kind"] != "exact-duplicate":
            continue
        copy, original = claims[row["claim_id"]], claims[row["original_id"]]
        for field in set(copy) - differs:
            equal(copy[field], original[field])
        found += 1
    true(found > 0, "there are duplicates")


@case(DATA, "integers beyond 2^53 arrive with every digit")
def _(service):
    ids = planted_ids(service, "big-integer")
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


@case(MEANING, "statuses, networks and types of the notes")
def _(service):
    claims = service.truth("claims")
    statuses = {claim["status"] for claim in claims}
    true(statuses >= {"In Process", "Processed", "Partially Approved", "Rejected", "Adjusted"}, f"{statuses}")
    true({claim["network"] for claim in claims} >= {"IN", "OUT", "TIER1", "TIER2"}, "networks")
    types = {(claim["type"]["type_id"], claim["type"]["name"]) for claim in claims if claim["type"]}
    equal({number for number, _ in types}, {1, 2, 3, 4, 5})
    equal({name for _, name in types}, {"medical", "facility", "rx", "dental", "vision"})


@case("issue, time", "a schedule shifts rows between two requests")
def _(service):
    first_id = service.page("/claims?per_page=1")["data"][0]["id"]
    edits = [{"op": "insert", "list": "claims", "at": "start"}]
    service.control("POST", "/schedule", {"steps": [{"after": 1, "route": "claims", "edits": edits}]})
    equal(service.page("/claims?page=1&per_page=1")["data"][0]["id"], first_id)
    equal(service.page("/claims?page=2&per_page=1")["data"][0]["id"], first_id)
    inserted = service.page("/claims?page=1&per_page=1")["data"][0]["id"]
    service.control("POST", "/edits", {"edits": [{"op": "delete", "list": "claims", "id": inserted}]})
    equal(service.page("/claims?page=1&per_page=1")["data"][0]["id"], first_id)


@case("issue, OpenAPI", "openapi.json is OpenAPI 3.1 and names every field that a claim has")
def _(service):
    document = requests.get(f"{service.base}/openapi.json", timeout=30).json()
    true(document["openapi"].startswith("3.1"), "version 3.1")
    schema = document["components"]["schemas"]["Claim"]
    for claim in service.page("/claims")["data"]:
        true(set(claim) <= set(schema["properties"]), "no field that the schema lacks")
        true(set(schema["required"]) <= set(claim), "every required field")
