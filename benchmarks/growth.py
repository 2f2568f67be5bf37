"""How the time of a recall grows: with the user's rows and with other users'.

Two databases of one server, one with few rows of others and one with many, are asked in
turns; both hold the same rows of the user.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from django.db import connection, connections

from benchmarks import rows
from benchmarks.scene import Scene
from benchmarks.sentences import facts, questions
from benchmarks.timing import Way, interleaved, ratio, spread
from meddie.ai.embeddings import LocalEmbedder
from memory.recall.large_scopes import mark_large_scopes
from memory.recall.query import Query
from memory.recall.recall import prepare_query, recall
from people.scope import Scope

FEW, MANY = 1_000, 50_000
OWN = (100, 300, 1_000, 3_000, 10_000, 20_000)
WATCHED = 1_000
"""The user's rows, of the sizes above, where it is the others that grow."""
COMPARED = ("chat", "fused")
ROUNDS = 40
ASKED = questions(ROUNDS + 5)


def run(_scene: Scene) -> dict[str, Any]:
    """The figures of both ways to grow."""
    base = rows.base()
    mine = dict(zip(OWN, rows.scopes(len(OWN)), strict=True))
    for size, scope in mine.items():
        rows.fill([scope], facts(size, seed=size), rows.mixed(base, size, seed=size))
    _others(FEW, base)
    few = copied()
    _others(MANY - FEW, base)
    mark_large_scopes()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE memories")
    queries = [prepare_query(text, embedder=LocalEmbedder()) for text in ASKED]
    return {
        "few": FEW,
        "many": MANY,
        "watched": WATCHED,
        "others": beside(mine[WATCHED], few, queries),
        "own": {str(size): _alone(mine[size], queries) for size in OWN},
    }


def _others(count: int, base: rows.Matrix) -> None:
    texts = facts(count, seed=count)
    rows.fill(rows.scopes(count // 25), texts, rows.mixed(base, count, seed=count))


def copied() -> str:
    """The name of a second database with what there is now."""
    name = f"{connection.settings_dict['NAME']}_few"
    _leave(connections["default"])
    with _database("postgres"), connection.cursor() as cursor:
        source = connections.settings["default"]["NAME"]
        cursor.execute("SET statement_timeout = 0")
        cursor.execute(f'CREATE DATABASE "{name}" TEMPLATE "{source}"')
    with _database(name), connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    return name


@contextmanager
def _database(name: str) -> Iterator[None]:
    """Let this thread's default connection be one to another database."""
    usual = connections["default"]
    connections.settings.setdefault(name, usual.settings_dict | {"NAME": name})
    connections["default"] = connections.create_connection(name)
    try:
        yield
    finally:
        _leave(connections["default"])
        connections["default"] = usual


def _leave(database: Any) -> None:
    """Disconnect, because a template database may have no connections."""
    database.close()
    database.close_pool()


def beside(scope: Scope, few: str, queries: list[Query]) -> dict[str, Any]:
    """The times of a user's recalls here and in that other database, in turns."""
    many = connections["default"]
    with _database(few):
        lone = connections["default"]

        def ask(which: Any, ranking: str, number: int) -> None:
            connections["default"] = which
            recall(scope, queries[number], ranking=ranking)

        ways: dict[str, Way] = {
            f"{ranking}, {name}": partial(ask, which, ranking)
            for ranking in COMPARED
            for name, which in (("few", lone), ("many", many))
        }
        taken = interleaved(ways, ROUNDS)
        connections["default"] = lone
    figures: dict[str, Any] = {name: spread(times) for name, times in taken.items()}
    for ranking in COMPARED:
        ours = taken[f"{ranking}, many"], taken[f"{ranking}, few"]
        figures[f"{ranking}, ratio"] = ratio(*ours)
    return figures


def _alone(scope: Scope, queries: list[Query]) -> dict[str, Any]:
    def ask(ranking: str, number: int) -> None:
        recall(scope, queries[number], ranking=ranking)

    ways: dict[str, Way] = {name: partial(ask, name) for name in COMPARED}
    return {name: spread(t) for name, t in interleaved(ways, ROUNDS).items()}
