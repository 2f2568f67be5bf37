"""Recall and time of the index of large scopes."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memory.recall import large_scopes
from memory.recall.query import Query
from memory.recall.rankings.ranking import Ranking
from memory.recall.recall import rank_shelf
from memory.recall.shelves import MEMORIES
from people.scope import Scope

DEPTH = 10


@dataclass(frozen=True, slots=True)
class Loss:
    """Figures of the index against an exact scan; times in milliseconds."""

    recall: float
    retried: int
    approximate: tuple[float, ...]
    exact: tuple[float, ...]


def compare(scope: Scope, queries: Sequence[Query], ranking: Ranking) -> Loss:
    """Ask all queries both ways. The scope must be in the index already."""
    shared = asked = retried = 0
    times: tuple[list[float], list[float]] = ([], [])
    for query in queries:
        retried += large_scopes.narrowed(scope, query, MEMORIES)[1] is MEMORIES
        found = []
        for shelf, spent in zip(
            (MEMORIES, replace(MEMORIES, own="")), times, strict=True
        ):
            began = time.perf_counter()
            items, _ = rank_shelf(scope, query, shelf, ranking, gated=False)
            spent.append(1000 * (time.perf_counter() - began))
            found.append({item.memory_id for item in items[:DEPTH]})
        shared += len(found[0] & found[1])
        asked += len(found[1])
    return Loss(shared / max(asked, 1), retried, tuple(times[0]), tuple(times[1]))
