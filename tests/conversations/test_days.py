"""The day of a fact, its period and the summaries of a conversation agree."""

import json
from datetime import datetime, timedelta

import pytest

from conversations.models import Summary, SummaryJob
from conversations.reply.lookup import Lookup
from meddie.threads import run_coroutine
from memory import service
from memory.models import Memory, MemoryPolicy
from memory.subjects import NO_HOUSEHOLD
from memory.values import Candidate, Provenance
from people.scope import scope_for
from tests.conversations.summing import Talkative, document_of, run_summaries
from tests.factories import MembershipFactory
from tests.local_days import day_told, extracting
from tests.memory.jobs import run_due
from tests.openai_answers import says

pytestmark = pytest.mark.django_db
SAID = "My operation is tomorrow."
ZONES = pytest.mark.parametrize(
    ("zone", "at", "today"),
    [
        ("Pacific/Auckland", "2026-11-27T11:30Z", "2026-11-28"),
        ("America/Los_Angeles", "2026-11-28T04:00Z", "2026-11-27"),
        ("UTC", "2026-11-28T10:00Z", "2026-11-28"),
    ],
)


@pytest.fixture
def member(db):
    return MembershipFactory()


def summing(body):
    """Sums up by the day after that of the first message, also as a fact."""
    told = document_of(body)["messages"][0]["at"]
    day = f"{day_told(told) + timedelta(1):%-d %B %Y}"
    text = f"The operation is on {day}."
    fact = {"text": f"My operation is tomorrow, {day}", "confidence": 0.9}
    return says(json.dumps({"summary": text, "facts_candidates": [fact]}))


def in_zone(member, zone):
    member.user.time_zone = zone
    member.user.save()
    return scope_for(member.user, member.space_id, channel="api")


@ZONES
def test_fact_and_summaries_have_the_day_that_the_user_means(
    member, openai_server, zone, at, today
):
    scope, moment = in_zone(member, zone), datetime.fromisoformat(at)
    day = datetime.fromisoformat(today) + timedelta(1)
    openai_server.titles.default = extracting(1)
    service.capture_later(scope, SAID, Provenance("background", moment))
    run_due()
    fact = Memory.objects.get()
    assert f"{day:%-d %B %Y}" in fact.content
    assert f"{fact.valid_from:%Y-%m-%d}" == f"{day:%Y-%m-%d}"
    openai_server.titles.default = summing
    chat = Talkative(member)
    chat.say_many(10, text=SAID, at=moment)
    chat.say("Hello again", at=moment + timedelta(days=1))
    run_summaries()
    found = Summary.objects.exclude(text="")
    assert {"chunk", "final"} <= set(found.values_list("kind", flat=True))
    assert {one.text for one in found} == {f"The operation is on {day:%-d %B %Y}."}


@ZONES
def test_running_summary_is_told_the_users_day(member, openai_server, zone, at, today):
    in_zone(member, zone)
    openai_server.titles.default = summing
    chat = Talkative(member)
    chat.say_many(5, text=SAID, at=datetime.fromisoformat(at))
    run_summaries()
    assert not SummaryJob.objects.unfinished().exists()
    told = document_of(openai_server.titles.requests[-1].body)["messages"]
    said = [message for message in told if message["role"] == "user"]
    assert {day_told(message["at"]).isoformat() for message in said} == {today}


@ZONES
def test_fact_of_a_closed_conversation_has_the_same_day(
    member, openai_server, zone, at, today
):
    in_zone(member, zone)
    MemoryPolicy.objects.create(space=member.space, background_capture="always")
    openai_server.titles.default = summing
    chat = Talkative(member)
    moment = datetime.fromisoformat(at)
    chat.say(SAID, at=moment)
    chat.say("Hello again", at=moment + timedelta(days=1))
    run_summaries()
    run_due()
    fact = Memory.objects.get(origin="episode_close")
    day = datetime.fromisoformat(today) + timedelta(1)
    assert f"{day:%-d %B %Y}" in fact.content


@pytest.mark.django_db(transaction=True)
@ZONES
def test_search_of_a_model_dates_facts_by_the_users_day(
    member, openai_server, zone, at, today
):
    scope, policy = in_zone(member, zone), MemoryPolicy(model_lookup=True)
    said = Provenance("operator", datetime.fromisoformat(at))
    service.remember(
        scope, service.prepare_facts([Candidate("I live in Oslo")], NO_HOUSEHOLD), said
    )
    answer = run_coroutine(Lookup.of(scope, policy).tool.run("I live in Oslo"), 60)
    assert f"I live in Oslo ({today})" in answer
