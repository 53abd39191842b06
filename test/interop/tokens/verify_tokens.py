"""Verifies SSH-JWTs with python3-jwt, which shares no code with Claimdesk.

Reads a JSON array of {"public_key": OpenSSH line, "token": JWT} and prints a JSON array: the header and the
claims of each token that holds, or the name of the error that refused it.
"""

import json
import sys

import jwt
from cryptography.hazmat.primitives.serialization import load_ssh_public_key

ALGORITHMS = {
    "ssh-ed25519": "EdDSA",
    "ssh-rsa": "RS256",
    "ecdsa-sha2-nistp256": "ES256",
    "ecdsa-sha2-nistp384": "ES384",
    "ecdsa-sha2-nistp521": "ES512",
}


def verify(item):
    line = item["public_key"]
    key = load_ssh_public_key(line.encode())
    try:
        claims = jwt.decode(item["token"], key, algorithms=[ALGORITHMS[line.split()[0]]], leeway=0)
    except jwt.PyJWTError as error:
        return {"refused": type(error).__name__}
    return {"header": jwt.get_unverified_header(item["token"]), "claims": claims}


print(json.dumps([verify(item) for item in json.load(sys.stdin)]))
