"""A caller of Connect. Every request is made afresh: no session, so no cookie ever comes back."""

import itertools

import requests

from harness import equal, true

NUMBERS = itertools.count(1)


class Connect:
    def __init__(self, service, base="/connect/v1", **headers):
        self.service = service
        self.said = service.connect
        self.url = service.base + base
        self.headers = {
            "X-Service-Token": self.said["publicToken"],
            "X-Connect-API-Version": "1",
            **headers,
        }

    def send(self, method, path, body=None, headers=None, **query):
        """A header of None is left out; header values may be Latin-1."""
        sent = {**self.headers, **(headers or {})}
        reply = requests.request(
            method,
            self.url + path,
            params=query or None,
            json=body,
            headers={
                name: value.encode("latin-1") for name, value in sent.items() if value is not None
            },
            allow_redirects=False,
            timeout=30,
        )
        true(reply.headers.get("X-Request-Id"), "an X-Request-Id header")
        return reply

    def data(self, method, path, body=None, headers=None, **query):
        reply = self.send(method, path, body, headers, **query)
        equal((reply.status_code, reply.text if reply.status_code != 200 else ""), (200, ""))
        equal(set(reply.json()), {"data"})
        return reply.json()["data"]

    def mint(self, **changes):
        keys = {
            "connect_access_key": self.said["publicToken"],
            "connect_secret_key": self.said["secretKey"],
            **changes,
        }
        url = f"{self.service.base}/api/create-connect-token"
        return requests.post(url, json=keys, timeout=30)

    def access(self):
        return {"X-Connect-Access-Token": self.mint().json()["data"]}


def naming(email, **changes):
    return {
        "system_key": "INTEROP-1",
        "vendor": "northwind-benefits",
        "employer_name": "Interop Works",
        "user_email": email,
        "user_first_name": "Iris",
        "user_last_name": "Reyes",
        **changes,
    }


class Member:
    """A member who has been bootstrapped."""

    def __init__(self, connect, email=None):
        self.connect = connect
        self.email = email or f"iris{next(NUMBERS)}@interop.example"
        self.told = connect.data("POST", "/bootstrap", naming(self.email))
        self.employer = self.told["employer"]["id"]
        self.tenant = self.told["tenant"]["id"]

    def login(self, payer, username, **changes):
        body = {
            "user_email": self.email,
            "employer_id": self.employer,
            "payer_id": payer,
            "username": f"{username}{next(NUMBERS)}",
            "password": "a password",
            "accept": True,
            "tenants_accept": [self.tenant],
            **changes,
        }
        return {name: value for name, value in body.items() if value is not None}

    def submit(self, payer, username):
        return self.connect.data("POST", "/policy_holder", self.login(payer, username))
