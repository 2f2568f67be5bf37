"""Providers that fail, stall, or answer without end."""

import asyncio
import gzip
import json
import time
from dataclasses import replace

import pytest

from meddie.ai import client
from meddie.ai.client import ProviderLimits
from meddie.ai.events import Usage
from meddie.backoff import Patience
from tests.meddie.ai.talk import EVENTS, chunk, listen
from tests.openai_answers import (
    Answer,
    breaks_off,
    disconnects,
    error_in_stream,
    fails,
    garbles,
    raw,
    says,
    speaks_otherwise,
    stalls,
)
from tests.openai_server import OpenAIServer
from tests.waiting import PATIENCE


async def test_an_endless_run_of_other_fields_is_ended(openai_server, monkeypatch):
    monkeypatch.setattr(client, "LIMITS", ProviderLimits(reply_characters=5))
    openai_server.chat.queue(says("", deltas=({"thought": "x"},) * 9))

    assert (await listen()).outcome == "cut_off"


@pytest.mark.parametrize(
    ("planned", "outcome", "text", "requests"),
    [
        pytest.param([fails(401)], "wrong_key", "", 1, id="401"),
        pytest.param([fails(403)], "wrong_key", "", 1, id="403"),
        pytest.param([fails(400)], "refused", "", 1, id="400"),
        pytest.param([fails(404)], "refused", "", 1, id="404"),
        pytest.param([fails(422)], "refused", "", 1, id="422"),
        pytest.param([fails(500)] * 3, "provider_down", "", 3, id="500 always"),
        pytest.param([fails(500), says("Hi")], "done", "Hi", 2, id="500 once"),
        pytest.param([fails(408), says("Hi")], "done", "Hi", 2, id="408 once"),
        pytest.param(
            [fails(429, retry_after=0.1), says("Hi")], "done", "Hi", 2, id="429 once"
        ),
        pytest.param(
            [fails(429, retry_after=60)], "rate_limited", "", 1, id="429 long"
        ),
        pytest.param(
            [fails(429, error_code="insufficient_quota")],
            "no_quota",
            "",
            1,
            id="no quota left",
        ),
        pytest.param([fails(402)], "no_quota", "", 1, id="402"),
        pytest.param([disconnects()] * 3, "provider_down", "", 3, id="hangs up"),
        pytest.param([speaks_otherwise()] * 3, "provider_down", "", 3, id="not HTTP"),
        pytest.param([disconnects(), says("Hi")], "done", "Hi", 2, id="hangs up once"),
        pytest.param([disconnects("Let")], "broken_off", "Let", 1, id="disconnect"),
        pytest.param([breaks_off("Let me")], "broken_off", "Let me", 1, id="no finish"),
        pytest.param([garbles("Let me")], "garbled", "Let me", 1, id="no JSON"),
        pytest.param([garbles()] * 3, "garbled", "", 3, id="no JSON at once"),
        pytest.param(
            [error_in_stream("Let")], "broken_off", "Let", 1, id="error event"
        ),
        pytest.param(
            [error_in_stream()] * 3, "provider_down", "", 3, id="error event at once"
        ),
        pytest.param([raw(b"<html>")] * 3, "garbled", "", 3, id="a web page"),
        pytest.param([raw(b"")] * 3, "garbled", "", 3, id="nothing"),
        pytest.param([says("")] * 3, "garbled", "", 3, id="no text"),
        pytest.param(
            [says("", finish="content_filter")], "filtered", "", 1, id="filtered"
        ),
        pytest.param(
            [says("", finish="length")], "cut_off", "", 1, id="length at once"
        ),
        pytest.param([says("Cut", finish="length")], "done", "Cut", 1, id="length"),
    ],
)
async def test_each_behaviour_of_the_provider_has_one_outcome(
    openai_server: OpenAIServer,
    planned: list[Answer],
    outcome: str,
    text: str,
    requests: int,
):
    openai_server.chat.queue(*planned)

    heard = await listen()

    assert (heard.outcome, heard.text) == (outcome, text)
    assert len(openai_server.chat.requests) == requests
    assert (heard.usage is not None) == (outcome == "done")


@pytest.mark.parametrize(
    "line",
    [
        b'"text"',
        b"[1]",
        b"null",
        b'{"choices": 5}',
        b'{"choices": [{"delta": {"content": 5}}]}',
        b"\xff\xfe",
        b'{"object": "chat.completion.chunk"}',
    ],
)
async def test_a_line_of_another_protocol_is_garbled(openai_server, line):
    body = b"data: " + line + b"\n\n"
    openai_server.chat.queue(*[raw(body, headers=EVENTS)] * 3)

    assert (await listen()).outcome == "garbled"


async def test_the_retry_waits_for_retry_after(openai_server):
    openai_server.chat.queue(fails(429, retry_after=0.15), says("Hi"))

    began = time.monotonic()
    await listen()

    assert time.monotonic() - began >= 0.15


async def test_the_error_has_the_retry_after_of_the_provider(openai_server):
    openai_server.chat.queue(fails(429, retry_after=60))

    heard = await listen()

    assert heard.error
    assert heard.error.retry_after == 60
    assert not heard.error.permanent


@pytest.mark.slow
@pytest.mark.parametrize("text", ["", "Let me see"])
async def test_stall_ends_the_reply(openai_server, impatience, text):
    openai_server.chat.queue(stalls(text))

    heard = await listen()

    assert (heard.outcome, heard.text) == ("timed_out", text)
    assert len(openai_server.chat.requests) == 1


async def test_stall_after_the_last_word_costs_only_the_token_count(
    openai_server, impatience
):
    await assert_only_the_count_is_lost(openai_server, "stall")


@pytest.mark.parametrize("then", ["disconnect", "garble", "error"])
async def test_failure_after_the_last_word_costs_only_the_token_count(
    openai_server, then
):
    await assert_only_the_count_is_lost(openai_server, then)


async def assert_only_the_count_is_lost(openai_server, then):
    openai_server.chat.queue(says("Hi", finish="stop", after_finish=then))

    heard = await listen()

    assert heard.outcome == "done"
    assert heard.usage == Usage(5, 1, "test-chat")


async def test_a_closed_port_is_the_provider_down(openai_server, settings):
    settings.OPENAI_BASE_URL = "http://127.0.0.1:9/v1"

    assert (await listen()).outcome == "provider_down"


@pytest.mark.parametrize("url", ["localhost:8900/v1", "http://a:b/v1", "http://"])
async def test_an_invalid_url_is_refused(openai_server, settings, url):
    settings.OPENAI_BASE_URL = url

    assert (await listen()).outcome == "refused"


async def test_a_key_that_cannot_be_sent_is_a_wrong_key(openai_server, settings):
    settings.OPENAI_API_KEY = "klucz-ąę"

    assert (await listen()).outcome == "wrong_key"


async def test_an_endless_answer_is_ended(openai_server, monkeypatch):
    monkeypatch.setattr(client, "LIMITS", ProviderLimits(reply_characters=20_000))
    openai_server.chat.queue(says("x" * 30_000, pieces=("x" * 7_000,) * 6))

    heard = await listen()

    assert heard.text == "x" * 20_000
    assert heard.usage
    assert heard.usage.finish_reason == "length"


def test_retries_end_after_the_time_limit(openai_server, monkeypatch):
    monkeypatch.setattr(client, "CHAT_PATIENCE", Patience(9, 0, backoff=0.01))
    openai_server.chat.queue(*[fails(500)] * 9)

    assert asyncio.run(listen()).outcome == "provider_down"
    assert openai_server.chat.unused == 8


@pytest.mark.parametrize(
    "line",
    [b"[" * 5000, b'{"choices": ' + b"[" * 5000 + b"]" * 5000 + b"}", b"9" * 5000],
    ids=["open lists", "nested lists", "a long number"],
)
async def test_line_that_the_parser_refuses_is_garbled(openai_server, line):
    body = b"data: " + line + b"\n\n"
    openai_server.chat.queue(*[raw(body, headers=EVENTS)] * 3)

    assert (await listen()).outcome == "garbled"


async def test_compressed_answer_is_not_asked_for_and_garbled(openai_server):
    body = gzip.compress(chunk(padding="x" * 10_000_000))
    answer = raw(body, headers=EVENTS | {"Content-Encoding": "gzip"})
    openai_server.chat.queue(*[answer] * 3)

    assert (await listen()).outcome == "garbled"
    assert openai_server.chat.requests[0].headers["accept-encoding"] == "identity"


async def test_error_about_the_quota_may_come_as_an_event(openai_server):
    error = {"message": "No.", "type": "insufficient_quota", "code": None}
    body = b"data: " + json.dumps({"error": error}).encode() + b"\n\n"
    openai_server.chat.queue(raw(body, headers=EVENTS))

    assert (await listen()).outcome == "no_quota"


@pytest.mark.parametrize("delta", [{}, {"reasoning_content": "Hm. "}, {"content": ""}])
@pytest.mark.parametrize("text", ["", "Let me see. "], ids=["at once", "after words"])
async def test_endless_deltas_without_a_word_end_the_reply(
    openai_server, monkeypatch, delta, text
):
    limits = replace(client.LIMITS, thinking=0.3)
    monkeypatch.setattr(client, "LIMITS", limits)
    answer = says(text, pieces=(text,), endless=delta, pace=0.001)
    openai_server.chat.queue(*[answer] * 3)

    heard = await listen()

    assert (heard.outcome, heard.text) == ("timed_out", text)
    assert await asyncio.to_thread(openai_server.hung_up.wait, PATIENCE)


@pytest.mark.parametrize(
    ("size", "kept"), [(200_001, 200_000), (1_100_000, 0)], ids=["long", "huge"]
)
async def test_token_is_cut_to_the_limit_of_a_reply(openai_server, size, kept):
    openai_server.chat.queue(says("", pieces=("x" * size,)))

    heard = await listen()

    reason = heard.usage.finish_reason if heard.usage else heard.outcome
    assert heard.text == "x" * kept
    assert reason == ("length" if kept else "cut_off")


async def test_refusal_is_cut_to_the_limit_of_a_reply(openai_server):
    openai_server.chat.queue(says("", deltas=({"refusal": "x" * 300_000},)))

    heard = await listen()

    assert len(heard.text) == 200_000
