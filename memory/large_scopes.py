"""Rows of scopes that are too large to go through enter the index on vectors, in batches:
it makes each write slower, and is of no use to anybody else."""

from typing import Any

from django.db import connection

from memory.visibility import IN_SCOPE

EXACT_LIMIT = 20_000
"""Active rows that are gone through for each question; docs/recall.md has the times."""
BATCH = 500

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


def mark_large_scopes() -> int:
    """Let rows of scopes beyond the limit into the index, and out what was retired or
    belongs to a scope that shrank to half of it; how many changed.

    When a scope enters or leaves the planner is told: it would not believe in the index's
    use until autovacuum has been there, and a search took twice as long.
    """
    changed = 0
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
    """Batch after batch, each a transaction of its own."""
    statement = MARK.format(which=which)
    total = 0
    with connection.cursor() as cursor:
        while True:
            cursor.execute(statement, {**values, "batch": BATCH})
            if not cursor.rowcount:
                return total
            total += cursor.rowcount
