"""Errors of the provider, from the stored reply to the page.

A real HTTP server sends fragments of 1 to 20 characters.
"""

import html
import json
from dataclasses import replace

import pytest
from asgiref.sync import async_to_sync
from django.urls import reverse

from conversations import user_texts
from conversations.models import Conversation, Message
from conversations.reply import runner
from conversations.reply.turn import begin
from meddie.ai import client as ai
from memory.models import CaptureJob, Memory, MemoryEvent
from tests.conversations.receipts import retrieved
from tests.conversations.transcripts import exchange, start_conversation
from tests.conversations.turns import turns_sent
from tests.factories import MembershipFactory
from tests.openai_answers import (
    breaks_off,
    disconnects,
    error_in_stream,
    fails,
    garbles,
    raw,
    says,
    stalls,
)

pytestmark = pytest.mark.django_db(transaction=True)

FACT = "User is allergic to ibuprofen"
BLOCK = "\n\n```json\n" + json.dumps({"memory_saves": [FACT]}) + "\n```"
HALF = BLOCK[:40]
EVENTS = {"Content-Type": "text/event-stream"}
LONG = "An answer that is cut off somewhere in the middle"


@pytest.fixture
def member(db):
    return MembershipFactory()


def ask(member, text="I am allergic to ibuprofen."):
    turn = begin(member.user, member.space_id, text)
    async_to_sync(write)(turn)
    return Message.objects.get(pk=turn.reply_id)


async def write(turn):
    await runner.write_reply(turn)


def page(client, member, reply):
    client.force_login(member.user)
    url = reverse("conversations:show", args=[reply.conversation_id])
    return html.unescape(client.get(url).content.decode())


def stored():
    return sorted(Memory.objects.values_list("content", flat=True))


def answer_of_model(model):
    choice = {"delta": {"content": "Noted." + BLOCK}, "finish_reason": "stop"}
    event = json.dumps({"model": model, "choices": [choice]}).encode()
    return raw(b"data: " + event + b"\n\n", headers=EVENTS)


# name: what the provider does, status, sentence, visible text, facts stored
TABLE = {
    "a block at the end": ([says("Noted." + BLOCK)], "done", "", "Noted.", [FACT]),
    "a block in the middle": (
        [says(f"Noted.{BLOCK}\n\nTake care.")],
        "done",
        "",
        "Noted.\n\nTake care.",
        [FACT],
    ),
    "no block": ([says("Noted.")], "done", "", "Noted.", []),
    "broken JSON in the block": (
        [says(f'Noted.\n\n```json\n{{"memory_saves": ["{FACT}", "cut')],
        "done",
        "",
        "Noted.",
        [FACT],
    ),
    "only a block": ([says(BLOCK)], "done", "", "", [FACT]),
    "401": ([fails(401)], "failed", "wrong_key", "", []),
    "429 with Retry-After, then an answer": (
        [fails(429, retry_after=0.1), says("Noted." + BLOCK)],
        "done",
        "",
        "Noted.",
        [FACT],
    ),
    "429 for ever": (
        [fails(429, retry_after=0.1)] * 9,
        "failed",
        "rate_limited",
        "",
        [],
    ),
    "429 for too long": (
        [fails(429, retry_after=600)],
        "failed",
        "rate_limited",
        "",
        [],
    ),
    "500, then an answer": ([fails(500), says("Noted.")], "done", "", "Noted.", []),
    "500 for ever": ([fails(500)] * 9, "failed", "provider_down", "", []),
    "400": ([fails(400)], "failed", "refused", "", []),
    "a disconnect in mid-stream": (
        [disconnects(LONG)],
        "failed",
        "broken_off",
        LONG,
        [],
    ),
    "a disconnect inside the block": (
        [disconnects("Noted." + HALF)],
        "failed",
        "broken_off",
        "Noted.",
        [],
    ),
    "a disconnect behind a whole block": (
        [disconnects(f"Noted.{BLOCK}\n\nTake")],
        "failed",
        "broken_off",
        "Noted.\n\nTake",
        [FACT],
    ),
    "an end without a finish": ([breaks_off(LONG)], "failed", "broken_off", LONG, []),
    "malformed JSON in mid-stream": ([garbles(LONG)], "failed", "garbled", LONG, []),
    "malformed JSON at once": ([raw(b"{nope")] * 9, "failed", "garbled", "", []),
    "length": ([says(LONG, finish="length")], "failed", "cut_off", LONG, []),
    "length inside the block": (
        [says("Noted." + HALF, finish="length")],
        "failed",
        "cut_off",
        "Noted.",
        [],
    ),
    "length after a whole block": (
        [says(f"Noted.{BLOCK}\n\nTake", finish="length")],
        "failed",
        "cut_off",
        "Noted.\n\nTake",
        [FACT],
    ),
    "length before a word": ([says("", finish="length")], "failed", "cut_off", "", []),
    "a filter in mid-answer": (
        [says(LONG, finish="content_filter")],
        "failed",
        "filtered",
        LONG,
        [],
    ),
    "a filter at once": (
        [says("", finish="content_filter")],
        "failed",
        "filtered",
        "",
        [],
    ),
    "no quota left": (
        [fails(429, error_code="insufficient_quota")],
        "failed",
        "no_quota",
        "",
        [],
    ),
    "a token of 300,000 characters": (
        [says("", pieces=("x" * 300_000,))],
        "failed",
        "cut_off",
        "x" * 200_000,
        [],
    ),
    "a token of 10 MB": (
        [says("", pieces=("x" * 10_000_000,))],
        "failed",
        "cut_off",
        "",
        [],
    ),
    "a model that is a number": (
        [answer_of_model(5), answer_of_model({"id": "x" * 999})],
        "done",
        "",
        "Noted.",
        [FACT],
    ),
    "an error as an event": (
        [error_in_stream(LONG)],
        "failed",
        "broken_off",
        LONG,
        [],
    ),
}


@pytest.mark.req("S0-04", "S0-44", "S0-45", "S0-55", "B-01", "B-07", "B-11")
@pytest.mark.parametrize("case", TABLE)
def test_reply_has_the_expected_status_text_and_facts(
    case, member, client, openai_server
):
    assert_reply_has(TABLE[case], member, client, openai_server)


@pytest.mark.slow
@pytest.mark.req("S0-44", "B-11")
@pytest.mark.parametrize("text", ["", LONG], ids=["at once", "in mid-stream"])
def test_stalled_reply_fails_and_keeps_its_text(
    text, member, client, openai_server, impatience
):
    case = ([stalls(text)], "failed", "timed_out", text, [])
    assert_reply_has(case, member, client, openai_server)


@pytest.mark.parametrize("text", ["", LONG], ids=["at once", "in mid-stream"])
def test_endless_thinking_fails_the_reply_and_keeps_its_text(
    text, member, client, openai_server, monkeypatch
):
    monkeypatch.setattr(ai, "LIMITS", replace(ai.LIMITS, thinking=0.3))
    answer = says(text, endless={}, pace=0.001)
    case = ([answer] * 3, "failed", "timed_out", text, [])
    assert_reply_has(case, member, client, openai_server)


@pytest.mark.parametrize(
    ("locale", "code", "sentence"),
    [
        ("en", "cut_off", "grew too long, so its end is missing"),
        ("pl", "cut_off", "za długa, więc brakuje jej końca"),
        ("en", "filtered", "A content filter of the model provider ended"),
        ("pl", "filtered", "Filtr treści dostawcy modelu zakończył"),
        ("en", "no_quota", "has no credit left"),
        ("pl", "no_quota", "wyczerpało środki"),
    ],
)
def test_each_failure_has_a_sentence_of_its_own(locale, code, sentence, member, client):
    member.user.locale = locale
    member.user.save()
    conversation = start_conversation(member.user, member.space)
    reply = exchange(conversation, "Hello", "Half a", "failed")
    Message.objects.filter(pk=reply.pk).update(error=code)
    assert sentence in page(client, member, reply)


def assert_reply_has(case, member, client, openai_server):
    answers, status, code, text, facts = case
    openai_server.chat.queue(*answers)
    reply = ask(member)
    assert (reply.status, reply.error, reply.content) == (status, code, text)
    assert stored() == facts
    shown = page(client, member, reply)
    assert "memory_saves" not in shown
    assert "I am allergic to ibuprofen." in shown
    if code:
        assert str(user_texts.FAILED[code]) in shown
    for sentence in set(map(str, user_texts.FAILED.values())) - {
        str(user_texts.FAILED.get(code))
    }:
        assert sentence not in shown


@pytest.mark.req("S0-53")
def test_an_over_long_query_is_cut_and_not_retried(member, openai_server):
    openai_server.max_input_tokens = 3000
    openai_server.chat.queue(says("That is a lot."))
    reply = ask(member, "word " * 3900)
    assert (reply.status, reply.content) == ("done", "That is a lot.")
    assert len(openai_server.embeddings.requests) <= 1


@pytest.mark.req("S0-54", "S0-53", "B-43")
def test_an_embedding_outage_leaves_the_chat_and_keeps_the_facts(member, openai_server):
    openai_server.embeddings.default = lambda _body: fails(500)
    openai_server.chat.queue(says("Noted." + BLOCK))
    reply = ask(member)
    assert (reply.status, reply.content) == ("done", "Noted.")
    assert stored() == []
    job = CaptureJob.objects.get()
    assert job.state == "waiting"
    assert FACT in json.dumps(job.payload)


def test_an_unreadable_block_is_an_event_for_staff(member, openai_server):
    openai_server.chat.queue(says('Noted. {"memory_saves": [12 "a"}'))
    ask(member)
    event = MemoryEvent.objects.get(kind="memory_block_error")
    assert "memory_saves" in event.texts["raw"]


def test_a_failed_reply_can_be_tried_again(member, client, openai_server):
    openai_server.chat.queue(fails(401))
    failed = ask(member)
    assert "Try again" in page(client, member, failed)
    assert Conversation.objects.get().messages.filter(role="user").count() == 1


def test_tokens_and_model_are_kept(member, openai_server):
    openai_server.chat.queue(says("Noted in full."))
    reply = ask(member)
    assert reply.model == "test-chat"
    assert reply.tokens_out == 3
    assert reply.tokens_in > 100


def test_sent_prompt_has_person_and_facts(member, openai_server):
    openai_server.chat.queue(says("Noted." + BLOCK), says("Paracetamol."))
    ask(member)
    ask(member, "Am I allergic to ibuprofen?")
    first, second = (r.body["messages"] for r in openai_server.chat.requests)
    assert FACT not in first[0]["content"]
    assert f"- {FACT}" in second[0]["content"]
    assert second[-1]["role"] == "user"
    assert turns_sent(openai_server) == ["Am I allergic to ibuprofen?"]
    reply = Message.objects.get(content="Paracetamol.")
    [row] = retrieved("memory", message=reply)
    assert row.injected
    assert Memory.objects.get(pk=row.key).content == FACT
