"""What the approximate index loses, and what it saves: the same questions with it and
without it."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memory.recall import approximate
from memory.recall.profiles import Profile
from memory.recall.query import Query
from memory.recall.recall import rank_shelf
from memory.recall.shelves import MEMORIES
from people.scope import Scope

DEPTH = 10


@dataclass(frozen=True, slots=True)
class Loss:
    """The share of the exact best ten that came back too, of how many questions all was
    gone through again, and milliseconds a question, one each."""

    recall: float
    retried: int
    approximate: tuple[float, ...]
    exact: tuple[float, ...]


def compare(scope: Scope, queries: Sequence[Query], profile: Profile) -> Loss:
    """Ask everything both ways. The scope's rows are in the index already (see
    `memory.large_scopes`); else the two ways are one."""
    shared = asked = retried = 0
    times: tuple[list[float], list[float]] = ([], [])
    for query in queries:
        retried += approximate.narrowed(scope, query, MEMORIES) is None
        found = []
        for shelf, spent in zip(
            (MEMORIES, replace(MEMORIES, own="")), times, strict=True
        ):
            began = time.perf_counter()
            items, _ = rank_shelf(scope, query, shelf, profile, gated=False)
            spent.append(1000 * (time.perf_counter() - began))
            found.append({item.memory_id for item in items[:DEPTH]})
        shared += len(found[0] & found[1])
        asked += len(found[1])
    return Loss(shared / max(asked, 1), retried, tuple(times[0]), tuple(times[1]))
