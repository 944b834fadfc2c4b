"""Gives each call of schemathesis an IP address of its own and the next access token, so that no limit refuses it.

Valid calls get what the plan (plan.ts) has made for their operation, so that they are not all refused for their ids.
"""

import itertools
import json
import os
from pathlib import Path

import schemathesis

given = json.loads(Path(os.environ["CONTRACT_GIVEN"]).read_text())
plan, tokens = given["plan"], given["tokens"]
people = {role: itertools.cycle(mine) for role, mine in given["people"].items()}
turns = {name: itertools.count() for name in plan}
numbers = itertools.count(1)


@schemathesis.hook
def before_call(context, case, kwargs):
    number = next(numbers)
    case.headers["X-Forwarded-For"] = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
    if case.path == "/v1/events/stream":
        end_at_once(case)
    follow_plan(case, number)


def follow_plan(case, number):
    label = case.operation.label
    is_valid = case.meta is not None and case.meta.generation.mode.is_positive
    # What is used up, such as a code, is kept for the calls that are valid.
    turn = next(turns[label]) if is_valid and label in plan else 0
    prepared = plan[label][turn % len(plan[label])] if label in plan else {}
    if "ids" in prepared and case.path_parameters:
        case.path_parameters = {**case.path_parameters, **prepared["ids"]}
    sent = case.headers.get("Authorization", "").removeprefix("Bearer ")
    if sent in tokens:  # and not one that was made up
        token = prepared.get("token") or tokens[sent] or next(people[role_of(case.path)])
        case.headers["Authorization"] = f"Bearer {token}"
    if is_valid:
        name_what_exists(case, number)
        # Every fourth call of an operation keeps the body that was made up.
        if "body" in prepared and isinstance(case.body, dict) and turn % 4 < 3:
            merged = {**case.body, **prepared["body"]}
            case.body = {name: value for name, value in merged.items() if value is not None}


def name_what_exists(case, number):
    """An account or a place in a list that was made up is refused before anything else of the call is looked at."""
    if "X-Account-Id" in case.headers:
        del case.headers["X-Account-Id"]
        if number % 8 == 0:
            case.headers["X-Account-Id"] = given["account"]
    if case.query and "cursor" in case.query:
        case.query = {name: value for name, value in case.query.items() if name != "cursor"}


def end_at_once(case):
    """A stream of events that may begin ends after what has happened so far: its time is not what is tested here."""
    seconds = str((case.query or {}).get("max_seconds", 0))
    if seconds.isdecimal() and int(seconds) <= 900:
        case.query = {**(case.query or {}), "max_seconds": 0}


def role_of(path):
    return "reviewer" if path.startswith("/api/v1/admin/") else "owner"
