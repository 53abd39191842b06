"""SSH-JWT: the rules and failures of docs/service.md."""

import base64
import json
import struct
import time
from email.utils import parsedate_to_datetime

import requests
from cryptography.hazmat.primitives.asymmetric import dsa, ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from harness import KEY_KINDS, Key, case, equal, expect_error, true

RULES = "interface, SSH-JWT"
NOTES = "SSH-JWT"


def b64(data):
    raw = data if isinstance(data, bytes) else json.dumps(data).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


for kind in KEY_KINDS:

    @case(RULES, f"rules 1 and 4: {kind} signs with {KEY_KINDS[kind][1]}")
    def _(service, kind=kind):
        equal(service.get("/claims", service.token(kind)).status_code, 200)


@case(RULES, "rule 2: several keys are tried in turn, and a deleted one no longer fits")
def _(service):
    extra = Key("ed25519", service.folder, "key-extra")
    equal(service.register("extra", extra.public).status_code, 303)
    equal(service.get("/claims", extra.sign(service.claims())).status_code, 200)
    equal(service.get("/claims").status_code, 200)
    page = requests.get(f"{service.base}/settings/ssh", timeout=30).text
    row = page[page.index(">extra<"):]
    key_id = row.split('name="id" value="')[1].split('"')[0]
    deleted = requests.post(
        f"{service.base}/settings/ssh/delete", data={"id": key_id}, allow_redirects=False, timeout=30
    )
    equal(deleted.status_code, 303)
    expect_error(service.get("/claims", extra.sign(service.claims())), 401)
    equal(service.get("/claims").status_code, 200)


@case(RULES, "rule 3: the email is compared case-insensitively")
def _(service):
    equal(service.get("/claims", service.token(email=service.email.upper())).status_code, 200)


for missing in ("email", "iat", "exp"):

    @case(NOTES, f"{missing} missing: 400 that names it")
    def _(service, missing=missing):
        claims = service.claims()
        del claims[missing]
        expect_error(service.get("/claims", service.keys["ed25519"].sign(claims)), 400, missing)


@case(RULES, "rule 3: exactly three claims")
def _(service):
    expect_error(service.get("/claims", service.token(nbf=int(time.time()) - 5)), 400, "nbf")


@case(RULES, "rule 5: expired by the second")
def _(service):
    now = int(time.time())
    expect_error(service.get("/claims", service.token(iat=now - 10, exp=now)), 401, "expired")


@case(RULES, "rule 5: not yet valid, without tolerance")
def _(service):
    now = int(time.time())
    expect_error(service.get("/claims", service.token(iat=now + 2, exp=now + 900)), 401, "not yet valid")


@case(RULES, "rule 5: the server's clock shows in Date, and times by it are accepted")
def _(service):
    for skew in (400, -400):
        service.control("POST", "/clock", {"skewSeconds": skew})
        try:
            refused = service.get("/claims", service.token(exp=int(time.time()) + 300))
            expect_error(refused, 401)
            server_now = int(parsedate_to_datetime(refused.headers["Date"]).timestamp())
            true(abs(server_now - time.time() - skew) < 3, "Date follows the skew")
            reply = service.get("/claims", service.token(iat=server_now, exp=server_now + 900))
            equal(reply.status_code, 200)
        finally:
            service.control("POST", "/clock", {"skewSeconds": 0})


@case(RULES, "rule 6: one token for many requests; last_accessed moves")
def _(service):
    token = service.token("rsa")
    seen = []
    for _ in range(3):
        equal(service.get("/claims", token).status_code, 200)
        keys = service.control("GET", "/keys")["data"]
        seen.append(next(key["lastAccessed"] for key in keys if key["name"] == "rsa"))
        time.sleep(0.01)
    true(seen[0] < seen[1] < seen[2], "last_accessed moves")


@case(NOTES, "the scheme is compared case-insensitively")
def _(service):
    for scheme in ("SSH-JWT", "ssh-jwt", "sSh-JwT"):
        equal(service.get("/claims", authorization=f"{scheme} {service.token()}").status_code, 200)


@case(NOTES, "Bearer is not understood; no Authorization: 401")
def _(service):
    expect_error(service.get("/claims", authorization=f"Bearer {service.token()}"), 401)
    expect_error(requests.get(f"{service.base}/api/v2/claims", timeout=30), 401)


@case(NOTES, "not a JWT at all: 400, could not be decoded")
def _(service):
    for text in ("x", "a.b.c", f"{b64(b'{')}.{b64({})}.c", f"{b64({'alg': 'EdDSA'})}.{b64([])}.c"):
        expect_error(service.get("/claims", text), 400, "decoded")


@case(NOTES, "alg is none of the five: 400 that names it")
def _(service):
    for alg in ("none", "HS256", "PS512", "RS384"):
        token = f"{b64({'alg': alg})}.{b64(service.claims())}.{b64(b'0' * 64)}"
        expect_error(service.get("/claims", token), 400, alg)


@case(NOTES, "HS256 over the public key does not fit anything")
def _(service):
    import hashlib
    import hmac

    head = f"{b64({'alg': 'HS256', 'typ': 'JWT'})}.{b64(service.claims())}"
    secret = service.keys["rsa"].public.encode()
    token = f"{head}.{b64(hmac.new(secret, head.encode(), hashlib.sha256).digest())}"
    expect_error(service.get("/claims", token), 400, "HS256")


@case(NOTES, "a wrong key and an unknown email get one and the same 401")
def _(service):
    stranger = Key("ed25519", service.folder, "key-stranger")
    wrong_key = service.get("/claims", stranger.sign(service.claims()))
    unknown = service.get("/claims", service.token(email="nobody@sandbox.example"))
    expect_error(wrong_key, 401)
    equal((unknown.status_code, unknown.json()), (wrong_key.status_code, wrong_key.json()))


@case(NOTES, "a signature of another type of key does not fit")
def _(service):
    head = f"{b64({'alg': 'ES256'})}.{b64(service.claims())}"
    signature = service.keys["ed25519"].private.sign(head.encode())
    expect_error(service.get("/claims", f"{head}.{b64(signature)}"), 401)


@case(NOTES, "outside the CIDR allowlist: 403")
def _(service):
    try:
        service.control("PUT", "/account", {"cidrAllowlist": ["192.0.2.0/24"]})
        equal(service.get("/claims").status_code, 403)
        service.control("PUT", "/account", {"cidrAllowlist": ["192.0.2.0/24", "127.0.0.1/32"]})
        equal(service.get("/claims").status_code, 200)
    finally:
        service.control("PUT", "/account", {"cidrAllowlist": None})


def wire(name, *parts):
    body = b"".join(struct.pack(">I", len(part)) + part for part in (name.encode(), *parts))
    return f"{name} {base64.b64encode(body).decode()} planted"


@case(NOTES, "DSA and ECDSA on another curve are refused at registration")
def _(service):
    before = len(service.control("GET", "/keys")["data"])
    old = dsa.generate_private_key(1024).public_key()
    refused = [old.public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()]
    point = ec.generate_private_key(ec.SECP256K1()).public_key()
    blob = point.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    refused.append(wire("ecdsa-sha2-secp256k1", b"secp256k1", blob))
    refused += ["", "not a key", wire("ssh-ed25519", b"\x01" * 31), "ssh-rsa AAAA"]
    for text in refused:
        equal(service.register("refused", text).status_code, 422)
    equal(len(service.control("GET", "/keys")["data"]), before)


@case("interface, SSH-JWT rule 2", "the page takes a form; a foreign Origin is refused")
def _(service):
    key = Key("ecdsa-256", service.folder, "key-origin")
    equal(service.register("evil", key.public, Origin="http://evil.example").status_code, 403)
    expect_error(service.get("/claims", key.sign(service.claims())), 401)
    equal(service.register("own", key.public, Origin=service.base).status_code, 303)
    equal(service.get("/claims", key.sign(service.claims())).status_code, 200)
