"""What the scripts of the benches have in common: a key that the service knows, the pages of claims, and the result."""

import json
import resource
import subprocess
import tempfile
import time
from pathlib import Path

import jwt
import requests
from cryptography.hazmat.primitives.serialization import load_ssh_private_key


def register_key(base_url, email):
    """Makes a key with ssh-keygen and registers it. Returns a function that signs a token."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "key"
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)], check=True)
        private = load_ssh_private_key(path.read_bytes(), password=None)
        public = path.with_suffix(".pub").read_text()
    form = {"name": "script", "public_key": public}
    requests.post(f"{base_url}/settings/ssh", data=form, allow_redirects=False, timeout=10)

    def sign():
        now = int(time.time()) - 2
        return jwt.encode({"email": email, "iat": now, "exp": now + 900}, private, algorithm="EdDSA")

    return sign


def read_pages(base_url, sign):
    """Yields the claims of each page of 1,000."""
    page = 1
    session = requests.Session()
    while True:
        reply = session.get(
            f"{base_url}/api/v2/claims",
            params={"page": page, "per_page": 1000},
            headers={"Authorization": f"SSH-JWT {sign()}"},
            timeout=60,
        )
        reply.raise_for_status()
        body = reply.json()
        yield body["data"]
        if not body["has_next"]:
            return
        page += 1


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


class Stopwatch:
    """Seconds and processor time since it was made."""

    def __init__(self):
        self.began, self.cpu_began = time.monotonic(), cpu_seconds()

    def print_result(self, rows, **more):
        figures = {
            "rows": rows,
            "seconds": time.monotonic() - self.began,
            "cpuSeconds": cpu_seconds() - self.cpu_began,
            "rssMb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        }
        print(json.dumps(figures | more))
