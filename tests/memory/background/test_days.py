"""A day in a message is the user's: "tomorrow" in Auckland is not that of UTC.

Half of the messages were written before the rule, the other half was looked at in the end.
"""

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from memory.models import Memory
from memory.recall.recall import newest
from people.scope import scope_for
from tests.factories import MemoryFactory
from tests.local_days import day_told, extracting
from tests.memory.background.heard import facts

pytestmark = pytest.mark.django_db
ROWS = [
    [part.strip() for part in line.split("|")]
    for line in (Path(__file__).parent / "relative_days.txt").read_text().splitlines()
    if not line.startswith("#")
]
MIDNIGHT = datetime.fromisoformat("2026-11-27T11:30:00Z")  # 00:30 in Auckland


def days_between(day, meant):
    return (datetime.fromisoformat(meant) - datetime.fromisoformat(day)).days


@pytest.fixture
def in_zone(ann, home):
    def scope(zone):
        ann.time_zone = zone
        ann.save()
        return scope_for(ann, home.pk, channel="api")

    return scope


@pytest.mark.parametrize("row", ROWS)
def test_day_of_a_message_is_the_users(hear, in_zone, openai_server, row):
    zone, at, message, day, meant = row
    openai_server.titles.default = extracting(days_between(day, meant))
    hear(message, at=datetime.fromisoformat(at), scope=in_zone(zone))
    (request,) = openai_server.titles.requests
    told = json.loads(request.body["messages"][-1]["content"])["stated_at"]
    assert (day_told(told).isoformat(), told.endswith(f", {zone}")) == (day, True)
    fact = Memory.objects.get()
    assert fact.valid_from == datetime.fromisoformat(f"{meant}T00:00Z")
    assert f"{datetime.fromisoformat(meant):%-d %B %Y}" in fact.content


def test_extractor_is_told_day_weekday_and_zone(hear, in_zone, openai_server):
    openai_server.titles.default = extracting(1)
    scope = in_zone("Pacific/Auckland")
    hear("My operation is tomorrow.", at=MIDNIGHT, scope=scope)
    told = openai_server.titles.requests[0].body["messages"][-1]["content"]
    moment = "2026-11-28T00:30+13:00, Saturday, Pacific/Auckland"
    assert json.loads(told)["stated_at"] == moment


def test_resolver_is_told_the_same_days(hear, in_zone, openai_server):
    scope, earlier = in_zone("Pacific/Auckland"), MIDNIGHT - timedelta(hours=1)
    before, after = (
        facts("User takes 5 mg of ramipril"),
        facts("User takes 9 mg of ramipril"),
    )
    hear("I take 5 mg of ramipril", before, at=earlier, scope=scope)
    added = {"decisions": [{"new": 1, "action": "add"}]}
    hear("I take 9 mg of ramipril", after, added, at=MIDNIGHT, scope=scope)
    asked = openai_server.titles.requests[-1].body["messages"][-1]["content"]
    (new,), (known,) = json.loads(asked)["new"], json.loads(asked)["known"]
    assert new["stated_at"] == "2026-11-28T00:30+13:00, Saturday, Pacific/Auckland"
    assert known["stated_at"] == "2026-11-27T23:30+13:00, Friday, Pacific/Auckland"


@pytest.mark.parametrize(
    ("zone", "until"),
    [
        ("Pacific/Auckland", "2026-11-28"),
        ("America/Los_Angeles", "2026-11-27"),
        ("UTC", "2026-11-27"),
    ],
)
def test_replaced_fact_ends_on_the_users_day(in_zone, zone, until):
    scope = in_zone(zone)
    MemoryFactory(
        user_id=scope.user_id,
        space_id=scope.space_id,
        content="User lives in Oslo",
        stated_at=MIDNIGHT - timedelta(days=7),
        valid_until=MIDNIGHT,
    )
    (found,) = newest(scope, 5)
    assert found.label == f"until {until}"
