"""Scopes too large to go through: an index names candidates, which are then judged as if
they were all there is.

Candidates are the nearest by the index on vectors, what is not in that index yet, rows
that hold the query's words, and a sample. The sample stands for the scope where rarity
and usual likeness are measured. A scope is large while rows of it are in the index: see
`memory.large_scopes`, which puts them there.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db import connection

from memory.recall import asking
from memory.recall.query import Query, Term
from memory.recall.shelves import Shelf
from people.scope import Scope

NEAREST = 200
"""Twice of what any statement reranks of a narrow vector, and all of a wide one."""
LATE = 2_000
"""More rows outside of the index are no exception, and all is gone through."""
HOLDING = 300
"""Rows a word: what stands in more of them says little."""
SAMPLE = 1_000

LARGE = "SELECT EXISTS (SELECT FROM {table} r WHERE r.ann AND {own})"
CANDIDATES = """
WITH near AS MATERIALIZED (
    SELECT r.id FROM {table} r
     WHERE r.ann AND {own} AND r.embedding_model = %(model)s
     ORDER BY r.near <=> %(near)s::vector::halfvec(384) LIMIT %(nearest)s
), late AS MATERIALIZED (
    SELECT r.id FROM {table} r WHERE NOT r.ann AND {own} LIMIT %(late)s
), told AS MATERIALIZED (
    SELECT r.id FROM {table} r WHERE r.ann AND {own} LIMIT %(sample)s
), heard AS MATERIALIZED (
    {heard}
)
SELECT (SELECT count(*) FROM near) >= %(nearest)s
       AND (SELECT count(*) FROM late) < %(late)s,
       ARRAY(SELECT id FROM told),
       ARRAY(SELECT id FROM near UNION SELECT id FROM late
             UNION SELECT id FROM told UNION SELECT id FROM heard)
"""
HEARD = """(SELECT r.id FROM {table} r
     WHERE {own} AND r.content_tsv @@ %(term{number})s::tsquery LIMIT %(holding)s)"""


def narrowed(scope: Scope, query: Query, shelf: Shelf) -> tuple[Query, Shelf] | None:
    """The candidates of a large scope, as a shelf of their own, and the query with the
    words that they were sought by. None where all must be gone through: the scope is
    small, the query has no vector, or the index gave less than it was asked for."""
    if not shelf.own or query.vector is None or not _large(scope, shelf):
        return None
    terms = tuple(asking.rarest(scope, query.terms, shelf))
    certain, sample, among = _candidates(scope, query, terms, shelf)
    if not certain:
        return None
    few = replace(
        shelf,
        visible=f"r.id = ANY(%(among)s) AND {shelf.few}",
        own="",
        bound={"among": among, "sample": sample},
    )
    return replace(query, terms=terms), few


def candidates(shelf: Shelf, terms: Sequence[Term]) -> str:
    """The statement that names the candidates, and says whether they are enough."""
    parts = [
        HEARD.format(table=shelf.table, own=shelf.own, number=number)
        for number in range(1, len(terms) + 1)
    ]
    return CANDIDATES.format(
        table=shelf.table,
        own=shelf.own,
        heard="\n    UNION ".join(parts) or "SELECT NULL::uuid AS id WHERE false",
    )


def candidate_values(
    scope: Scope, query: Query, terms: Sequence[Term], shelf: Shelf
) -> dict[str, Any]:
    """What `candidates` binds."""
    return asking.values(scope, query, terms, shelf) | {
        "nearest": NEAREST,
        "late": LATE,
        "sample": SAMPLE,
        "holding": HOLDING,
    }


def _large(scope: Scope, shelf: Shelf) -> bool:
    statement = LARGE.format(table=shelf.table, own=shelf.own)
    with connection.cursor() as cursor:
        cursor.execute(statement, asking.owner(scope, shelf))
        return bool(cursor.fetchone()[0])


def _candidates(
    scope: Scope, query: Query, terms: Sequence[Term], shelf: Shelf
) -> tuple[bool, list[UUID], list[UUID]]:
    values = candidate_values(scope, query, terms, shelf)
    with connection.cursor() as cursor:
        cursor.execute(candidates(shelf, terms), values)
        certain, sample, among = cursor.fetchone()
    return certain, sample, among
