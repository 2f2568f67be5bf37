"""What the API adds to the time until the first words, with 100 streams at once.

The openai SDK asks a provider in a process of its own, in turns directly and through
Meddie's endpoint. The streams of a turn begin over some seconds and last until the turn
ends. No question comes twice, so Meddie embeds each.
"""

import asyncio
import time
from contextlib import AsyncExitStack
from typing import Any

import openai
from django.utils import timezone

from benchmarks.scene import Scene
from benchmarks.sentences import facts, questions
from benchmarks.talking import FACTS, provider
from benchmarks.timing import spread
from memory.facts.imports import import_facts
from memory.values import Candidate, ImportedFact
from people import api_keys
from people.models import ApiKey, Membership, Space, User
from people.scope import scope_for
from tests.openai_server import KEY
from tests.stack.web import WebProcess

LATENCY = 0.3
PACE = 0.1
TOKENS = 100
STREAMS = 100
OVER = 8.0
"""Seconds over which the streams begin."""
TURNS = 3


def run(_scene: Scene) -> dict[str, Any]:
    """Milliseconds until the first words, of both ways; added: their medians' difference."""
    key = secret()
    with (
        provider(latency=LATENCY, pace=PACE, tokens=TOKENS) as url,
        WebProcess(OPENAI_BASE_URL=url) as web,
    ):
        ways = {"directly": (url, KEY), "through Meddie": (f"{web.url}/v1", key)}
        taken = asyncio.run(measure(ways))
    times = {name: spread([1000 * t for t in ts]) for name, ts in taken.items()}
    direct, through = (times[name]["p50"] for name in ways)
    return {
        "streams": STREAMS,
        "latency": 1000 * LATENCY,
        "times": times,
        "added p50": round(through - direct, 3),
    }


def secret() -> str:
    """The key of a user about whom Meddie knows some facts."""
    user = User.objects.create_user(f"{time.time_ns()}@benchmark.invalid")
    space = Space.objects.create(name="Benchmark")
    Membership.objects.create(user=user, space=space)
    scope = scope_for(user, space.pk, channel="api")
    known = [ImportedFact(Candidate(text), timezone.now()) for text in facts(FACTS)]
    list(import_facts(scope, known))
    key, shown = api_keys.create(space, user)
    ApiKey.objects.filter(pk=key.pk).update(calls_per_minute=1_000_000)
    return shown


async def measure(ways: dict[str, tuple[str, str]]) -> dict[str, list[float]]:
    """Seconds until the first words of each stream, after a turn to warm up."""
    taken: dict[str, list[float]] = {name: [] for name in ways}
    asked = iter(questions((TURNS + 1) * len(ways) * STREAMS))
    async with AsyncExitStack() as stack:
        sdks = {
            name: await stack.enter_async_context(
                openai.AsyncOpenAI(base_url=url, api_key=key, max_retries=0)
            )
            for name, (url, key) in ways.items()
        }
        for turn in range(TURNS + 1):
            for name, sdk in sdks.items():
                texts = [next(asked) for _ in range(STREAMS)]
                firsts = await asyncio.gather(
                    *(one(sdk, text, number) for number, text in enumerate(texts))
                )
                taken[name] += firsts if turn else []
    return taken


async def one(sdk: openai.AsyncOpenAI, question: str, number: int) -> float:
    await asyncio.sleep(OVER * number / STREAMS)
    began, first = time.perf_counter(), 0.0
    stream = await sdk.chat.completions.create(
        model="m",
        messages=[{"role": "user", "content": question}],
        stream=True,
        extra_headers={"X-OpenWebUI-Chat-Id": f"chat {number} {began}"},
    )
    async with stream:
        async for chunk in stream:
            if not first and chunk.choices and chunk.choices[0].delta.content:
                first = time.perf_counter() - began
    return first
