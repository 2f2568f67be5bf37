import asyncio
import gzip
import json
import math
import time
from collections import Counter
from contextlib import aclosing
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import settings as checks
from hypothesis import strategies as st

from meddie import measurements
from meddie.ai import chat, chunks, client, offline, responses
from meddie.ai.chat import ChatMessage, ChatRequest, Passthrough, Usage
from meddie.ai.client import ProviderLimits
from meddie.ai.errors import Garbled, Refused, TimedOut, WrongKey
from meddie.backoff import Patience
from tests.meddie.ai.talk import HELLO, listen, listen_to
from tests.openai_server import (
    Answer,
    OpenAIServer,
    breaks_off,
    disconnects,
    error_in_stream,
    fails,
    fragments,
    garbles,
    raw,
    says,
    speaks_otherwise,
    stalls,
)
from tests.waiting import PATIENCE

LONG = "A cup of tea, a slice of cake, and then a walk by the river. " * 3
EVENTS = {"Content-Type": "text/event-stream"}


async def test_streams_the_answer_in_the_pieces_the_provider_sends(openai_server):
    openai_server.chat.queue(says(LONG))

    heard = await listen()

    assert heard.text == LONG
    assert heard.pieces == len(fragments(LONG))
    assert heard.usage == Usage(3, len(LONG.split()), "test-chat")


async def test_sends_the_messages_and_the_model_of_the_settings(openai_server):
    await listen()

    sent = openai_server.chat.requests[0].body
    assert sent["messages"] == HELLO
    assert sent["model"] == "test-chat"
    assert sent["stream_options"] == {"include_usage": True}


TOOLS = [{"type": "function", "function": {"name": "weather", "parameters": {}}}]
CALL = {"index": 0, "id": "1", "function": {"name": "weather", "arguments": "{}"}}
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}


async def test_parts_other_roles_and_unknown_fields_are_sent_untouched(openai_server):
    messages = [
        {"role": "user", "content": [{"type": "text", "text": "What?"}, PICTURE]},
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "1", "content": "Rain"},
    ]
    extra = {"tools": TOOLS, "temperature": 0.3, "stop": ["\n"], "n": 1, "mystery": {}}
    openai_server.chat.queue(says("Umbrella"))

    heard = await listen_to(ChatRequest(messages, model="other", extra=extra))

    sent = openai_server.chat.requests[0].body
    assert sent == extra | {
        "messages": messages,
        "model": "other",
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    assert heard.usage
    assert heard.usage.model == "other"


async def test_tool_calls_pass_as_the_provider_sent_them(openai_server):
    deltas = ({"tool_calls": [CALL], "content": None}, {"tool_calls": []})
    openai_server.chat.queue(says("", deltas=deltas, finish="tool_calls"))

    heard = await listen()

    assert heard.passed == [Passthrough({"tool_calls": [CALL]})]
    assert (heard.text, heard.outcome) == ("", "done")
    assert heard.usage
    assert heard.usage.finish_reason == "tool_calls"


async def test_unknown_fields_pass_beside_the_text(openai_server):
    deltas = ({"reasoning_content": "Hm. "}, {"reasoning_content": ""})
    openai_server.chat.queue(says("Tea.", deltas=deltas, pieces=("Tea.",)))

    heard = await listen()

    assert heard.passed == [Passthrough({"reasoning_content": "Hm. "})]
    assert heard.text == "Tea."


async def test_a_refusal_passes_and_can_be_read_as_text(openai_server):
    openai_server.chat.queue(says("", deltas=({"refusal": "No."},), usage=False))

    heard = await listen()

    assert heard.passed == [Passthrough({"refusal": "No."})]
    assert heard.passed[0].text == "No."
    assert heard.usage == Usage(5, 2, "test-chat")


async def test_other_answers_to_the_same_request_do_not_mix_with_the_first(
    openai_server,
):
    events = (
        b'{"choices": [{"index": 1, "delta": {"content": "B"}, "finish_reason": "x"}]}',
        b'{"choices": [{"index": 0, "delta": {"content": "A"}}]}',
        b'{"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}',
    )
    body = b"".join(b"data: " + event + b"\n\n" for event in events)
    openai_server.chat.queue(raw(body, headers=EVENTS))

    heard = await listen()

    assert heard.text == "A"
    assert heard.passed == [Passthrough({"content": "B"}, choice=1)]
    assert heard.passed[0].text == ""


async def test_an_answer_of_unknown_fields_alone_has_no_text(openai_server):
    openai_server.chat.queue(says("", deltas=({"reasoning_content": "Hm."},)))

    heard = await listen()

    assert heard.outcome == "garbled"
    assert len(openai_server.chat.requests) == 1


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


async def test_a_choice_without_delta_does_no_harm(openai_server):
    first = b'{"choices": [{"index": 0}], "usage": 7}'
    last = b'{"choices": [{"delta": {"content": "No."}, "finish_reason": "stop"}]}'
    body = b"data: " + first + b"\n\ndata: " + last + b"\n\n"
    openai_server.chat.queue(raw(body, headers=EVENTS))

    heard = await listen()

    assert heard.text == "No."
    assert heard.usage == Usage(5, 2, "test-chat")


async def test_the_last_chunk_may_have_usage_alone(openai_server):
    text = b'{"choices": [{"delta": {"content": "Hi"}, "finish_reason": "stop"}]}'
    usage = b'{"usage": {"prompt_tokens": 7, "completion_tokens": 3}}'
    body = b"data: " + text + b"\n\ndata: " + usage + b"\n\n"
    openai_server.chat.queue(raw(body, headers=EVENTS))

    assert (await listen()).usage == Usage(7, 3, "test-chat")


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


async def test_a_server_without_stream_options_is_asked_without(openai_server):
    refusal = b'{"error": {"message": "stream_options: extra fields not permitted"}}'
    openai_server.chat.queue(raw(refusal, status=422), says("Hi"))

    heard = await listen()

    assert heard.text == "Hi"
    assert "stream_options" not in openai_server.chat.requests[-1].body


async def test_an_endless_answer_is_ended(openai_server, monkeypatch):
    monkeypatch.setattr(client, "LIMITS", ProviderLimits(reply_characters=20_000))
    openai_server.chat.queue(says("x" * 30_000, pieces=("x" * 7_000,) * 6))

    heard = await listen()

    assert heard.text == "x" * 20_000
    assert heard.usage
    assert heard.usage.finish_reason == "length"


async def test_closing_the_generator_closes_the_connection(openai_server):
    openai_server.chat.queue(stalls("One two three"))

    async with aclosing(chat.stream(ChatRequest(HELLO))) as events:
        async for _ in events:
            break

    assert await asyncio.to_thread(openai_server.hung_up.wait, PATIENCE)


async def test_cancelling_closes_the_connection(openai_server):
    openai_server.chat.queue(stalls("One"))
    begun = asyncio.Event()

    async def wait_for_more():
        async for _ in chat.stream(ChatRequest(HELLO)):
            begun.set()

    task = asyncio.create_task(wait_for_more())
    await asyncio.wait_for(begun.wait(), PATIENCE)

    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(openai_server.hung_up.wait, PATIENCE)


async def test_twenty_streams_at_once_do_not_mix(openai_server):
    openai_server.chat.default = lambda body: says(body["messages"][-1]["content"] * 9)
    asked: list[list[ChatMessage]] = [
        [{"role": "user", "content": f"<{n}>"}] for n in range(20)
    ]

    heard = await asyncio.gather(*(listen(messages) for messages in asked))

    assert [one.text for one in heard] == [f"<{n}>" * 9 for n in range(20)]


@checks(max_examples=40)
@given(pieces=st.lists(st.text(st.characters(codec="utf-8"), min_size=1), min_size=1))
def test_any_text_in_any_pieces_arrives_complete(openai_server, pieces):
    openai_server.chat.queue(says("".join(pieces), pieces=tuple(pieces)))

    heard = asyncio.run(listen())

    assert heard.text == "".join(pieces)


async def test_a_short_text_comes_from_the_fast_model(openai_server):
    openai_server.titles.queue(says("Tea and cake"))

    assert await chat.complete(HELLO, max_tokens=20) == "Tea and cake"
    sent = openai_server.titles.requests[0].body
    assert (sent["model"], sent["max_tokens"], sent["temperature"]) == (
        "test-fast",
        20,
        0,
    )


async def test_tokens_of_a_short_text_are_counted(openai_server, settings):
    def counted():
        measurements._waiting.join()
        sums = measurements.read_measurements()
        return [sums.get(("tokens", "short", way), 0) for way in ("in", "out")]

    settings.FAST_MODEL = "short"
    before = counted()
    await chat.complete(HELLO, max_tokens=20)
    assert all(now > then for now, then in zip(counted(), before, strict=True))


async def test_reasoning_models_get_more_tokens_and_no_temperature(
    openai_server, settings
):
    settings.FAST_MODEL = settings.CHAT_MODEL = "gpt-5-nano"

    await chat.complete(HELLO, max_tokens=20)
    await listen()

    short, long = openai_server.titles.requests[0], openai_server.chat.requests[0]
    assert short.body["max_completion_tokens"] > 1000
    assert not {"temperature", "max_tokens"} & short.body.keys()
    assert long.body["reasoning_effort"] == "low"


@pytest.mark.parametrize(
    ("planned", "error", "requests"),
    [
        ([fails(401)], WrongKey, 1),
        ([fails(400)], Refused, 1),
        ([raw(b"{}")] * 3, Garbled, 3),
        ([raw(b"no JSON")] * 3, Garbled, 3),
        ([says("  ")] * 3, Garbled, 3),
    ],
)
async def test_a_short_text_fails_like_a_stream(
    openai_server, planned, error, requests
):
    openai_server.titles.queue(*planned)

    with pytest.raises(error):
        await chat.complete(HELLO, max_tokens=20)
    assert len(openai_server.titles.requests) == requests


async def test_short_text_that_stalls_is_not_retried(openai_server, impatience):
    openai_server.titles.queue(stalls())

    with pytest.raises(TimedOut):
        await chat.complete(HELLO, max_tokens=20)
    assert len(openai_server.titles.requests) == 1


async def test_a_short_text_is_retried(openai_server):
    openai_server.titles.queue(fails(503), raw(b"[]"), says("Tea"))

    assert await chat.complete(HELLO, max_tokens=20) == "Tea"


@pytest.mark.req("B-07")
async def test_without_a_key_the_stand_in_answers(monkeypatch):
    monkeypatch.setattr(offline, "PACE", 0)

    heard = await listen()

    assert "Offline stand-in" in heard.text
    assert heard.usage
    assert heard.usage.model == "offline"
    assert await chat.complete(HELLO, max_tokens=9) == "Hello"
    assert chat.model_name() == "offline (no OPENAI_API_KEY)"


def test_the_model_name_names_the_endpoint(openai_server):
    assert chat.model_name() == f"test-chat at {openai_server.base_url}"


def test_retries_end_after_the_time_limit(openai_server, monkeypatch):
    monkeypatch.setattr(client, "CHAT_PATIENCE", Patience(9, 0, backoff=0.01))
    openai_server.chat.queue(*[fails(500)] * 9)

    assert asyncio.run(listen()).outcome == "provider_down"
    assert openai_server.chat.unused == 8


def chunk(**fields):
    choice = {"index": 0, "delta": {"content": "Hi"}, "finish_reason": "stop"}
    return b"data: " + json.dumps({"choices": [choice]} | fields).encode() + b"\n\n"


@pytest.mark.parametrize("model", [5, 0, None, {"id": "x"}, ["x"], True, ""])
async def test_model_that_is_not_text_is_that_of_the_request(openai_server, model):
    openai_server.chat.queue(raw(chunk(model=model), headers=EVENTS))

    heard = await listen()

    assert (heard.outcome, heard.text) == ("done", "Hi")
    assert heard.usage
    assert heard.usage.model == "test-chat"


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


async def test_thinking_deltas_before_the_answer_do_it_no_harm(
    openai_server, monkeypatch
):
    monkeypatch.setattr(client, "LIMITS", replace(client.LIMITS, thinking=PATIENCE))
    openai_server.chat.queue(says("Tea.", deltas=({"thought": "x"}, {}) * 300))

    assert (await listen()).text == "Tea."


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

    assert len(heard.passed[0].text) == 200_000


async def turns_at_each_event():
    """How many turns of the loop others had before each event."""
    turns = 0

    async def count():
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    counter = asyncio.create_task(count())
    async with aclosing(chat.stream(ChatRequest(HELLO))) as events:
        found = [turns async for _ in events]
    counter.cancel()
    return found


async def test_others_run_between_the_slices_of_a_token(openai_server):
    openai_server.chat.queue(says("", pieces=("x" * 150_000,)))

    *turns, _usage = await turns_at_each_event()

    assert len(turns) == math.ceil(150_000 / responses.SLICE)
    assert len(set(turns)) == len(turns)


async def test_others_run_between_chunks_that_have_arrived(openai_server):
    thought = b'data: {"choices": [{"delta": {"thought": "x"}}]}\n\n'
    openai_server.chat.queue(raw(thought * 5000 + chunk(), headers=EVENTS))

    turns = await turns_at_each_event()

    assert max(Counter(turns).values()) <= chunks.OTHERS_RUN_EVERY
