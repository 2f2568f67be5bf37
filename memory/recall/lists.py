"""Facts by date, and the profile."""

from django.db import connection

from memory.recall.shelves import Shelf
from memory.recall.sql import owner_values
from memory.values import ProfileLine, Recalled
from memory.visibility import IN_SCOPE, scope_values
from people.scope import Scope

NEWEST = """
(SELECT r.id, r.content, r.stated_at, r.evidence, r.confidence, r.inserted_at
   FROM {table} r WHERE {own}
  ORDER BY r.stated_at DESC, r.id DESC LIMIT %(limit)s)
UNION ALL
(SELECT r.id, r.content, r.stated_at, r.evidence, r.confidence, r.inserted_at
   FROM {table} r WHERE {lent}
  ORDER BY r.stated_at DESC, r.id DESC LIMIT %(limit)s)
ORDER BY stated_at DESC, id DESC LIMIT %(limit)s
"""
PROFILE = f"""
SELECT id, category, key, value, importance, stated_at, inserted_at
  FROM memory_profilefact fact
 WHERE {IN_SCOPE.format(row="fact")} AND active AND importance >= %(least)s
 ORDER BY importance DESC, stated_at DESC, category, key
"""  # noqa: S608 -- constants


def newest_rows(scope: Scope, shelf: Shelf, limit: int) -> list[Recalled]:
    """Those stated last, without a score."""
    statement = NEWEST.format(
        table=shelf.table, own=shelf.visible_by_id, lent=shelf.lent
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, owner_values(scope, shelf) | {"limit": limit})
        return [
            Recalled(
                *(key, text, 0.0, None, 0.0, stated_at),
                evidence=evidence,
                confidence=confidence,
                stored_at=stored_at,
            )
            for key, text, stated_at, evidence, confidence, stored_at in cursor
        ]


def profile_lines(scope: Scope, least: float) -> list[ProfileLine]:
    with connection.cursor() as cursor:
        cursor.execute(PROFILE, scope_values(scope) | {"least": least})
        return [ProfileLine(*row) for row in cursor.fetchall()]
