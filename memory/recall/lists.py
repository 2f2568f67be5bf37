"""Facts by date, and the profile."""

from typing import Any

from django.db import connection

from memory.recall.shelves import Shelf
from memory.recall.sql import Part, ask
from memory.values import ProfileLine, Recalled
from memory.visibility import IN_SCOPE, scope_values
from people.scope import Scope

NEWEST_ROWS = """
(SELECT r.id, r.content, r.stated_at, r.evidence, r.confidence, r.inserted_at, {label}
   FROM {table} r WHERE {own}
  ORDER BY r.stated_at DESC, r.id DESC LIMIT %(limit)s)
UNION ALL
(SELECT r.id, r.content, r.stated_at, r.evidence, r.confidence, r.inserted_at, {label}
   FROM {table} r WHERE {lent}
  ORDER BY r.stated_at DESC, r.id DESC LIMIT %(limit)s)
ORDER BY stated_at DESC, id DESC LIMIT %(limit)s
"""
LINE = ("id", "category", "key", "value", "importance", "stated_at", "inserted_at")
PROFILE_ARRAYS = f"""
SELECT {", ".join(f"array_agg({name})" for name in LINE)} FROM (
    SELECT {", ".join(LINE)} FROM memory_profilefact fact
     WHERE {IN_SCOPE.format(row="fact")} AND active AND importance >= %(least)s
     ORDER BY importance DESC, stated_at DESC, category, key
) fact
"""  # noqa: S608 -- constants


def newest_rows(scope: Scope, shelf: Shelf, limit: int) -> list[Recalled]:
    """Those stated last, without a score."""
    statement = NEWEST_ROWS.format(
        table=shelf.table,
        own=shelf.visible_by_id,
        lent=shelf.lent or "false",
        label=shelf.label,
    )
    values = {**scope_values(scope), **shelf.bound, "limit": limit}
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return [
            Recalled(
                *(key, text, 0.0, None, 0.0, stated_at),
                evidence=evidence,
                confidence=confidence,
                stored_at=stored_at,
                label=label,
            )
            for key, text, stated_at, evidence, confidence, stored_at, label in cursor
        ]


def profile_part(least: float) -> Part:
    return Part(LINE, PROFILE_ARRAYS, {"least": least})


def profile_lines(found: dict[str, Any]) -> list[ProfileLine]:
    """The lines that the part gave."""
    if found["id"] is None:
        return []
    return [ProfileLine(*line) for line in zip(*found.values(), strict=True)]


def read_profile(scope: Scope, least: float) -> list[ProfileLine]:
    (found,) = ask([profile_part(least)], scope_values(scope))
    return profile_lines(found)
