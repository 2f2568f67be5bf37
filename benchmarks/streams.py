"""Many replies at once: how long their first words wait, and whether one stalls.

A provider in a process of its own streams 20 words a second into each. The added time is
that from sending the message to its first words on the stream, less the provider's own
latency. Memory is that of the web process with so many replies that wait for their first
word, over that without, for each.
"""

import asyncio
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import httpx2
import psutil

from benchmarks.scene import Scene
from benchmarks.sentences import questions
from benchmarks.talking import events, provider, session
from benchmarks.timing import spread
from tests.stack.web import WebProcess, say

LATENCY = 0.3
PACE = 0.05
TOKENS = 400
OVER = 10.0
"""Seconds over which the messages are sent."""
STALL = 2.0
"""Seconds without news that count as a stall."""
IDLE = 100
IDLE_LATENCY = 20.0


@dataclass(slots=True)
class Reply:
    """Seconds until the first words, the longest silence after, and how it ended."""

    first: float
    silence: float
    ended: bool


def run(_scene: Scene) -> dict[str, Any]:
    """100 streams on one web process, 200 on two, and the memory of one."""
    return {
        "pace": 1 / PACE,
        "words": TOKENS,
        "over": OVER,
        "one": load(processes=1, count=100),
        "two": load(processes=2, count=200),
        "memory": memory(),
    }


def load(processes: int, count: int) -> dict[str, Any]:
    """Streams at once, spread over the processes."""
    with ExitStack() as stack:
        url = stack.enter_context(provider(latency=LATENCY, pace=PACE, tokens=TOKENS))
        webs = [stack.enter_context(_web(url)) for _ in range(processes)]
        keys = [session() for _ in range(processes)]
        asyncio.run(talk(webs, keys, 2 * processes))
        replies = asyncio.run(talk(webs, keys, count))
    added = [1000 * (reply.first - LATENCY) for reply in replies]
    return {
        "streams": count,
        "added": spread(added),
        "longest silence": round(1000 * max(reply.silence for reply in replies)),
        "stalled": sum(r.silence > STALL or not r.ended for r in replies),
    }


def _web(url: str) -> WebProcess:
    return WebProcess(OPENAI_BASE_URL=url)


async def talk(
    webs: Sequence[WebProcess], keys: Sequence[str], count: int
) -> list[Reply]:
    """The replies to so many messages, begun over OVER seconds."""
    clients = [web.client(key) for web, key in zip(webs, keys, strict=True)]
    for client in clients:
        await client.get("/chat/new")

    asked = questions(count)

    async def one(number: int) -> Reply:
        await asyncio.sleep(OVER * number / count)
        which = number % len(webs)
        return await _reply(webs[which], clients[which], keys[which], asked[number])

    try:
        return await asyncio.gather(*(one(number) for number in range(count)))
    finally:
        for client in clients:
            await client.aclose()


async def _reply(
    web: WebProcess, client: httpx2.AsyncClient, key: str, question: str
) -> Reply:
    began = time.perf_counter()
    path = await say(client, question)
    reply = Reply(0.0, 0.0, ended=False)
    async with events(web.url, path, key) as stream:
        async for event in stream:
            now = time.perf_counter()
            if not reply.first and (event.get("tail") or event.get("blocks")):
                reply.first = last = now - began
            if reply.first:
                reply.silence = max(reply.silence, now - began - last)
                last = now - began
            reply.ended = event["event"] == "end"
    return reply


def memory() -> dict[str, Any]:
    """Kilobytes that one waiting reply takes."""
    with provider(latency=IDLE_LATENCY) as url, _web(url) as web:
        key = session()
        process = psutil.Process(web.process.pid)
        before, after = asyncio.run(_idle(web, key, process))
    return {
        "streams": IDLE,
        "before": round(before / 2**20, 1),
        "after": round(after / 2**20, 1),
        "each": round((after - before) / IDLE / 2**10, 1),
    }


async def _idle(web: WebProcess, key: str, process: psutil.Process) -> tuple[int, int]:
    async with web.client(key) as client:
        paths = [await say(client, "Hello, are you there?") for _ in range(2)]
        await asyncio.sleep(IDLE_LATENCY + 1)
        before = process.memory_info().rss
        paths = [await say(client, "And now?") for _ in range(IDLE)]
        waiting = [asyncio.create_task(_wait(web, path, key)) for path in paths]
        await asyncio.sleep(IDLE_LATENCY / 4)
        after = process.memory_info().rss
        for task in waiting:
            task.cancel()
    return before, after


async def _wait(web: WebProcess, path: str, key: str) -> None:
    async with events(web.url, path, key) as stream:
        async for _event in stream:
            return
