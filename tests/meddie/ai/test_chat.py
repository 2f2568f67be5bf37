import asyncio
import math
from collections import Counter
from contextlib import aclosing
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import settings as checks
from hypothesis import strategies as st

from meddie.ai import answer_stream, client, offline, provider_answers
from meddie.ai.errors import Unsupported
from meddie.ai.events import Basis, ChatMessage, ChatRequest, Usage
from meddie.ai.provider import current_provider
from tests.meddie.ai.talk import EVENTS, HELLO, chunk, listen, listen_to
from tests.openai_answers import fragments, raw, says, stalls
from tests.waiting import PATIENCE

LONG = "A cup of tea, a slice of cake, and then a walk by the river. " * 3


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


async def test_an_answer_may_only_call_tools(openai_server):
    deltas = ({"tool_calls": [CALL], "content": None}, {"tool_calls": []})
    openai_server.chat.queue(says("", deltas=deltas, finish="tool_calls"))

    heard = await listen()

    assert (heard.text, heard.outcome) == ("", "done")
    assert heard.usage
    assert heard.usage.finish_reason == "tool_calls"


async def test_chunks_of_a_relayed_request_pass_as_the_provider_sent_them(
    openai_server,
):
    deltas = ({"tool_calls": [CALL]}, {"reasoning_content": "Hm. "})
    openai_server.chat.queue(says("Tea.", deltas=deltas, pieces=("Tea.",)))
    body = {"messages": HELLO, "model": "other", "stream": True, "mystery": 1}

    heard = await listen_to(ChatRequest.relaying(body, None, Basis()))

    assert openai_server.chat.requests[0].body == body
    sent = [c["delta"] for one in heard.passed for c in one.chunk["choices"]]
    assert [delta for delta in sent if delta in deltas] == list(deltas)
    assert heard.text == "Tea."


async def test_a_refusal_is_text(openai_server):
    openai_server.chat.queue(says("", deltas=({"refusal": "No."},), usage=False))

    heard = await listen()

    assert heard.text == "No."
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

    assert (await listen()).text == "A"


async def test_an_answer_of_unknown_fields_alone_has_no_text(openai_server):
    thinks = says("", deltas=({"reasoning_content": "Hm."},))
    openai_server.chat.queue(thinks, thinks, thinks)

    heard = await listen()

    assert heard.outcome == "garbled"
    assert len(openai_server.chat.requests) == 3


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


async def test_a_server_without_stream_options_is_asked_without(openai_server):
    refusal = b'{"error": {"message": "stream_options: extra fields not permitted"}}'
    openai_server.chat.queue(raw(refusal, status=422), says("Hi"))

    heard = await listen()

    assert heard.text == "Hi"
    assert "stream_options" not in openai_server.chat.requests[-1].body


async def test_closing_the_generator_closes_the_connection(openai_server):
    openai_server.chat.queue(stalls("One two three"))

    async with aclosing(current_provider().stream(ChatRequest(HELLO))) as events:
        async for _ in events:
            break

    assert await asyncio.to_thread(openai_server.hung_up.wait, PATIENCE)


async def test_cancelling_closes_the_connection(openai_server):
    openai_server.chat.queue(stalls("One"))
    begun = asyncio.Event()

    async def wait_for_more():
        async for _ in current_provider().stream(ChatRequest(HELLO)):
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


@pytest.mark.req("B-07")
async def test_without_a_key_the_stand_in_answers(monkeypatch):
    monkeypatch.setattr(offline, "PACE", 0)

    heard = await listen()

    assert "Offline stand-in" in heard.text
    assert "I don't know that yet." in heard.text
    assert heard.usage
    assert heard.usage.model == "offline"
    with pytest.raises(Unsupported):
        await current_provider().complete(HELLO, name="title", max_tokens=9)
    assert current_provider().name == "offline (no OPENAI_API_KEY)"


def test_the_model_name_names_the_endpoint(openai_server):
    assert current_provider().name == f"test-chat at {openai_server.base_url}"


@pytest.mark.parametrize("model", [5, 0, None, {"id": "x"}, ["x"], True, ""])
async def test_model_that_is_not_text_is_that_of_the_request(openai_server, model):
    openai_server.chat.queue(raw(chunk(model=model), headers=EVENTS))

    heard = await listen()

    assert (heard.outcome, heard.text) == ("done", "Hi")
    assert heard.usage
    assert heard.usage.model == "test-chat"


async def test_thinking_deltas_before_the_answer_do_it_no_harm(
    openai_server, monkeypatch
):
    monkeypatch.setattr(client, "LIMITS", replace(client.LIMITS, thinking=PATIENCE))
    openai_server.chat.queue(says("Tea.", deltas=({"thought": "x"}, {}) * 300))

    assert (await listen()).text == "Tea."


async def turns_at_each_event():
    """How many turns of the loop others had before each event."""
    turns = 0

    async def count():
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    counter = asyncio.create_task(count())
    async with aclosing(current_provider().stream(ChatRequest(HELLO))) as events:
        found = [turns async for _ in events]
    counter.cancel()
    return found


async def test_others_run_between_the_slices_of_a_token(openai_server):
    openai_server.chat.queue(says("", pieces=("x" * 150_000,)))

    *turns, _usage = await turns_at_each_event()

    assert len(turns) == math.ceil(150_000 / provider_answers.SLICE)
    assert len(set(turns)) == len(turns)


async def test_others_run_between_chunks_that_have_arrived(openai_server):
    thought = b'data: {"choices": [{"delta": {"thought": "x"}}]}\n\n'
    openai_server.chat.queue(raw(thought * 5000 + chunk(), headers=EVENTS))

    turns = await turns_at_each_event()

    assert max(Counter(turns).values()) <= answer_stream.OTHERS_RUN_EVERY
