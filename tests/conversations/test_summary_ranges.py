"""Chunks follow each other without gap or overlap, also when workers are killed."""

import json
import threading
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from django.db import connection
from hypothesis import given, settings
from hypothesis import strategies as st

from conversations.models import MessageIndex, Summary, SummaryJob
from memory.models import CaptureJob, EpisodicMemory, MemoryPolicy
from tests.conversations.summing import (
    Talkative,
    chunks,
    echo,
    let_leases_expire,
    name_of,
    run_summaries,
)
from tests.factories import MembershipFactory
from tests.memory.test_killed_workers import Killed, Killer
from tests.openai_answers import says

pytestmark = pytest.mark.django_db(transaction=True)
MORNING = datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.fixture(autouse=True)
def provider(openai_server):
    openai_server.titles.default = echo
    return openai_server


def check(thread):
    """Each message before the last chunk's end is in one chunk, and said once in it."""
    end = 0
    for chunk in chunks(thread):
        assert chunk.first_seq == end + 1
        end = chunk.last_seq
        lines = MessageIndex.objects.filter(
            message__thread=thread, place__range=(chunk.first_seq, end)
        )
        said = [line.content for line in lines.order_by("place")]
        assert chunk.text == " ".join(said)
        memory = EpisodicMemory.objects.filter(summaries=chunk)
        assert [one.content for one in memory] == [chunk.text] * bool(said)
    left = MessageIndex.objects.filter(message__thread=thread, place__gt=end)
    assert left.count() < 20
    held = Summary.objects.exclude(memory=None).values("memory").distinct()
    assert EpisodicMemory.objects.count() == held.count()
    assert not Summary.objects.filter(stale=True).exists()


STEPS = st.lists(
    st.one_of(
        st.integers(1, 12),
        st.sampled_from(["regenerate", "pause", "work"]),
        st.tuples(st.just("edit"), st.integers(0, 60)),
        st.tuples(st.just("kill"), st.integers(1, 90)),
    ),
    min_size=3,
    max_size=8,
)


@pytest.mark.slow
@pytest.mark.req("S4-14", "S4-15", "B-42", "B-44")
@given(steps=STEPS)
@settings(max_examples=12)
def test_chunks_have_no_gap_and_no_overlap(steps):
    chat, now = Talkative(MembershipFactory()), MORNING
    chat.say(at=now)
    for step in steps:
        match step:
            case int(turns):
                chat.say_many(turns, at=now)
            case "regenerate":
                chat.regenerate()
            case "pause":
                now += timedelta(days=1)
            case "work":
                run_summaries()
            case ("edit", place):
                messages = chat.current()
                chat.edit(messages[place % len(messages)], f"edited{chat.count}")
            case ("kill", number):
                with suppress(Killed), connection.execute_wrapper(Killer(number)):
                    run_summaries()
                let_leases_expire()
    chat.say(at=now)
    let_leases_expire()
    run_summaries()
    check(chat.thread)


def state():
    """What is stored, without keys and times."""
    fields = ("kind", "first_seq", "last_seq", "text", "stale")
    return (
        sorted(Summary.objects.values_list(*fields)),
        sorted(EpisodicMemory.objects.values_list("content", flat=True)),
        sorted(CaptureJob.objects.values_list("kind", "payload__candidates__0__text")),
        sorted(SummaryJob.objects.values_list("kind", "state")),
    )


def begin_again(chat):
    """No summary, and a job of each kind."""
    for model in (Summary, SummaryJob, EpisodicMemory, CaptureJob):
        model.objects.all().delete()
    closed, active = chat.conversation.episodes.order_by("started_at")
    for episode, kind in ((closed, "final"), (active, "chunk"), (active, "running")):
        SummaryJob.objects.create(episode=episode, kind=kind)


def proposing(body):
    answer = echo(body)
    if name_of(body) != "episode_summary":
        return answer
    facts = [{"text": "User runs", "confidence": 1}]
    return says(json.dumps(json.loads(answer.text) | {"facts_candidates": facts}))


@pytest.mark.slow
def test_worker_killed_at_any_statement_loses_and_doubles_nothing(provider):
    provider.titles.default = proposing
    member = MembershipFactory()
    MemoryPolicy.objects.create(space=member.space, background_capture="always")
    chat = Talkative(member)
    chat.say("I run", at=MORNING)
    chat.say_many(10, at=MORNING + timedelta(days=1))
    begin_again(chat)
    run_summaries()
    wanted = state()
    for number in count(1):
        begin_again(chat)
        killer = Killer(number)
        with suppress(Killed), connection.execute_wrapper(killer):
            run_summaries()
        let_leases_expire()
        run_summaries()
        assert state() == wanted
        check(chat.thread)
        if killer.left > 0:
            break
    kinds = [row[0] for row in wanted[0]]
    assert kinds == ["chunk", "chunk", "final", "running"]
    assert number > 30


def test_message_withdrawn_while_a_worker_asks_is_not_in_the_summary(provider):
    chat = Talkative(MembershipFactory())
    chat.say_many(10)
    edits = [chat.current()[1]]

    def answer(body):
        if name_of(body) == "chunk_summary" and edits:
            chat.edit(edits.pop(), "edited")
        return echo(body)

    provider.titles.default = answer
    run_summaries()
    assert not edits
    chat.say_many(10)
    run_summaries()
    check(chat.thread)
    assert (
        "question2" not in " ".join(one.text for one in Summary.objects.all()).split()
    )


def test_two_workers_write_one_chunk(provider):
    chat = Talkative(MembershipFactory())
    chat.say_many(3, at=MORNING)
    chat.say_many(10, at=MORNING + timedelta(days=1))
    first, second = chat.conversation.episodes.order_by("started_at")
    SummaryJob.objects.filter(kind="chunk").delete()
    for episode in (first, second):
        SummaryJob.objects.create(kind="chunk", episode=episode)
    others = []

    def answer(body):
        if name_of(body) == "chunk_summary" and not others:
            others.append(threading.current_thread())
            run_summaries()
        return echo(body)

    provider.titles.default = answer
    run_summaries()
    assert others
    check(chat.thread)
    assert set(SummaryJob.objects.values_list("state", flat=True)) == {"done"}
