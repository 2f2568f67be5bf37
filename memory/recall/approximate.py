"""Scopes too large to go through: an index names candidates, which are then judged as if
they were all there is.

Candidates are the nearest by the index on vectors, the best of the rows that hold one of
the query's words, what is not in the index yet, and a sample, on which the usual length
and likeness are measured; how rare a word is, is counted. A scope is large while rows of
it are in the index: see `memory.large_scopes`, which puts them there.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.db import connection

from memory.recall import asking, fusion
from memory.recall.query import Query, Term
from memory.recall.shelves import Counted, Shelf
from memory.visibility import IN_SCOPE
from people.scope import Scope

NEAREST = 200
"""All of a wide vector that is measured again in full."""
LATE = 2_000
"""More rows outside of the index are no exception, and all is gone through."""
HOLDING = 400
"""By words, and as many by words and meaning."""
SAMPLE = 1_000

LARGE = "EXISTS (SELECT FROM {table} r WHERE r.ann AND {own})"
CANDIDATES = """
WITH near AS MATERIALIZED (
    SELECT r.id FROM {table} r
     WHERE r.ann AND {own} AND r.embedding_model = %(model)s
     ORDER BY r.near <=> %(near)s::vector::halfvec(384) LIMIT %(nearest)s
), late AS MATERIALIZED (
    SELECT r.id FROM {table} r WHERE NOT r.ann AND {own} LIMIT %(late)s
), told AS MATERIALIZED (
    SELECT r.id FROM {table} r WHERE r.ann AND {own} LIMIT %(sample)s
), size AS MATERIALIZED (
    -- counted in the index; what was retired since is no matter
    SELECT (SELECT count(*) FROM late) + count(*) AS n
      FROM {table} r WHERE r.ann AND {in_scope}
), holding AS MATERIALIZED (
    SELECT r.id, {words} AS words, CASE WHEN r.embedding_model = %(model)s
           THEN r.near <=> %(near)s::vector::halfvec(384) ELSE 1 END AS distance
      FROM {table} r WHERE {own} AND r.content_tsv @@ %(any)s::tsquery
), weights AS MATERIALIZED (
    SELECT ARRAY[{weights}]::float8[] AS w FROM holding
), shares AS MATERIALIZED (
    SELECT id, distance, {share} AS share FROM holding CROSS JOIN weights
), heard AS (
    (SELECT id FROM shares ORDER BY share DESC, distance LIMIT %(holding)s)
    UNION
    (SELECT id FROM shares
      ORDER BY %(keyword)s * share - %(cosine)s * distance DESC LIMIT %(holding)s)
)
SELECT (SELECT count(*) FROM near) >= %(nearest)s
       AND (SELECT count(*) FROM late) < %(late)s,
       coalesce((SELECT w FROM weights), '{{}}'), ARRAY(SELECT uuid_send(id) FROM told),
       ARRAY(SELECT id::text FROM near UNION SELECT id::text FROM late
             UNION SELECT id::text FROM told UNION SELECT id::text FROM heard)
"""
WORD = "CASE WHEN r.content_tsv @@ %(term{number})s::tsquery THEN {bit} ELSE 0 END"
WEIGHT = """ln(1 + (SELECT n FROM size)::float8
             / (1 + count(*) FILTER (WHERE words & {bit} > 0)))"""
SHARE = "CASE WHEN words & {bit} > 0 THEN w[{number}] ELSE 0 END"


def possible(query: Query, shelf: Shelf) -> bool:
    """Whether the index could name anything for this query of this shelf."""
    return bool(shelf.own) and query.vector is not None


def if_small(shelf: Shelf) -> Shelf:
    """The same shelf, of which nothing is visible in a large scope: asked within the
    search, it costs no statement where scopes are small, as nearly all are."""
    return replace(shelf, visible=f"NOT {_large(shelf)} AND {shelf.visible}")


def large(scope: Scope, shelf: Shelf) -> bool:
    """Whether rows of the scope are in the index."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {_large(shelf)}", asking.owner(scope, shelf))
        return bool(cursor.fetchone()[0])


def narrowed(scope: Scope, query: Query, shelf: Shelf) -> tuple[Query, Shelf] | None:
    """The candidates of a large scope, as a shelf of their own, and the query with the
    words that they were sought by. None where all must be gone through: the scope is
    small, the query has no vector, or the index gave less than it was asked for."""
    if not possible(query, shelf):
        return None
    query = replace(query, terms=tuple(asking.rarest(scope, query.terms, shelf)))
    with connection.cursor() as cursor:
        cursor.execute(
            candidates(shelf, query.terms), candidate_values(scope, query, shelf)
        )
        certain, weights, sample, among = cursor.fetchone()
    if not certain:
        return None
    few = replace(
        shelf,
        visible=f"r.id = ANY(%(among)s::uuid[]) AND {shelf.few}",
        own="",
        bound={"among": among},
        counted=Counted(tuple(weights), frozenset(sample)),
    )
    return query, few


def candidates(shelf: Shelf, terms: Sequence[Term]) -> str:
    """The statement that names the candidates, and says whether they are enough."""
    bits = [(number, 1 << number - 1) for number in range(1, len(terms) + 1)]
    shares = " + ".join(SHARE.format(number=number, bit=bit) for number, bit in bits)
    whole = " + ".join(f"w[{number}]" for number, _ in bits)
    return CANDIDATES.format(
        table=shelf.table,
        own=shelf.own,
        in_scope=IN_SCOPE.format(row="r"),
        words=" + ".join(WORD.format(number=n, bit=bit) for n, bit in bits) or "0",
        weights=", ".join(WEIGHT.format(bit=bit) for _, bit in bits),
        share=f"({shares}) / ({whole})" if bits else "0",
    )


def candidate_values(scope: Scope, query: Query, shelf: Shelf) -> dict[str, Any]:
    """What `candidates` binds."""
    return asking.values(scope, query, query.terms, shelf) | {
        "nearest": NEAREST,
        "late": LATE,
        "holding": HOLDING,
        "sample": SAMPLE,
        "keyword": fusion.KEYWORD,
        "cosine": fusion.COSINE,
    }


def _large(shelf: Shelf) -> str:
    return LARGE.format(table=shelf.table, own=shelf.own)
