"""The time to store one fact, and many.

One fact is measured with a known vector. Many facts are measured with the local model, whose
time dominates, and with known vectors, which shows the time of storing.
"""

import time
from collections.abc import Callable
from typing import Any

from benchmarks import rows
from benchmarks.remembering import Remembering
from benchmarks.scene import Scene
from benchmarks.sentences import facts
from benchmarks.stores.bare import MODEL
from benchmarks.stores.chroma import Chroma
from benchmarks.stores.mem0 import Mem0
from benchmarks.stores.store import Store
from benchmarks.timing import Way, interleaved, ratio, spread
from meddie.ai.embeddings import Embedder, LocalEmbedder
from memory.facts.commit import commit
from memory.facts.imports import import_facts
from memory.facts.prepare import prepare_facts
from memory.subjects import NO_HOUSEHOLD
from memory.values import Candidate, ImportedFact, Provenance
from people.scope import Scope

THERE = 1_000
"""Rows that the user has before."""
OTHERS = 10_000
ROUNDS = 60
MANY = 1_000
TURNS = 3


def run(scene: Scene) -> dict[str, Any]:
    """One fact, and many."""
    base = rows.base()
    known = Remembering(LocalEmbedder())
    rivals: dict[str, Store] = {
        "mem0": Mem0(scene.folder, known),
        "chroma": Chroma(scene.folder, known),
    }
    mine = rows.scopes(1)
    for owners, count in ((rows.scopes(OTHERS // 25), OTHERS), (mine, THERE)):
        texts, vectors = facts(count, seed=count), rows.mixed(base, count, seed=count)
        rows.fill(owners, texts, vectors)
        for rival in rivals.values():
            rival.fill([str(owner.user_id) for owner in owners], texts, vectors)
    return {"there": THERE, "others": OTHERS} | _one(mine[0], known, rivals) | _many()


def _one(scope: Scope, known: Remembering, rivals: dict[str, Store]) -> dict[str, Any]:
    news = facts(ROUNDS + 5, seed=99)
    user = str(scope.user_id)
    known.embed(news)

    def stored(number: int) -> None:
        fact = prepare_facts([Candidate(news[number])], NO_HOUSEHOLD, embedder=known)
        commit(scope, fact, Provenance("inline", rows.START))

    ways: dict[str, Way] = {
        "embedding": lambda number: MODEL.embed([news[number]]),
        "Meddie": stored,
    }
    for name, rival in rivals.items():
        ways[name] = _adding(rival, user, news)
    taken = {name: spread(t) for name, t in interleaved(ways, ROUNDS).items()}
    return {"embedding": taken.pop("embedding"), "one": taken}


def _adding(rival: Store, user: str, news: list[str]) -> Way:
    return lambda number: rival.add(user, news[number])


def _many() -> dict[str, Any]:
    news = facts(MANY, seed=5)
    known = Remembering(LocalEmbedder())
    known.embed(news)
    ways: dict[str, Callable[[], None]] = {
        "imported": lambda: _imported(news, LocalEmbedder()),
        "one by one": lambda: _singly(news, LocalEmbedder()),
        "imported, vectors there": lambda: _imported(news, known),
        "one by one, vectors there": lambda: _singly(news, known),
    }
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(TURNS):
        for name, way in ways.items():
            began = time.perf_counter()
            way()
            taken[name].append(time.perf_counter() - began)
    a_second = {name: round(MANY / sorted(t)[len(t) // 2]) for name, t in taken.items()}
    return {
        "many": MANY,
        "rows a second": a_second,
        "ratio": ratio(taken["one by one"], taken["imported"]),
        "ratio, vectors there": ratio(
            taken["one by one, vectors there"], taken["imported, vectors there"]
        ),
    }


def _imported(news: list[str], embedder: Embedder) -> None:
    stated = [ImportedFact(Candidate(text), rows.START) for text in news]
    list(import_facts(rows.scopes(1)[0], stated, embedder=embedder))


def _singly(news: list[str], embedder: Embedder) -> None:
    (scope,) = rows.scopes(1)
    for text in news:
        fact = prepare_facts([Candidate(text)], NO_HOUSEHOLD, embedder=embedder)
        commit(scope, fact, Provenance("import", rows.START))
