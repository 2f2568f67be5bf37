"""200,000 rows, many of them one user's: is everything found, and how long it takes.

The vectors are those of real sentences, multiplied by mixing pairs of them. Recall@10 is
the share of the ten nearest rows, by an exact scan through psycopg, that the search for
the nearest vectors gives too; of whole questions, the share of what the same search
gives without the index. The table is vacuumed before, as autovacuum does within minutes.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import connection
from django.test import Client

from benchmarks import growth, rows
from benchmarks.scene import Scene
from benchmarks.sentences import facts, questions
from benchmarks.timing import Way, interleaved, spread
from meddie.ai.embeddings import LocalEmbedder
from memory.models.embedded import NEAR_DIMENSIONS
from memory.recall import large_scopes
from memory.recall.large_scopes import mark_large_scopes
from memory.recall.query import Query
from memory.recall.rankings import RANKINGS
from memory.recall.rankings.chat import CHAT
from memory.recall.rankings.ranking import Ranking
from memory.recall.recall import prepare_query
from memory.recall.shelf_search import rank_shelf
from memory.recall.shelves import MEMORIES
from memory.vectors import vector_text
from people.scope import Scope

ROWS = 200_000
SCOPES = (20_000, 40_000)
"""The largest that is gone through row by row, and one that is searched by the index."""
BASE = 3_000
QUERIES = 60
SCRAPES = 20
LIMIT = 10
EXACT = """
SELECT id FROM memories WHERE user_id = %s AND space_id = %s AND active
 ORDER BY near <=> %s::halfvec, id LIMIT %s
"""


def run(_scene: Scene) -> dict[str, Any]:
    """Sizes, times, and what was found of what is there."""
    base = rows.base(BASE)
    (watched,) = rows.scopes(1)
    _fill([watched], growth.WATCHED, base)
    _fill(rows.scopes(growth.FEW // 25), growth.FEW, base)
    few = growth.copied()
    began = time.perf_counter()
    others = ROWS - sum(SCOPES) - growth.FEW
    _fill(rows.scopes(others // 25), others, base)
    mine = dict(zip(SCOPES, rows.scopes(len(SCOPES)), strict=True))
    for size, scope in mine.items():
        _fill([scope], size, base)
    filled = time.perf_counter()
    marked = mark_large_scopes()
    indexed = time.perf_counter()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE memories")
    queries = [
        prepare_query(text, embedder=LocalEmbedder()) for text in questions(QUERIES)
    ]
    return {
        "rows": ROWS,
        "seconds to fill": round(filled - began),
        "rows in the index": marked,
        "seconds to index": round(indexed - filled, 1),
        "megabytes": _megabytes(),
        "scopes": {
            str(size): {"recall@10": found(scope, queries), **_both(scope, queries)}
            for size, scope in mine.items()
        },
        "few": growth.FEW,
        "others": growth.beside(watched, few, queries),
        "metrics": _scrapes(),
    }


def _scrapes() -> dict[str, float]:
    """Times of the page for Prometheus."""
    client = Client(headers={"host": "127.0.0.1"})
    ways: dict[str, Way] = {"metrics": lambda _: client.get("/metrics")}
    return spread(interleaved(ways, SCRAPES)["metrics"])


def _fill(owners: Sequence[Scope], count: int, base: rows.Matrix) -> None:
    step = 20_000
    for start in range(0, count, step):
        size = min(step, count - start)
        texts = [f"{text}, part {start}" for text in facts(size, seed=start)]
        rows.fill(owners, texts, rows.mixed(base, size, seed=count + start))


def found(scope: Scope, queries: Sequence[Query]) -> float:
    """The share of the nearest rows that Meddie finds, by its vectors alone."""
    shares = []
    for query in queries:
        assert query.vector is not None  # noqa: S101 -- the local model is there
        with connection.cursor() as cursor:
            near = vector_text(query.vector[:NEAR_DIMENSIONS])
            cursor.execute(EXACT, [scope.user_id, scope.space_id, near, LIMIT])
            nearest = {key for (key,) in cursor.fetchall()}
        alone = replace(query, terms=())
        items = rank_shelf(scope, alone, MEMORIES, CHAT, gated=False)[0]
        shares.append(len(nearest & {item.memory_id for item in items[:LIMIT]}) / LIMIT)
    return round(sum(shares) / len(shares), 4)


def _both(scope: Scope, queries: Sequence[Query]) -> dict[str, Any]:
    """Whole questions as they are asked, and with the index left out."""
    compared = {
        name: compare(scope, queries, RANKINGS[name]) for name in growth.COMPARED
    }
    return {
        name: {
            "recall@10": round(loss.recall, 4),
            "times": spread(loss.approximate),
            "exact": spread(loss.exact),
        }
        for name, loss in compared.items()
    }


def _megabytes() -> dict[str, float]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, pg_total_relation_size(oid) / 1048576.0 FROM pg_class"
            " WHERE relname = 'memories' UNION ALL"
            " SELECT indexrelname, pg_relation_size(indexrelid) / 1048576.0"
            " FROM pg_stat_user_indexes WHERE relname = 'memories'"
        )
        return {name: round(float(size), 1) for name, size in cursor.fetchall()}


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
        retried += large_scopes.narrowed(scope, query, MEMORIES).counted is None
        found = []
        for shelf, spent in zip(
            (MEMORIES, replace(MEMORIES, own="")), times, strict=True
        ):
            began = time.perf_counter()
            items, _ = rank_shelf(scope, query, shelf, ranking, gated=False)
            spent.append(1000 * (time.perf_counter() - began))
            found.append({item.memory_id for item in items[:LIMIT]})
        shared += len(found[0] & found[1])
        asked += len(found[1])
    return Loss(shared / max(asked, 1), retried, tuple(times[0]), tuple(times[1]))
