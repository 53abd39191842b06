"""Connect: the rules of docs/service.md on headers, members and tokens, and the bodies."""

import re

import requests

from connect_client import Connect, Member, naming
from harness import case, equal, expect_error, true

RULES = "interface, Connect API"
NOTES = "Connect calls"
EMPTY_USER = "Cannot provide empty user outside of initial post."


@case(NOTES, "bootstrap answers user, employer, tenant and payers, and resolves the same member again")
def _(service):
    member = Member(Connect(service))
    equal(set(member.told), {"user", "employer", "tenant", "payers"})
    equal(member.told["user"]["email"], member.email)
    true(all(set(payer) == {"id", "name", "logo_url"} for payer in member.told["payers"]))
    equal(Member(member.connect, member.email).told["user"]["id"], member.told["user"]["id"])


for field in ("system_key", "vendor", "employer_name", "user_email", "user_first_name", "user_last_name"):

    @case(NOTES, f"bootstrap without {field}: 422 that names it")
    def _(service, field=field):
        body = naming("x@interop.example")
        del body[field]
        reply = Connect(service).send("POST", "/bootstrap", body)
        expect_error(reply, 422)
        equal(list(reply.json()["errors"]), [field])


for name, value in (
    ("X-Service-Token", None),
    ("X-Connect-API-Version", None),
    ("X-Connect-API-Version", "2"),
):

    @case(RULES, f"{name} = {value}: 400")
    def _(service, name=name, value=value):
        reply = Connect(service).send("POST", "/bootstrap", naming("x@interop.example"), {name: value})
        expect_error(reply, 400, name)


@case(RULES, "an inactive token: 401")
def _(service):
    connect = Connect(service)
    token = connect.said["publicToken"]
    service.control("PUT", "/connect/integration", {"token": token, "isActive": False})
    reply = connect.send("POST", "/bootstrap", naming("x@interop.example"))
    service.control("PUT", "/connect/integration", {"token": token, "isActive": True})
    expect_error(reply, 401)
    expect_error(connect.send("GET", "/interop", headers={"X-Service-Token": "pk_unknown"}), 401)


@case(RULES, "rule 10: no email where the verb wants it: 403 with the sentence")
def _(service):
    member = Member(Connect(service))
    send = member.connect.send
    replies = [
        send("GET", "/terms_of_service"),
        send("GET", f"/payer/{member.employer}/15"),
        send("POST", "/policy_holder", {"email": member.email}),
        send("PUT", "/policy_holder/1", {}),
        send("PUT", "/validate-credentials/1/2", {"code": "1"}),
    ]
    for reply in replies:
        expect_error(reply, 403)
        equal(reply.json()["message"], EMPTY_USER)


@case(NOTES, "an email that another token bootstrapped, or none: 403")
def _(service):
    member = Member(Connect(service))
    first = service.connect["tenants"][0]
    other = {
        "X-Service-Token": service.connect["multiTenantToken"],
        "X-Tenant-Label": first["label"],
        "X-Tenant-Key": first["key"],
    }
    expect_error(member.connect.send("GET", "/terms_of_service", headers=other, email=member.email), 403)
    expect_error(member.connect.send("GET", "/terms_of_service", email="nobody@interop.example"), 403)


@case(RULES, "rule 7: a token that spans tenants needs label and key, and answers for that tenant")
def _(service):
    multi = Connect(service, **{"X-Service-Token": service.connect["multiTenantToken"]})
    body = naming("multi@interop.example")
    expect_error(multi.send("POST", "/bootstrap", body), 400)
    names = set()
    for tenant in service.connect["tenants"]:
        headers = {"X-Tenant-Label": tenant["label"], "X-Tenant-Key": tenant["key"]}
        names.add(multi.data("POST", "/bootstrap", body, headers)["tenant"]["name"])
        expect_error(multi.send("POST", "/bootstrap", body, {**headers, "X-Tenant-Key": "wrong"}), 403)
    equal(len(names), 3)


@case(RULES, "rule 8: an origin outside the allowlist: 403 origin_not_allowed; no origin is unaffected")
def _(service):
    member = Member(Connect(service))
    token = member.connect.said["publicToken"]
    service.control("PUT", "/connect/integration", {"token": token, "origins": ["https://a.example"]})
    statuses = {}
    for origin in (None, "https://a.example", "https://b.example"):
        reply = member.connect.send(
            "GET", "/terms_of_service", headers={"Origin": origin}, email=member.email
        )
        statuses[origin] = (reply.status_code, reply.json().get("error_code"))
    service.control("PUT", "/connect/integration", {"token": token, "origins": None})
    wanted = {None: (200, None), "https://a.example": (200, None)}
    equal(statuses, {**wanted, "https://b.example": (403, "origin_not_allowed")})


@case(RULES, "rule 9: a session cookie is set; sent with another member's request it is complained about")
def _(service):
    one = Member(Connect(service))
    two = Member(one.connect)
    service.control("DELETE", "/requests")
    reply = one.connect.send("GET", "/terms_of_service", email=one.email)
    cookie = reply.headers["Set-Cookie"].split(";")[0]
    equal(service.control("GET", "/complaints")["data"], [])
    one.connect.send("GET", "/terms_of_service", headers={"Cookie": cookie}, email=two.email)
    kinds = {complaint["kind"] for complaint in service.control("GET", "/complaints")["data"]}
    equal(kinds, {"cookie", "cookie-of-another-member"})


@case(RULES, "rules 3 to 6: minting, rolling over, required for fix-credentials, one hour")
def _(service):
    member = Member(Connect(service))
    fix = lambda headers: member.connect.send("GET", "/fix-credentials", headers=headers, email=member.email)
    expect_error(fix(None), 422)
    token = member.connect.access()
    reply = fix(token)
    equal(reply.status_code, 200)
    rolled = {"X-Connect-Access-Token": reply.headers["X-Set-Connect-Access-Token"]}
    true(rolled != token, "another token")
    equal(fix(rolled).status_code, 200)
    service.control("POST", "/clock", {"skewSeconds": 3601})
    late = fix(token)
    fresh = fix(member.connect.access()).status_code
    service.control("POST", "/clock", {"skewSeconds": 0})
    expect_error(late, 422)
    equal(late.json()["error_code"], "expired_connect_token")
    equal(fresh, 200)
    expect_error(fix({"X-Connect-Access-Token": "no.token.this"}), 422)


@case(RULES, "minting with keys that do not belong together: 401; without keys: 422")
def _(service):
    connect = Connect(service)
    expect_error(connect.mint(connect_secret_key="sk_wrong"), 401)
    expect_error(connect.mint(connect_access_key="pk_wrong"), 401)
    expect_error(connect.mint(connect_secret_key=None), 422)


@case(NOTES, "a payer has a JSON Schema and an order for its form; unknown and malformed ones are 404")
def _(service):
    member = Member(Connect(service))
    get = lambda payer: member.connect.send("GET", f"/payer/{member.employer}/{payer}", email=member.email)
    payer = get(13).json()["data"]
    equal(payer["onboard_form"]["type"], "object")
    true("*" in payer["onboard_ui_schema"]["ui:order"])
    equal(get(17).json()["data"]["supports_interoperability_apis"], True)
    for unknown in ("99", "x", "0"):
        expect_error(get(unknown), 404)


@case(NOTES, "terms are HTML")
def _(service):
    member = Member(Connect(service))
    terms = member.connect.data("GET", "/terms_of_service", email=member.email)
    true("<h1>" in terms["html_string"])


@case(NOTES, "demo data is apart from the rest; GET on the bootstrap's path works there alone")
def _(service):
    demo = Connect(service, **{"X-Is-Demo": "1"})
    total = service.page("/member")["total"]
    member = Member(demo)
    equal(service.page("/member")["total"], total)
    expect_error(Connect(service).send("GET", "/terms_of_service", email=member.email), 403)
    true(demo.data("GET", "/bootstrap")["user"]["email"])
    expect_error(Connect(service).send("GET", "/bootstrap"), 404)


@case("issue, Sandbox", "who was bootstrapped is in the member list; their connection is a policy holder")
def _(service):
    member = Member(Connect(service))
    found = [row for row in service.all("/member") if row["email"] == member.email]
    equal([row["employer"]["id"] for row in found], [member.employer])
    made = member.submit(15, "fast")
    equal(service.page(f"/policy_holder/{made['policy_holder_id']}/claims")["total"], 0)
    one = service.get(f"/employer/{member.employer}/member/{found[0]['id']}")
    equal(one.status_code, 200)


@case(NOTES, "Patient Access: a state id, the carrier's page, then ph_id; or an error")
def _(service):
    member = Member(Connect(service))
    body = {"user_email": member.email, "accept": True, "tenants_accept": [member.tenant]}
    expect_error(member.connect.send("POST", "/interop", body), 400, "X-Connect-State-Id")
    for decision, status, field in (("allow", "SUCCESS", "ph_id"), ("deny", "FAILURE", "error")):
        state = {"X-Connect-State-Id": f"{member.email} {decision}"}
        bare = {"user_email": member.email}
        if decision == "allow":
            expect_error(member.connect.send("POST", "/interop", bare, state), 403)
        url = member.connect.data("POST", "/interop", body, state)
        equal(member.connect.data("GET", "/interop", None, state, email=member.email)["status"], "IN_PROGRESS")
        true(re.search("<form", requests.get(url, timeout=30).text))
        login = {"username": "iris", "password": "a password"}
        requests.post(f"{url}/sign-in", data=login, timeout=30)
        requests.post(f"{url}/decide", data={"decision": decision}, timeout=30)
        done = member.connect.data("GET", "/interop", None, state, email=member.email)
        equal((done["status"], field in done), (status, True))


@case(RULES, "the legacy base knows old and new spellings, the current one the new alone")
def _(service):
    legacy = Connect(service, "/sdk-api")
    body = naming("legacy@interop.example")
    equal(legacy.send("POST", "/tpastream_sdk", body).status_code, 200)
    equal(legacy.send("POST", "/bootstrap", body).status_code, 200)
    expect_error(Connect(service).send("POST", "/tpastream_sdk", body), 404)
    member = Member(legacy, "legacy@interop.example")
    made = legacy.data("POST", "/policy_holder_sdk/policy_holder", member.login(15, "fast"))
    path = f"/policy_holder_sdk/policy_holder/{made['policy_holder_id']}"
    where = {"email": member.email, "employer_id": member.employer}
    equal(legacy.send("GET", path, **where).status_code, 200)
    begin = lambda base, header: Connect(service, base).send(
        "POST", "/interop", {"user_email": member.email}, {header: "s"}
    )
    equal(begin("/sdk-api", "X-SDK-State-Id").status_code, 200)
    expect_error(begin("/connect/v1", "X-SDK-State-Id"), 400)
