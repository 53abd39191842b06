"""The script that the service's documentation suggests: pages the claims with requests and pyjwt into a CSV.

Usage: page_to_csv.py BASE_URL EMAIL OUT.csv

Makes a key with ssh-keygen, registers it, reads every page of 1,000 claims and writes the flat fields of each.
Prints one JSON object with what it took.
"""

import csv
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import jwt
import requests
from cryptography.hazmat.primitives.serialization import load_ssh_private_key


def main():
    base_url, email, out = sys.argv[1:4]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "key"
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)], check=True)
        private = load_ssh_private_key(path.read_bytes(), password=None)
        public = path.with_suffix(".pub").read_text()
    form = {"name": "csv", "public_key": public}
    requests.post(f"{base_url}/settings/ssh", data=form, allow_redirects=False, timeout=10)

    def sign():
        now = int(time.time()) - 2
        return jwt.encode({"email": email, "iat": now, "exp": now + 900}, private, algorithm="EdDSA")

    began = time.monotonic()
    rows, page, writer = 0, 1, None
    session = requests.Session()
    with open(out, "w", newline="", encoding="utf-8") as file:
        while True:
            reply = session.get(
                f"{base_url}/api/v2/claims",
                params={"page": page, "per_page": 1000},
                headers={"Authorization": f"SSH-JWT {sign()}"},
                timeout=60,
            )
            reply.raise_for_status()
            body = reply.json()
            for claim in body["data"]:
                flat = {key: value for key, value in claim.items() if not isinstance(value, (dict, list))}
                if writer is None:
                    writer = csv.DictWriter(file, fieldnames=sorted(flat), extrasaction="ignore")
                    writer.writeheader()
                writer.writerow(flat)
                rows += 1
            if not body["has_next"]:
                break
            page += 1
    seconds = time.monotonic() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps({"rows": rows, "seconds": seconds, "rssMb": peak}))


main()
