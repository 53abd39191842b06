"""Cases, assertions and calls for the programs in this folder. Shares no code with the product."""

import json
import subprocess
import sys
import time
import traceback

import jwt
import requests
from cryptography.hazmat.primitives.serialization import load_ssh_private_key

CASES = []


def case(section, rule):
    """Registers a function as one case, under the section of the document that it tries."""

    def register(function):
        CASES.append((section, rule, function))
        return function

    return register


def run_cases(service):
    """Runs all cases and prints one JSON object a line; says how many failed by the exit code."""
    failed = 0
    for section, rule, function in CASES:
        try:
            function(service)
            result = {"case": f"{section}: {rule}", "ok": True}
        except Exception as error:  # every failure of any kind is a failed case
            failed += 1
            where = traceback.extract_tb(error.__traceback__)[-1]
            detail = f"{type(error).__name__}: {error} (line {where.lineno})"
            result = {"case": f"{section}: {rule}", "ok": False, "detail": detail[:500]}
        print(json.dumps(result), flush=True)
    sys.exit(1 if failed else 0)


def equal(got, wanted):
    if got != wanted:
        raise AssertionError(f"got {got!r}, wanted {wanted!r}")


def true(condition, what="condition"):
    if not condition:
        raise AssertionError(f"{what} does not hold")


KEY_KINDS = {
    "ed25519": (["-t", "ed25519"], "EdDSA"),
    "rsa": (["-t", "rsa", "-b", "2048"], "RS256"),
    "ecdsa-256": (["-t", "ecdsa", "-b", "256"], "ES256"),
    "ecdsa-384": (["-t", "ecdsa", "-b", "384"], "ES384"),
    "ecdsa-521": (["-t", "ecdsa", "-b", "521"], "ES512"),
}


class Key:
    """A key pair from ssh-keygen."""

    def __init__(self, kind, folder, name):
        arguments, self.alg = KEY_KINDS[kind]
        path = f"{folder}/{name}"
        subprocess.run(["ssh-keygen", "-q", *arguments, "-N", "", "-C", name, "-f", path], check=True)
        with open(path, "rb") as private:
            self.private = load_ssh_private_key(private.read(), None)
        with open(f"{path}.pub", encoding="ascii") as public:
            self.public = public.read()

    def sign(self, claims, alg=None, headers=None):
        return jwt.encode(claims, self.private, algorithm=alg or self.alg, headers=headers)


class Service:
    """The sandbox as a caller sees it."""

    def __init__(self, said, folder):
        self.base = said["baseUrl"]
        self.email = said["account"]["email"]
        self.control_url = said["controlUrl"]
        self.control_headers = {"Authorization": f"Bearer {said['controlToken']}"}
        self.folder = folder
        self.keys = {kind: Key(kind, folder, f"key-{kind}") for kind in KEY_KINDS}
        for kind, key in self.keys.items():
            equal(self.register(kind, key.public).status_code, 303)

    def claims(self, **changes):
        now = int(time.time())
        wanted = {"email": self.email, "iat": now, "exp": now + 900, **changes}
        return {name: value for name, value in wanted.items() if value is not None}

    def token(self, kind="ed25519", **changes):
        return self.keys[kind].sign(self.claims(**changes))

    def get(self, path, token=None, authorization=None, headers=None):
        value = authorization if authorization is not None else f"SSH-JWT {token or self.token()}"
        sent = {"Authorization": value, **(headers or {})}
        return requests.get(f"{self.base}/api/v2{path}", headers=sent, allow_redirects=False, timeout=30)

    def register(self, name, public_key, **headers):
        form = {"name": name, "public_key": public_key}
        return requests.post(
            f"{self.base}/settings/ssh", data=form, headers=headers, allow_redirects=False, timeout=30
        )

    def control(self, method, path, body=None):
        reply = requests.request(
            method, self.control_url + path, json=body, headers=self.control_headers, timeout=60
        )
        reply.raise_for_status()
        return reply.json()

    def truth(self, name):
        reply = requests.get(f"{self.control_url}/truth/{name}", headers=self.control_headers, timeout=60)
        rows = [json.loads(line) for line in reply.content.decode("utf-8").split("\n") if line]
        equal(len(rows), int(reply.headers["X-Total"]))
        return rows


def expect_error(reply, status, word=""):
    """An error as docs/service.md shapes it."""
    equal(reply.status_code, status)
    true(reply.headers.get("X-Request-Id"), "an X-Request-Id header")
    body = reply.json()
    true(isinstance(body.get("message"), str) and body["message"], "a message")
    known = {"message", "error_code", "event_id"} | ({"errors"} if status == 422 else set())
    true(set(body) <= known, f"a body of {sorted(known)}")
    true(word.lower() in body["message"].lower(), f"{word!r} in {body['message']!r}")
