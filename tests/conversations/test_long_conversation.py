"""A conversation stays as quick and its prompt as small, however long it grows."""

import json
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from conversations import message_search
from conversations.episodes.summaries import after_turn
from conversations.models import (
    Episode,
    Message,
    Summary,
    SummaryJob,
    Thread,
)
from conversations.reply.history import _newest_first, history_of
from conversations.reply.known import know, prompt_of
from conversations.reply.prompt_place import place_of_turn
from conversations.reply.turn import Received, begin
from meddie.ai.tokens import estimate
from memory import service
from memory.models import EpisodicMemory, Memory, MemoryPolicy
from memory.recall.thresholds import measured
from people.scope import scope_for
from tests.conversations.summing import (
    LEASE,
    Talkative,
    chunks,
    document_of,
    name_of,
    run_summaries,
)
from tests.conversations.turns import ask, write
from tests.factories import MembershipFactory
from tests.memory.jobs import run_due
from tests.openai_answers import says

MORNING = datetime(2026, 3, 2, 9, tzinfo=UTC)
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
WORDS = "The doctor talked about sleep, tea and a long walk by the river. " * 3


@pytest.fixture
def member(transactional_db):
    return MembershipFactory()


def summarise(body):
    """A short summary of the first words of each message."""
    said = [one["text"][:20] for one in document_of(body)["messages"]]
    return says(json.dumps({"summary": " ".join(said)[:600]}))


class Long:
    """A conversation that is filled with finished turns at once."""

    def __init__(self, member):
        self.chat = Talkative(member)
        self.reply = self.chat.say(WORDS, MORNING, reply=WORDS)
        user = self.reply.conversation.user
        self.scope = scope_for(user, member.space_id, channel="web")

    def grow(self, turns):
        """To as many turns, with their summaries."""
        thread, episode = self.chat.thread, Episode.objects.get()
        common = {"thread": thread, "conversation": self.chat.conversation}
        said = [
            Message(
                **common,
                episode=episode,
                seq=seq,
                role="assistant" if seq % 2 == 0 else "user",
                content=f"{seq}: {WORDS}",
                created_at=MORNING + seq * MINUTE / 10,
            )
            for seq in range(thread.next_seq, 2 * turns + 1)
        ]
        for question, answer in zip(said[::2], said[1::2], strict=True):
            answer.answers = question
        Message.objects.bulk_create(said)
        Thread.objects.filter(pk=thread.pk).update(next_seq=2 * turns + 1)
        message_search.index(self.scope, said)
        after_turn(said[-1])
        run_summaries()

    def next_turn(self):
        """What the next prompt is made of: lines, tokens and statements."""
        last = Message.objects.order_by("seq").last()
        Thread.objects.update(lease_holder=None)
        turn = begin(
            self.chat.member.user,
            self.chat.member.space_id,
            "What did the doctor say about tea?",
            conversation_id=self.chat.conversation.pk,
            received=Received(LEASE, last.created_at + MINUTE),
        )
        query = service.prepare_query(turn.message.content)
        measured.cache_clear()
        with CaptureQueriesContext(connection) as statements:
            place = place_of_turn(turn, history_of(turn))
            know(turn.scope, turn.policy, query, place)
        lines = len(place.brief.history)
        messages = prompt_of(turn, settings.PROMPT_TOKENS).messages
        tokens = sum(estimate(message["content"]) for message in messages)
        turn.message.delete()
        return lines, tokens, len(statements)


@pytest.mark.slow
@pytest.mark.req("S4-43", "S4-02", "S2-52", "S4-16")
def test_the_thousandth_turn_is_like_the_hundredth(member, openai_server):
    openai_server.titles.default = summarise
    talk = Long(member)
    talk.grow(100)
    lines, tokens, statements = talk.next_turn()
    talk.grow(1_010)
    later = talk.next_turn()
    assert later[0] <= 40
    assert lines <= 40
    assert later[1] <= 1.15 * tokens
    assert later[1] < settings.PROMPT_TOKENS
    # The best of more than 2,000 rows are found and read by two statements more.
    assert later[2] <= statements + 2
    ranges = [(one.first_seq, one.last_seq) for one in chunks(talk.chat.thread)]
    assert ranges[0][0] == 1
    assert all(end + 1 == begin for (_, end), (begin, _) in pairwise(ranges))
    assert 2_020 - ranges[-1][1] <= 20
    assert EpisodicMemory.objects.count() == len(ranges)


@pytest.mark.slow
@pytest.mark.req("S4-43")
def test_the_window_is_read_by_an_index(member, openai_server):
    openai_server.titles.default = summarise
    talk = Long(member)
    talk.grow(1_010)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE conversations_message")
    plan = _newest_first(talk.chat.conversation.pk, 2_021)[:40].explain()
    assert "conversations_message_order" in plan


FACTS = {
    f"I {what}.": f"User {said}"
    for what, said in (
        ("have asthma", "has asthma"),
        ("am allergic to penicillin", "is allergic to penicillin"),
        ("take ramipril", "takes ramipril"),
        ("live in Gdynia", "lives in Gdynia"),
        ("work as a nurse", "works as a nurse"),
        ("am vegan", "is vegan"),
        ("own two dogs", "owns two dogs"),
        ("run on Mondays", "runs on Mondays"),
        ("wear glasses", "wears glasses"),
        ("broke my wrist in 2019", "broke the wrist in 2019"),
        ("speak Czech", "speaks Czech"),
        ("sleep six hours", "sleeps six hours"),
        ("dislike injections", "dislikes injections"),
        ("play the cello", "plays the cello"),
        ("drink no alcohol", "drinks no alcohol"),
    )
}


def answer(body):
    """Keeps the stated facts in summaries, and proposes them of each message and again
    at the end of an episode, besides the first and the last."""
    if name_of(body) not in {"chunk_summary", "running_summary", "episode_summary"}:
        asked = json.dumps(document_of(body).get("message", ""))
        facts = [{"text": FACTS[one]} for one in list(FACTS)[1:] if one in asked]
        return says(json.dumps({"facts": facts, "decisions": []}))
    document = document_of(body)
    said = [*document["earlier"], *(one["text"] for one in document["messages"])]
    told = [sentence for sentence in FACTS if any(sentence in text for text in said)]
    summary = {"summary": " ".join(told) or "They talked about soup."}
    facts = [{"text": FACTS[sentence], "confidence": 0.9} for sentence in told]
    if name_of(body) == "episode_summary":
        last = list(FACTS.values())[-1]
        summary["facts_candidates"] = [one for one in facts if one["text"] != last]
    return says(json.dumps(summary))


@pytest.mark.slow
@pytest.mark.req("S4-38", "S2-55")
def test_a_hundred_turns_come_down_to_fifteen_facts_and_five_episodes(
    member, openai_server
):
    openai_server.titles.default = answer
    MemoryPolicy.objects.create(space=member.space, background_capture="always")
    chat, told = Talkative(member), list(FACTS)
    for day in range(5):
        for turn in range(20):
            said = told[3 * day + turn % 3] if turn < 6 else "Is soup good for me?"
            chat.say(said, MORNING + day * DAY + turn * MINUTE)
    chat.say("Hello again", MORNING + 5 * DAY)
    run_summaries()
    run_due()
    assert Message.objects.filter(role="user").count() == 101
    assert Episode.objects.filter(status="closed").count() == 5
    stored = Memory.objects.values_list("content", flat=True)
    assert sorted(stored) == sorted(FACTS.values())
    finals = Summary.objects.filter(kind=Summary.Kind.FINAL)
    assert finals.count() == 5
    # Beside the five final summaries, one for each stretch that left the window.
    stretches = chunks(chat.thread)
    assert EpisodicMemory.objects.count() == 5 + len(stretches)
    assert len(stretches) <= 10


@pytest.mark.req("S4-40", "S4-13", "S4-17")
def test_reply_ends_before_anything_is_summed_up_or_extracted(member, openai_server):
    MemoryPolicy.objects.create(space=member.space, background_capture="always")
    conversation = {}
    for number in range(10):
        openai_server.chat.queue(says(f"Answer {number}."))
        turn = ask(member, f"I own {number + 2} red boats.", **conversation)
        conversation = {"conversation_id": turn.conversation_id}
        assert write(turn).status == "done"
    assert {"chunk", "running"} == set(
        SummaryJob.objects.values_list("kind", flat=True)
    )
    asked = [name_of(r.body) for r in openai_server.titles.requests if is_structured(r)]
    assert asked == []
    run_summaries()
    asked = [name_of(r.body) for r in openai_server.titles.requests if is_structured(r)]
    assert "running_summary" in asked


def is_structured(request):
    return "response_format" in request.body
