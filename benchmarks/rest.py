"""How long it takes to add and to search a memory over REST, beside mem0 as a library.

Every way embeds with the same model and has the same rows. Meddie is asked over HTTP with a
connection that stays open; mem0's own server is not in its package, so mem0 works in this
process, without the time of HTTP.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2

from benchmarks import rows
from benchmarks.scene import Scene
from benchmarks.sentences import facts, questions
from benchmarks.stores.mem0 import Mem0
from benchmarks.timing import Way, interleaved, ratio, spread
from people import api_keys
from people.models import ApiKey, Membership
from people.scope import Scope
from tests.stack.web import WebProcess
from tests.waiting import PATIENCE

THERE = 1_000
"""Rows that the user has before."""
ROUNDS = 60
LIMIT = 6


def run(scene: Scene) -> dict[str, Any]:
    """Milliseconds of each call, and Meddie's over mem0's."""
    mem0 = Mem0(scene.folder)
    with WebProcess(DAILY_MESSAGES="1000000") as web, caller(web.url) as (scope, http):
        texts, user = facts(THERE, seed=THERE), str(scope.user_id)
        vectors = rows.mixed(rows.base(), THERE, seed=THERE)
        rows.fill([scope], texts, vectors)
        mem0.fill([user], texts, vectors)
        figures: dict[str, Any] = {"there": THERE, "rounds": ROUNDS}
        for name, compared in (
            ("search", searching(http, mem0, user)),
            ("add", adding(http, mem0, user)),
        ):
            taken = interleaved(compared, ROUNDS)
            figures[name] = {way: spread(times) for way, times in taken.items()}
            figures[name]["over mem0"] = ratio(taken["Meddie, HTTP"], taken["mem0"])
    return figures


@contextmanager
def caller(url: str) -> Iterator[tuple[Scope, httpx2.Client]]:
    """A user of the API, with a key without a limit that matters here."""
    (scope,) = rows.scopes(1)
    member = Membership.objects.select_related("space", "user").get(
        space=scope.space_id
    )
    key, secret = api_keys.create(member.space, member.user)
    ApiKey.objects.filter(pk=key.pk).update(calls_per_minute=1_000_000)
    headers = {"Authorization": f"Bearer {secret}"}
    with httpx2.Client(base_url=url, headers=headers, timeout=PATIENCE) as http:
        yield scope, http


def searching(http: httpx2.Client, mem0: Mem0, user: str) -> dict[str, Way]:
    """Six rows for each question."""
    asked = questions(ROUNDS + 5)

    def meddie(number: int) -> None:
        params: dict[str, str | int] = {"q": asked[number], "limit": LIMIT}
        http.get("/api/memories/search", params=params).raise_for_status()

    return {
        "Meddie, HTTP": meddie,
        "mem0": lambda number: mem0.search(user, asked[number], LIMIT),
    }


def adding(http: httpx2.Client, mem0: Mem0, user: str) -> dict[str, Way]:
    """One text as it is, without a model."""
    news = facts(ROUNDS + 5, seed=99)

    def meddie(number: int) -> None:
        http.post("/api/memories", json={"text": news[number]}).raise_for_status()

    return {
        "Meddie, HTTP": meddie,
        "mem0": lambda number: mem0.add(user, news[number]),
    }
