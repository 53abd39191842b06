"""Connect: submitting credentials, and watching their validation by polling and by the event stream."""

import json
import time

import requests

from connect_client import Connect, Member
from harness import case, equal, expect_error, true

NOTES = "Connect calls"
TEST, TWO_FACTOR = 15, 16


def ready(service):
    service.control("PUT", "/connect/settings", {"stepMs": 10})
    return Member(Connect(service))


def path_of(made):
    return f"/validate-credentials/{made['policy_holder_id']}/{made['task_id']}"


def poll(member, made, *states):
    for _ in range(500):
        told = member.connect.data("GET", path_of(made), email=member.email)
        if told["state"] in states:
            return told
        time.sleep(0.02)
    raise AssertionError(f"still {told['state']}")


def answer(member, made, **body):
    return member.connect.send("PUT", path_of(made), {"user_email": member.email, **body})


def holder(member, made):
    path = f"/policy_holder/{made['policy_holder_id']}"
    return member.connect.data("GET", path, email=member.email, employer_id=member.employer)


def subscribe(service, made, token=None, base="/v3/connect", task=None):
    url = f"{service.base}{base}/progress/{task or made['task_id']}/stream"
    return requests.get(url, params={"token": token or made["task_token"]}, stream=True, timeout=30)


def states_of(reply):
    """The states that a stream tells, to its end."""
    equal(reply.status_code, 200)
    events = [block for block in reply.content.decode("utf-8").split("\n\n") if block]
    data = [json.loads(block.split("data: ")[1]) for block in events if block.startswith("event: state")]
    return [one["status"] for one in data]


for word, state, valid, problem in (
    ("usual", "SUCCESS", True, "valid"),
    ("invalid", "FAILURE", False, "invalid"),
    ("break", "FAILURE", None, "broken"),
    ("fast", "SUCCESS", True, "valid"),
):

    @case(NOTES, f"test carriers: a username with {word} ends in {state}")
    def _(service, word=word, state=state, valid=valid, problem=problem):
        member = ready(service)
        made = member.submit(TEST, word)
        told = poll(member, made, "SUCCESS", "FAILURE")
        equal((told["state"], told["credentials_are_valid"]), (state, valid))
        equal(holder(member, made)["login_problem"], problem)


@case(NOTES, "acceptance travels with the submit: 403 without; a string for tenants_accept is refused")
def _(service):
    member = ready(service)
    for change in ({"accept": False}, {"accept": None}, {"tenants_accept": None}, {"tenants_accept": []}):
        expect_error(member.connect.send("POST", "/policy_holder", member.login(TEST, "x", **change)), 403)
    body = member.login(TEST, "x", tenants_accept=str(member.tenant))
    expect_error(member.connect.send("POST", "/policy_holder", body), 422, "tenants_accept")


@case(NOTES, "what the carrier's form declares is checked: 422 with details")
def _(service):
    member = ready(service)
    reply = member.connect.send("POST", "/policy_holder", member.login(13, "x", subscriber_number="1"))
    expect_error(reply, 422)
    equal(list(reply.json()["errors"]), ["subscriber_number"])


@case(NOTES, "PUT corrects a connection, with its id in the path, in the body, or by payer and username")
def _(service):
    member = ready(service)
    made = member.submit(TEST, "invalid")
    poll(member, made, "FAILURE")
    body = member.login(TEST, "fast")
    calls = [
        (f"/policy_holder/{made['policy_holder_id']}", body),
        ("/policy_holder", {**body, "policy_holder_id": made["policy_holder_id"]}),
        ("/policy_holder", body),
    ]
    for path, sent in calls:
        equal(member.connect.data("PUT", path, sent)["policy_holder_id"], made["policy_holder_id"])
    equal(holder(member, made)["login_problem"], "valid")
    expect_error(member.connect.send("PUT", "/policy_holder/99", body), 404)
    held = member.login(TEST, "held.fast")
    member.connect.data("POST", "/policy_holder", held)
    expect_error(member.connect.send("PUT", calls[0][0], held), 403)


@case(NOTES, "two factors by polling: the carrier's methods, a refused code, a right one")
def _(service):
    member = ready(service)
    made = member.submit(TWO_FACTOR, "usual")
    methods = poll(member, made, "WAITING_FOR_METHOD_CHOICE")["info"]["method_list"]
    expect_error(answer(member, made), 422)
    expect_error(answer(member, made, method=methods[0], code="1"), 422)
    expect_error(answer(member, made, method="none of them"), 422)
    equal(answer(member, made, method=methods[0]).status_code, 200)
    equal(poll(member, made, "WAITING_FOR_TWO_FACTOR_CODE")["message"], None)
    equal(answer(member, made, code="000000").status_code, 200)
    true(poll(member, made, "WAITING_FOR_TWO_FACTOR_CODE")["message"], "a message for the refused code")
    answer(member, made, code="123456")
    equal(poll(member, made, "SUCCESS", "FAILURE")["credentials_are_valid"], True)


@case(NOTES, "while a validation runs the policy holder is all null, with a fresh token")
def _(service):
    member = ready(service)
    made = member.submit(TWO_FACTOR, "usual")
    told = holder(member, made)
    equal(
        [told[name] for name in ("login_problem", "login_needs_correction", "last_successful_crawl_end")],
        [None, None, None],
    )
    equal(told["task_id"], made["task_id"])
    true(told["task_token"] != made["task_token"], "a fresh token")


for base in ("/v3/connect", "/v3/sdk"):

    @case(NOTES, f"the event stream at {base} tells each state and ends")
    def _(service, base=base):
        member = ready(service)
        service.control("PUT", "/connect/settings", {"stepMs": 80})
        made = member.submit(TEST, "usual")
        equal(states_of(subscribe(service, made, base=base)), ["PENDING", "STARTED", "SUCCESS"])


@case(NOTES, "a stream that says timeout is taken up again with a fresh token")
def _(service):
    member = ready(service)
    made = member.submit(TWO_FACTOR, "single")
    poll(member, made, "WAITING_FOR_TWO_FACTOR_CODE")
    service.control("PUT", "/connect/settings", {"streamMs": 50})
    true("event: timeout" in subscribe(service, made).text)
    service.control("PUT", "/connect/settings", {"streamMs": 600000})
    again = subscribe(service, made, token=holder(member, made)["task_token"])
    answer(member, made, code="123456")
    equal(states_of(again)[-1], "SUCCESS")


@case(NOTES, "the stream's refusals: missing, bad, expired, another task's, finished")
def _(service):
    member = ready(service)
    made = member.submit(TWO_FACTOR, "single")
    url = f"{service.base}/v3/connect/progress/{made['task_id']}/stream"
    expect_error(requests.get(url, timeout=30), 401, "Missing token")
    expect_error(subscribe(service, made, token="x.y.z"), 422)
    expect_error(subscribe(service, made, task="another"), 403, "Not your task")
    service.control("POST", "/connect/expire", {"kind": "task"})
    expect_error(subscribe(service, made), 401, "Task token has expired")
    expect_error(subscribe(service, member.submit(TEST, "fast")), 401, "Task not available")


@case("issue, bad days", "a dropped stream leaves the validation as it is")
def _(service):
    member = ready(service)
    fault = {"kind": "drop-stream", "route": "connect-stream", "afterEvents": 1, "times": 1}
    service.control("POST", "/faults", fault)
    made = member.submit(TWO_FACTOR, "single")
    equal(len(states_of(subscribe(service, made))), 1)
    service.control("DELETE", "/faults")
    poll(member, made, "WAITING_FOR_TWO_FACTOR_CODE")
