"""Scopes too large for an exact scan, narrowed down to candidates by an index.

docs/recall.md says which.
"""

from dataclasses import replace
from typing import Any

from django.db import connection

from memory.recall import sql
from memory.recall.query import Query
from memory.recall.rankings import fused
from memory.recall.shelves import Counted, Shelf
from memory.visibility import IN_SCOPE
from people.scope import Scope

# Active rows that are gone through for each question (docs/growth.md has the times).
EXACT_LIMIT = 10_000
BATCH = 500
# Candidates by meaning, by words, and by both.
MOST_NEAREST = 200
# Rows on which the usual length of a text is measured.
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
MARK_INDEXED = f"""
UPDATE memories SET ann = %(ann)s WHERE id IN (
    SELECT id FROM memories
     WHERE {IN_SCOPE.format(row="memories")} AND ({{which}}) LIMIT %(batch)s
)
"""  # noqa: S608 -- constants
ENTER = "NOT ann AND active"
LEAVES_INDEX = "ann AND (NOT active OR %(shrunk)s)"

CANDIDATES = """
WITH indexed AS MATERIALIZED (
    SELECT r.id FROM {table} r
     WHERE r.ann AND {own} AND r.embedding_model = %(model)s
     ORDER BY r.near <=> %(near)s::halfvec LIMIT %(nearest)s
), late AS MATERIALIZED (
    SELECT r.id FROM {table} r
     WHERE NOT r.ann AND {own} AND r.embedding_model = %(model)s
     ORDER BY r.near <=> %(near)s::halfvec LIMIT %(nearest)s
), size AS MATERIALIZED (
    -- counted in an index; rows that were retired since do not matter
    SELECT count(*) AS n FROM {table} r WHERE r.active AND {in_scope}
), holding AS MATERIALIZED (
    SELECT r.id, {words} AS words, CASE WHEN r.embedding_model = %(model)s
           THEN r.near <=> %(near)s::halfvec ELSE 1 END AS distance
      FROM {table} r WHERE {own} AND r.content_tsv @@ %(any)s::tsquery
), weights AS MATERIALIZED (
    SELECT ARRAY[{weights}]::float8[] AS w FROM holding
), shares AS MATERIALIZED (
    SELECT id, distance, {share} AS share FROM holding CROSS JOIN weights
), by_words AS (
    (SELECT id FROM shares ORDER BY share DESC, distance LIMIT %(nearest)s)
    UNION
    (SELECT id FROM shares
      ORDER BY %(keyword)s * share - %(cosine)s * distance DESC LIMIT %(nearest)s)
)
SELECT (SELECT count(*) FROM indexed) >= %(nearest)s,
       coalesce((SELECT w FROM weights), '{{}}'),
       (SELECT exp(avg(ln(greatest(length(content_tsv), 1)))) FROM (
           SELECT r.content_tsv FROM {table} r WHERE r.ann AND {own} LIMIT %(sample)s
       ) sample),
       ARRAY(SELECT id FROM indexed UNION SELECT id FROM late UNION SELECT id FROM by_words)
"""
HAS_WORD = (
    "CASE WHEN r.content_tsv @@ %(term{number})s::tsquery THEN {bit} ELSE 0::bigint END"
)
WEIGHT = """ln(1 + (SELECT n FROM size)::float8
             / (1 + count(*) FILTER (WHERE words & {bit} > 0)))"""
SHARE_OF_WORD = "CASE WHEN words & {bit} > 0 THEN w[{number}] ELSE 0 END"


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
            changed += _mark(scope | {"ann": False}, LEAVES_INDEX)
        if rows > EXACT_LIMIT:
            changed += _mark(scope | {"ann": True}, ENTER)
        planner_knows &= within > rows / 2 and not scope["shrunk"]
    if changed and not planner_knows:
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE memories")
    return changed


def _mark(values: dict[str, Any], which: str) -> int:
    statement = MARK_INDEXED.format(which=which)
    total = 0
    with connection.cursor() as cursor:
        while True:
            cursor.execute(statement, {**values, "batch": BATCH})
            if not cursor.rowcount:
                return total
            total += cursor.rowcount


def narrowed(scope: Scope, query: Query, shelf: Shelf) -> Shelf:
    """The candidates as a shelf; all rows if the index gave too few."""
    with connection.cursor() as cursor:
        cursor.execute(
            candidates_statement(shelf, len(query.terms)),
            candidates_values(scope, query),
        )
        certain, weights, usual, chosen = cursor.fetchone()
    if not certain:
        return replace(shelf, own="")
    return replace(
        shelf,
        visible=f"r.id = ANY(%(chosen)s::uuid[]) AND {shelf.visible_by_id}",
        own="",
        bound={"chosen": [*chosen, *query.carried]},
        counted=Counted(tuple(weights), usual),
    )


def candidates_statement(shelf: Shelf, terms: int) -> str:
    """The statement that names the candidates, and whether they are enough."""
    bits = [(number, 1 << number) for number in range(terms)]
    shares = " + ".join(SHARE_OF_WORD.format(number=n + 1, bit=bit) for n, bit in bits)
    whole = " + ".join(f"w[{n + 1}]" for n, _ in bits)
    return CANDIDATES.format(
        table=shelf.table,
        own=shelf.own,
        in_scope=IN_SCOPE.format(row="r"),
        words=" + ".join(HAS_WORD.format(number=n, bit=bit) for n, bit in bits) or "0",
        weights=", ".join(WEIGHT.format(bit=bit) for _, bit in bits),
        share=f"({shares}) / ({whole})" if bits else "0",
    )


def candidates_values(scope: Scope, query: Query) -> dict[str, Any]:
    return sql.query_values(scope, query) | {
        "nearest": MOST_NEAREST,
        "sample": SAMPLE,
        "keyword": fused.KEYWORD,
        "cosine": fused.COSINE,
    }
