"""100 replies on the web and 100 through the API at once: first words, and health checks."""

import asyncio
import time
from contextlib import suppress
from typing import Any

import httpx2
import openai

from benchmarks import api_streams, streams
from benchmarks.scene import Scene
from benchmarks.sentences import questions
from benchmarks.talking import provider, session
from benchmarks.timing import spread
from tests.stack.web import WebProcess

STREAMS = 100
"""Of each."""
LOOK_EVERY = 0.2


def run(_scene: Scene) -> dict[str, Any]:
    """Milliseconds that Meddie adds to the first words, and those of a health check."""
    secret, key = api_streams.secret(), session()
    with (
        provider(
            latency=streams.LATENCY, pace=streams.PACE, tokens=streams.TOKENS
        ) as at,
        WebProcess(OPENAI_BASE_URL=at) as web,
    ):
        asyncio.run(measure(web, secret, key, 4))  # to warm up
        api, replies, health = asyncio.run(measure(web, secret, key, STREAMS))
    firsts = [reply.first for reply in replies]
    return {
        "streams": 2 * STREAMS,
        "web": spread([1000 * (first - streams.LATENCY) for first in firsts]),
        "api": spread([1000 * (first - streams.LATENCY) for first in api]),
        "health": spread([1000 * taken for taken in health])
        | {"longest": round(1000 * max(health))},
        "ended": sum(reply.ended for reply in replies) + sum(map(bool, api)),
    }


async def measure(
    web: WebProcess, secret: str, key: str, count: int
) -> tuple[list[float], list[streams.Reply], list[float]]:
    """Seconds until the first words through the API, replies of the web, and seconds of
    health checks meanwhile."""
    health: list[float] = []
    looking = asyncio.create_task(_look(web, health))
    async with openai.AsyncOpenAI(
        base_url=f"{web.url}/v1", api_key=secret, max_retries=0
    ) as sdk:
        api, replies = await asyncio.gather(
            asyncio.gather(
                *(
                    api_streams.one(sdk, text, number)
                    for number, text in enumerate(questions(count))
                )
            ),
            streams.talk([web], [key], count),
        )
    looking.cancel()
    with suppress(asyncio.CancelledError):
        await looking
    return api, replies, health


async def _look(web: WebProcess, taken: list[float]) -> None:
    async with httpx2.AsyncClient(timeout=60) as http:
        while True:
            began = time.perf_counter()
            (await http.get(f"{web.url}/healthz")).raise_for_status()
            taken.append(time.perf_counter() - began)
            await asyncio.sleep(LOOK_EVERY)
