"""What Meddie adds to the time until the first words of an answer, with one reader.

Each round asks the provider twice, in turns: once directly through the openai SDK, once
through Meddie (POST of the message in a real web process, then its event stream), and
takes the difference. No question comes twice, so Meddie embeds each.
"""

import asyncio
import random
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

import httpx2
import openai

from benchmarks.scene import Scene
from benchmarks.sentences import questions
from benchmarks.talking import events, provider, session
from benchmarks.timing import spread
from tests.openai_server import KEY
from tests.stack.web import WebProcess, say

LATENCY = 0.05
ROUNDS = 100
WARM_UP = 5
PAUSE = 0.15
"""Seconds in which what follows a reply comes to its end."""


def run(_scene: Scene) -> dict[str, Any]:
    """Milliseconds of both ways and of their difference."""
    with (
        provider(latency=LATENCY) as url,
        WebProcess(OPENAI_BASE_URL=url) as web,
    ):
        taken = asyncio.run(measure(web, session(), url))
    ways = {
        "directly": [r[0] for r in taken],
        "through Meddie": [r[1] for r in taken],
        "added": [r[1] - r[0] for r in taken],
    }
    times = {name: spread([1000 * t for t in ts]) for name, ts in ways.items()}
    return {"rounds": ROUNDS, "latency": 1000 * LATENCY, "times": times}


async def measure(web: WebProcess, key: str, url: str) -> list[list[float]]:
    """Seconds until the first words: [directly, through Meddie], for each round."""
    async with (
        openai.AsyncOpenAI(api_key=KEY, base_url=url) as sdk,
        web.client(key) as client,
    ):
        page = await client.get("/chat/new")
        [space] = re.findall(r'name="space" value="(.+?)"', page.text)
        through = partial(through_meddie, web, client, key, space)
        ways = [partial(directly, sdk), through]
        asked = questions(ROUNDS + WARM_UP)
        taken = [await one_round(ways, question) for question in asked]
        return taken[WARM_UP:]


async def one_round(
    ways: Sequence[Callable[[str], Awaitable[None]]], question: str
) -> list[float]:
    taken = [0.0] * len(ways)
    for number in random.sample(range(len(ways)), len(ways)):
        began = time.perf_counter()
        await ways[number](question)
        taken[number] = time.perf_counter() - began
        await asyncio.sleep(PAUSE)
    return taken


async def directly(sdk: openai.AsyncOpenAI, question: str) -> None:
    stream = await sdk.chat.completions.create(
        model="m", messages=[{"role": "user", "content": question}], stream=True
    )
    async with stream:
        async for chunk in stream:
            if chunk.choices and chunk.choices[0].delta.content:
                return


async def through_meddie(
    web: WebProcess, client: httpx2.AsyncClient, key: str, space: str, question: str
) -> None:
    path = await say(client, question, space=space)
    async with events(web.url, path, key) as stream:
        async for event in stream:
            if event.get("tail") or event.get("blocks"):
                return
