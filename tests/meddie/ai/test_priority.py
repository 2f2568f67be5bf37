"""Background calls give way to replies at a server of one's own."""

import asyncio
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from meddie.ai import client, priority
from meddie.ai.client import Endpoint
from meddie.ai.errors import GaveWay
from meddie.ai.events import ChatRequest, Events
from meddie.ai.priority import background_calls
from meddie.ai.provider import current_provider
from tests.meddie.ai.talk import HELLO, listen
from tests.openai_answers import says, stalls
from tests.waiting import PATIENCE, eventually

HELD = says("Hello there", pieces=("Hello", " there"), hold=1)


async def title() -> str:
    return await current_provider().complete(HELLO, name="title", max_tokens=9)


@asynccontextmanager
async def reply_that_is_held(server) -> AsyncGenerator[Events]:
    server.chat.queue(HELD)
    events = current_provider().stream(ChatRequest(HELLO))
    await anext(events)
    try:
        yield events
    finally:
        await events.aclose()


def names() -> list[str]:
    return [name for name, _ in background_calls()]


@pytest.mark.parametrize("slots", [1, 4])
async def test_background_call_waits_for_the_end_of_a_reply(
    openai_server, settings, slots
):
    settings.MODEL_SLOTS = slots
    replies = []
    openai_server.titles.default = lambda _body: says(f"After {len(replies)}")

    async with reply_that_is_held(openai_server) as events:
        waiting = asyncio.create_task(title())
        await eventually(lambda: names() == ["title"])
        openai_server.released.set()
        replies.append([event async for event in events])

    assert await waiting == "After 1"
    assert names() == []


async def test_background_call_ends_for_a_reply_where_the_server_has_one_slot(
    openai_server, settings
):
    settings.MODEL_SLOTS = 1
    openai_server.titles.queue(stalls())
    running = asyncio.create_task(title())
    await eventually(lambda: openai_server.titles.requests)

    async with reply_that_is_held(openai_server):
        with pytest.raises(GaveWay):
            await running
        await eventually(openai_server.hung_up.is_set)
    assert names() == []


async def test_background_call_goes_on_where_the_server_has_another_slot(
    openai_server, settings
):
    settings.MODEL_SLOTS = 2
    over = threading.Event()
    openai_server.titles.default = lambda _body: says(f"{over.wait(60)}")
    running = asyncio.create_task(title())
    await eventually(lambda: openai_server.titles.requests)

    assert (await listen()).outcome == "done"
    over.set()

    assert await running == "True"


@pytest.mark.parametrize(("slots", "most"), [(1, 1), (2, 1), (3, 2)])
async def test_background_calls_leave_a_slot_to_replies(
    openai_server, settings, slots, most
):
    settings.MODEL_SLOTS = slots
    at_once: list[int] = []
    running, lock, enough = [0], threading.Lock(), threading.Event()

    def answer(_body):
        with lock:
            running[0] += 1
            at_once.append(running[0])
            if len(at_once) == most:
                enough.set()
        enough.wait(60)
        threading.Event().wait(2 * priority.LOOK_EVERY)  # more would come meanwhile
        with lock:
            running[0] -= 1
        return says("A title")

    openai_server.titles.default = answer

    await asyncio.gather(*(title() for _ in range(3)))

    assert max(at_once) == most


async def test_no_call_waits_at_a_cloud(openai_server):
    async with reply_that_is_held(openai_server):
        assert await title() == "A title"


async def test_call_that_waits_for_long_is_made_later(
    openai_server, settings, monkeypatch
):
    settings.MODEL_SLOTS = 2
    monkeypatch.setattr(priority, "LONGEST_WAIT", 0.1)

    async with reply_that_is_held(openai_server):
        with pytest.raises(GaveWay):
            await title()
    assert openai_server.titles.requests == []


async def test_reply_of_a_killed_process_is_forgotten(
    openai_server, settings, monkeypatch
):
    settings.MODEL_SLOTS = 1
    monkeypatch.setattr(priority, "VALID", 0.5)
    monkeypatch.setattr(priority, "RENEW_EVERY", 60)

    async with priority.replying(Endpoint.for_chat()):
        assert await title() == "A title"


@pytest.mark.slow
async def test_reply_counts_for_as_long_as_it_is_written(
    openai_server, settings, monkeypatch
):
    settings.MODEL_SLOTS = 1
    monkeypatch.setattr(priority, "VALID", 3)
    monkeypatch.setattr(priority, "RENEW_EVERY", 0.05)
    monkeypatch.setattr(priority, "LONGEST_WAIT", 4)

    async with priority.replying(Endpoint.for_chat()):
        with pytest.raises(GaveWay):
            await title()


async def test_no_call_waits_without_redis(openai_server, settings):
    settings.MODEL_SLOTS, settings.REDIS_URL = 1, "redis://127.0.0.1:1/0"

    async with reply_that_is_held(openai_server):
        assert await title() == "A title"
    assert background_calls() == []


async def test_slow_server_of_ones_own_meets_no_time_limit(
    openai_server, settings, impatience
):
    settings.MODEL_SLOTS = 1
    slow = client.LIMITS.complete + 0.3
    openai_server.titles.queue(says("Tea and cake", latency=slow))

    assert await title() == "Tea and cake"


async def test_first_word_of_a_slow_server_is_waited_for(
    openai_server, settings, impatience, monkeypatch
):
    settings.MODEL_SLOTS = 1
    limits = replace(client.LIMITS, first_token=0.1, thinking=PATIENCE)
    monkeypatch.setattr(client, "LIMITS", limits)
    openai_server.chat.queue(says("Hello", latency=0.4))

    assert (await listen()).text == "Hello"
