"""What Meddie adds to the time until the first words of an answer.

    python -m benchmarks.first_token [--rounds 100] [--embedding local|provider]

A local server that speaks the OpenAI protocol answers with a latency of 50 ms. Each
round asks it twice, in turns: once directly through the openai SDK, once through
Meddie (POST of the message in a real web process, then its event stream), and takes
the difference. Bundled servers in a folder of their own; nothing is left behind.
"""

import argparse
import asyncio
import json
import random
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import httpx2
import openai

from benchmarks.stage import stage
from tests.openai_server import KEY, Answer, OpenAIServer

LATENCY = 0.05
WARM_UP = 5
QUESTION = "Which painkiller can I take against a headache?"
FACTS = [f"User noted down fact number {n} about daily life" for n in range(40)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--embedding", choices=["local", "provider"], default="local")
    options = parser.parse_args()
    model = {"EMBEDDING_MODEL": "text-embedding-3-small"}
    chosen = model if options.embedding == "provider" else {}
    with OpenAIServer(latency=LATENCY) as server, stage(server, **chosen):
        server.embeddings.default = lambda _body: Answer(latency=1e-9)
        report(asyncio.run(measure(prepare(), server, options.rounds)), options)


def prepare():
    """A user with some facts; the key of a session."""
    from django.core.management import call_command  # noqa: PLC0415 -- after setup
    from django.utils import timezone  # noqa: PLC0415

    from memory.capture.remember import remember  # noqa: PLC0415
    from memory.values import Candidate, Said  # noqa: PLC0415
    from people.scope import scope_for  # noqa: PLC0415
    from tests.browser.conftest import session_of  # noqa: PLC0415
    from tests.factories import MembershipFactory  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    member = MembershipFactory()
    scope = scope_for(member.user, member.space_id, channel="web")
    remember(scope, [Candidate(f) for f in FACTS], Said("import", timezone.now()))
    return session_of(member.user)


async def measure(session: str, server: OpenAIServer, rounds: int) -> list[list[float]]:
    """Seconds until the first words: [directly, through Meddie], for each round."""
    from tests.stack.web import WebProcess  # noqa: PLC0415 -- after setup

    web = await asyncio.to_thread(WebProcess().__enter__)
    try:
        async with (
            openai.AsyncOpenAI(api_key=KEY, base_url=server.base_url) as sdk,
            web.client(session) as client,
        ):
            ways = [partial(directly, sdk), partial(through_meddie, client)]
            results = [await one_round(ways) for _ in range(rounds + WARM_UP)]
            return results[WARM_UP:]
    finally:
        await asyncio.to_thread(web.__exit__)


async def one_round(ways: Sequence[Callable[[], Awaitable[None]]]) -> list[float]:
    taken = [0.0] * len(ways)
    for number in random.sample(range(len(ways)), len(ways)):
        began = time.perf_counter()
        await ways[number]()
        taken[number] = time.perf_counter() - began
    await asyncio.sleep(0.15)
    return taken


async def directly(sdk: openai.AsyncOpenAI) -> None:
    stream = await sdk.chat.completions.create(
        model="m", messages=[{"role": "user", "content": QUESTION}], stream=True
    )
    async with stream:
        async for chunk in stream:
            if chunk.choices and chunk.choices[0].delta.content:
                return


async def through_meddie(client: httpx2.AsyncClient) -> None:
    from tests.stack.web import say  # noqa: PLC0415 -- after setup

    path = await say(client, QUESTION)
    async with client.stream("GET", path) as response:
        async for line in response.aiter_lines():
            data = json.loads(line[6:]) if line.startswith("data: ") else {}
            if data.get("tail") or data.get("blocks"):
                return


def report(results: list[list[float]], options: argparse.Namespace) -> None:
    """Print milliseconds: p50 and p95 of each way and of the difference."""
    ways = {
        "directly": [r[0] for r in results],
        "through Meddie": [r[1] for r in results],
        "added": [r[1] - r[0] for r in results],
    }
    print(f"{options.rounds} rounds, embedder {options.embedding}, ms")  # noqa: T201
    for name, seconds in ways.items():
        cuts = statistics.quantiles(seconds, n=20)
        p50, p95 = statistics.median(seconds) * 1000, cuts[18] * 1000
        print(f"{name:15} p50 {p50:7.1f}  p95 {p95:7.1f}")  # noqa: T201


if __name__ == "__main__":
    main()
