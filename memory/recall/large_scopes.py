"""Scopes too large for an exact scan, narrowed down to candidates by an index.

docs/recall.md says which.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.db import connection

from memory.recall import sql
from memory.recall.query import Query, Term
from memory.recall.rankings import fused
from memory.recall.shelves import Counted, Shelf
from memory.visibility import IN_SCOPE
from people.scope import Scope

# Active rows that are gone through for each question (docs/growth.md has the times).
EXACT_LIMIT = 20_000
BATCH = 500
NEAREST = 200
# With more rows outside of the index all rows are gone through.
LATE = 2_000
# Candidates by words, and as many by words and meaning.
HOLDING = 400
SAMPLE = 1_000

# One pass over two indexes, and over no row.
SIZES = """
SELECT user_id, space_id, sum(rows), sum(within) FROM (
    SELECT user_id, space_id, count(*) AS rows, 0 AS within FROM memories
     WHERE NOT ann AND active GROUP BY 1, 2
    UNION ALL
    SELECT user_id, space_id, count(*), count(*) FROM memories WHERE ann GROUP BY 1, 2
) sizes WHERE user_id IS NOT NULL GROUP BY 1, 2
HAVING sum(rows) > %(limit)s OR sum(within) > 0
"""
MARK = f"""
UPDATE memories SET ann = %(ann)s WHERE id IN (
    SELECT id FROM memories
     WHERE {IN_SCOPE.format(row="memories")} AND ({{which}}) LIMIT %(batch)s
)
"""  # noqa: S608 -- constants
ENTER = "NOT ann AND active"
LEAVE = "ann AND (NOT active OR %(shrunk)s)"

LARGE = "EXISTS (SELECT FROM {table} r WHERE r.ann AND {own})"
CANDIDATES = """
WITH near AS MATERIALIZED (
    SELECT r.id FROM {table} r
     WHERE r.ann AND {own} AND r.embedding_model = %(model)s
     ORDER BY r.near <=> %(near)s::halfvec LIMIT %(nearest)s
), late AS MATERIALIZED (
    SELECT r.id FROM {table} r WHERE NOT r.ann AND {own} LIMIT %(late)s
), sample AS MATERIALIZED (
    SELECT r.id FROM {table} r WHERE r.ann AND {own} LIMIT %(sample)s
), size AS MATERIALIZED (
    -- counted in the index; rows that were retired since do not matter
    SELECT (SELECT count(*) FROM late) + count(*) AS n
      FROM {table} r WHERE r.ann AND {in_scope}
), holding AS MATERIALIZED (
    SELECT r.id, {words} AS words, CASE WHEN r.embedding_model = %(model)s
           THEN r.near <=> %(near)s::halfvec ELSE 1 END AS distance
      FROM {table} r WHERE {own} AND r.content_tsv @@ %(any)s::tsquery
), weights AS MATERIALIZED (
    SELECT ARRAY[{weights}]::float8[] AS w FROM holding
), shares AS MATERIALIZED (
    SELECT id, distance, {share} AS share FROM holding CROSS JOIN weights
), by_words AS (
    (SELECT id FROM shares ORDER BY share DESC, distance LIMIT %(holding)s)
    UNION
    (SELECT id FROM shares
      ORDER BY %(keyword)s * share - %(cosine)s * distance DESC LIMIT %(holding)s)
)
SELECT (SELECT count(*) FROM near) >= %(nearest)s
       AND (SELECT count(*) FROM late) < %(late)s,
       coalesce((SELECT w FROM weights), '{{}}'), ARRAY(SELECT uuid_send(id) FROM sample),
       ARRAY(SELECT id::text FROM near UNION SELECT id::text FROM late
             UNION SELECT id::text FROM sample UNION SELECT id::text FROM by_words)
"""
WORD = "CASE WHEN r.content_tsv @@ %(term{number})s::tsquery THEN {bit} ELSE 0 END"
WEIGHT = """ln(1 + (SELECT n FROM size)::float8
             / (1 + count(*) FILTER (WHERE words & {bit} > 0)))"""
SHARE = "CASE WHEN words & {bit} > 0 THEN w[{number}] ELSE 0 END"


def mark_large_scopes() -> int:
    """Update which rows are in the index; return how many changed."""
    changed = 0
    # Without new statistics the planner would not use the index until autovacuum ran.
    planner_knows = True
    with connection.cursor() as cursor:
        cursor.execute(SIZES, {"limit": EXACT_LIMIT})
        sizes = cursor.fetchall()
    for user, space, rows, within in sizes:
        scope = {"user": user, "space": space, "shrunk": rows < EXACT_LIMIT / 2}
        if within:
            changed += _mark(scope | {"ann": False}, LEAVE)
        if rows > EXACT_LIMIT:
            changed += _mark(scope | {"ann": True}, ENTER)
        planner_knows &= within > rows / 2 and not scope["shrunk"]
    if changed and not planner_knows:
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE memories")
    return changed


def _mark(values: dict[str, Any], which: str) -> int:
    statement = MARK.format(which=which)
    total = 0
    with connection.cursor() as cursor:
        while True:
            cursor.execute(statement, {**values, "batch": BATCH})
            if not cursor.rowcount:
                return total
            total += cursor.rowcount


def unless_large(query: Query, shelf: Shelf) -> Shelf:
    """The shelf, empty where the index applies: a check without a statement."""
    if not shelf.own or query.vector is None:
        return shelf
    small = f"NOT {_large(shelf)}"
    lent = shelf.lent and f"{small} AND {shelf.lent}"
    return replace(shelf, visible=f"{small} AND {shelf.visible}", lent=lent)


def is_large(scope: Scope, query: Query, shelf: Shelf) -> bool:
    if not shelf.own or query.vector is None:
        return False
    with connection.cursor() as cursor:
        values = sql.owner_values(scope, shelf)
        cursor.execute(f"SELECT {_large(shelf)}", values)
        return bool(cursor.fetchone()[0])


def _large(shelf: Shelf) -> str:
    return LARGE.format(table=shelf.table, own=shelf.own)


def narrowed(scope: Scope, query: Query, shelf: Shelf) -> tuple[Query, Shelf]:
    """The candidates as a shelf, and the query with their words.

    Both unchanged if the index gave too few rows.
    """
    words = tuple(sql.rarest_terms(scope, query.terms, shelf))
    with connection.cursor() as cursor:
        cursor.execute(
            candidates_statement(shelf, words),
            candidates_values(scope, query, words, shelf),
        )
        certain, weights, sample, chosen = cursor.fetchone()
    if not certain:
        return query, shelf
    candidates = replace(
        shelf,
        visible=f"r.id = ANY(%(chosen)s::uuid[]) AND {shelf.visible_by_id}",
        own="",
        bound={"chosen": [*chosen, *map(str, query.carried)]},
        counted=Counted(tuple(weights), frozenset(sample)),
    )
    return replace(query, terms=words), candidates


def candidates_statement(shelf: Shelf, terms: Sequence[Term]) -> str:
    """The statement that names the candidates, and whether they are enough."""
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


def candidates_values(
    scope: Scope, query: Query, terms: Sequence[Term], shelf: Shelf
) -> dict[str, Any]:
    return sql.query_values(scope, query, terms, shelf) | {
        "nearest": NEAREST,
        "late": LATE,
        "holding": HOLDING,
        "sample": SAMPLE,
        "keyword": fused.KEYWORD,
        "cosine": fused.COSINE,
    }
