"""Pages the data API as its documentation suggests and compares with what Claimdesk lists.

Usage: own_client.py BASE_URL EMAIL CLAIMS_NDJSON MEMBERS_NDJSON [--key-type TYPE]

Makes a key with ssh-keygen, registers it on the page for keys, signs its own tokens, reads every claim and
every member, and compares field by field. Prints one JSON object; exit 0 only where nothing differs.
"""

import json
import subprocess
import sys
import tempfile
import time
from decimal import Decimal
from pathlib import Path

import jwt
import requests
from cryptography.hazmat.primitives.serialization import load_ssh_private_key

ALGORITHMS = {"ed25519": "EdDSA", "rsa": "RS256", "ecdsa": "ES256"}
PER_PAGE = 137


def make_key(folder, key_type):
    path = Path(folder) / "key"
    command = ["ssh-keygen", "-q", "-t", key_type, "-N", "", "-f", str(path)]
    if key_type == "rsa":
        command += ["-b", "3072"]
    subprocess.run(command, check=True)
    private = load_ssh_private_key(path.read_bytes(), password=None)
    return private, path.with_suffix(".pub").read_text()


def register(base_url, public_key):
    reply = requests.post(
        f"{base_url}/settings/ssh",
        data={"name": "python", "public_key": public_key},
        allow_redirects=False,
        timeout=10,
    )
    if reply.status_code != 303:
        raise SystemExit(f"the key was not taken: {reply.status_code}")


def sign(private, algorithm, email):
    now = int(time.time()) - 2
    return jwt.encode({"email": email, "iat": now, "exp": now + 900}, private, algorithm=algorithm)


def read_list(base_url, path, token):
    records = []
    page = 1
    while True:
        reply = requests.get(
            f"{base_url}/api/v2/{path}",
            params={"page": page, "per_page": PER_PAGE},
            headers={"Authorization": f"SSH-JWT {token}"},
            timeout=30,
        )
        reply.raise_for_status()
        body = json.loads(reply.text, parse_float=Decimal, parse_int=Decimal)
        records += body["data"]
        if not body["has_next"]:
            return records
        page += 1


def read_listing(path):
    text = Path(path).read_text(encoding="utf-8")
    return [
        json.loads(line, parse_float=Decimal, parse_int=Decimal)
        for line in text.split("\n")
        if line
    ]


def differences(theirs, ours, where):
    if type(theirs) is not type(ours):
        yield f"{where}: {type(theirs).__name__} against {type(ours).__name__}"
    elif isinstance(theirs, dict):
        for key in sorted(theirs.keys() | ours.keys()):
            if key not in ours:
                yield f"{where}.{key} is missing"
            elif key not in theirs:
                yield f"{where}.{key} is made up"
            else:
                yield from differences(theirs[key], ours[key], f"{where}.{key}")
    elif isinstance(theirs, list):
        if len(theirs) != len(ours):
            yield f"{where}: {len(theirs)} items against {len(ours)}"
        for index, (one, other) in enumerate(zip(theirs, ours)):
            yield from differences(one, other, f"{where}[{index}]")
    elif theirs != ours:
        yield f"{where} differs"


def compare(theirs, ours, name):
    by_id = {record["id"]: record for record in ours}
    found = []
    if len(by_id) != len(ours):
        found.append(f"{name}: an id comes twice")
    if {record["id"] for record in theirs} != set(by_id):
        found.append(f"{name}: other ids")
    for record in theirs:
        if record["id"] in by_id:
            found += differences(record, by_id[record["id"]], f"{name}/{record['id']}")
    return found


def sum_of(records, field):
    return str(sum((record[field] for record in records if record.get(field) is not None), Decimal(0)))


def main():
    base_url, email, claims_path, members_path = sys.argv[1:5]
    key_type = sys.argv[6] if "--key-type" in sys.argv else "ed25519"
    with tempfile.TemporaryDirectory() as folder:
        private, public_key = make_key(folder, key_type)
    register(base_url, public_key)
    token = sign(private, ALGORITHMS[key_type], email)
    claims = read_list(base_url, "claims", token)
    members = read_list(base_url, "member", token)
    found = compare(claims, read_listing(claims_path), "claims")
    found += compare(members, read_listing(members_path), "members")
    print(
        json.dumps(
            {
                "claims": len(claims),
                "members": len(members),
                "billed": sum_of(claims, "amount_billed"),
                "paid": sum_of(claims, "amount_paid"),
                "differences": found[:20],
            }
        )
    )
    return 0 if not found else 1


if __name__ == "__main__":
    sys.exit(main())
