"""Names of users at every door: two never become one, and no other value is a name."""

import json
from typing import Any
from urllib.parse import quote

import pytest

from people.models import ExternalUser
from tests.conversations.api.mem0.test_dialect import ADD, LIST, SEARCH, add, call
from tests.conversations.api.memories.client import PATH, named
from tests.conversations.api.memories.conftest import ann, bob, member, proxy, staff

__all__ = ["ann", "bob", "member", "proxy", "staff"]

pytestmark = pytest.mark.django_db(transaction=True)
LONGEST = "L" * 255
NO_NAMES = (
    LONGEST + "EVIL",
    "carl\x00",
    "carl\u200b",
    "car\x07l",
    "\u202ecarl",
    "carl\x85",
    "\u00a0carl",
    "carl\ud800",
    "carl\ufffd",
    "ca\nrl",
)
JSON = {"Content-Type": "application/json"}
NO_TEXTS: tuple[Any, ...] = (
    True,
    5,
    1.5,
    ["carl"],
    {"in": ["carl"]},
    {"carl": 1},
    [],
    {},
)


def names_in_bodies(value):
    said = {"query": "violin", "messages": [{"role": "user", "content": "Hi there"}]}
    for path in (ADD, LIST, SEARCH):
        for names in (
            {"user_id": value},
            {"filters": {"user_id": value}},
            {"filters": {"AND": [{"user_id": value}]}},
            {"user_id": "carl", "filters": {"run_id": value}},
        ):
            yield path, said | names


def document(value):
    of_author = {"author": {"id": value}, "text": "I live in Gdynia"}
    return {"channel": "a", "thread": "b", "external_id": "1", **of_author}


@pytest.mark.parametrize("value", [*NO_NAMES, *NO_TEXTS], ids=ascii)
def test_value_that_is_no_name_reaches_no_user_at_any_door(proxy, value):
    add(proxy, "I play the violin", "carl")
    add(proxy, "I play the cello", LONGEST)
    for path, body in names_in_bodies(value):
        sent = json.dumps(body)
        answer = proxy.send("POST", path, content=sent, headers=JSON)
        assert answer.status_code in {400, 422}, (path, body, answer.text)
    sent = json.dumps(document(value))
    told = proxy.send("POST", "/api/ingest", content=sent, headers=JSON)
    assert told.json()["data"][0]["state"] == "refused"
    if isinstance(value, str):
        query = quote(value, errors="surrogatepass")
        gone = proxy.send("DELETE", f"/v1/memories/?user_id={query}")
        assert gone.status_code in {400, 422}, gone.text
    users = ExternalUser.objects.values_list("external_id", flat=True)
    assert sorted(users) == sorted(["carl", LONGEST])


@pytest.mark.parametrize("name", ["carl", " carl\t", LONGEST, "Łucja Ł.", "王"])
def test_name_is_the_same_user_at_every_door(proxy, name):
    add(proxy, "I play the violin", name)
    body = {"filters": {"AND": [{"user_id": name}]}}
    (found,) = call(proxy, "POST", LIST, json=body)["results"]
    assert found["memory"] == "I play the violin"
    told = proxy.send("POST", "/api/ingest", json=document(name)).json()["data"]
    assert told[0]["state"] == "stored"
    if name.isascii():
        listed = proxy.send("GET", PATH, headers=named(name)).json()["memories"]
        assert [one["text"] for one in listed] == ["I play the violin"]
    assert ExternalUser.objects.count() == 1


@pytest.mark.parametrize(
    "filters",
    [
        5,
        [],
        "x",
        True,
        {"AND": 5},
        {"AND": None},
        {"AND": {}},
        {"AND": [None]},
        {"AND": ["x"]},
        {"AND": [{"AND": [{"user_id": "dora"}]}]},
        {"AND": [{"user_id": "dora"}]},
        {"AND": [{}] * 100},
        {"user_id": "dora"},
        {"OR": None},
        {"NOT": []},
        {"": {}},
    ],
    ids=str,
)
def test_filters_of_another_form_or_user_are_refused(proxy, filters):
    for name in ("carl", "dora"):
        add(proxy, f"I am {name} of Gdynia", name)
    body = {"user_id": "carl", "filters": filters}
    more = {"query": "Gdynia", "messages": []}
    for path in (ADD, LIST, SEARCH):
        answer = call(proxy, "POST", path, 400, json=body | more)
        assert answer["reason"] == "unknown_filter"


def test_filters_that_are_null_are_none(proxy):
    add(proxy, "I play the violin", "carl")
    body = {"user_id": "carl", "filters": None}
    assert len(call(proxy, "POST", LIST, json=body)["results"]) == 1


@pytest.mark.parametrize("path", [PATH, f"{PATH}/export", "/api/memory/search"])
def test_staff_name_one_member_who_is_no_other(ann, bob, staff, path):
    ann.tell("I live in Gdynia")
    email = ann.api.key.user.email
    for names in (
        [email, bob.api.key.user.email],
        [f"{email}\u200b"],
        [email.replace("@", "\x00@")],
        [f"{email}\x1f"],
    ):
        params = [("user", name) for name in names]
        params += [("q", "Gdynia")] * path.endswith("/search")
        answer = staff.api.send("GET", path, params=params)
        assert answer.status_code == 400, answer.text
        assert "Gdynia" not in answer.text
