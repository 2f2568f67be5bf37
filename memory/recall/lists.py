"""Facts by date, the profile, and what no longer holds."""

from typing import Any

from django.db import connection

from memory.models import MemoryUpdate
from memory.recall.shelves import Shelf
from memory.recall.sql import Part, ask
from memory.subjects import Subject
from memory.values import ProfileLine, Recalled, RetiredFact, told_line
from memory.visibility import IN_SCOPE, lore_sql, owned_sql, scope_values
from people.scope import Scope

NEWEST_ROWS = """
(SELECT r.id, r.content, r.stated_at, r.evidence, r.confidence, r.inserted_at, {label},
        {subject}, {person}
   FROM {table} r WHERE {own}
  ORDER BY r.stated_at DESC, r.id DESC LIMIT %(limit)s)
UNION ALL
(SELECT r.id, r.content, r.stated_at, r.evidence, r.confidence, r.inserted_at, {label},
        {subject}, {person}
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
MOST_RETIRED = 1_000  # messages of facts retired before these have long left the index
# What a fuller fact replaced still holds. A message that also states the newer one may
# be told, and so may a profile fact that was stated in the same words since.
RETIRED = f"""
SELECT old.content, old.retired_at, old.id, ARRAY(
       SELECT stated.by FROM (
           SELECT old.source_message_id AS by UNION
           SELECT s.message_id FROM memory_memorystatement s WHERE s.memory_id = old.id
       ) stated WHERE stated.by IS NOT NULL AND (
           old.retired_reason = 'retracted' OR NOT EXISTS (
               SELECT FROM memory_memoryupdate u JOIN memories new ON new.id = u.new_id
                WHERE u.old_id = old.id AND new.source_message_id = stated.by)))
  FROM memories old
 WHERE {owned_sql("old")} AND NOT old.active AND (
       old.retired_reason = 'retracted' OR old.retired_reason = 'superseded' AND NOT EXISTS (
           SELECT FROM memory_memoryupdate u LEFT JOIN memories new ON new.id = u.new_id
            WHERE u.old_id = old.id AND (u.reason = ANY(%(fuller)s)
                  OR new.source_message_id = old.source_message_id)))
 UNION ALL
SELECT CASE old.category WHEN 'identity' THEN old.value ELSE '' END,
       old.retired_at, old.id, array_remove(ARRAY[old.message_id], NULL)
  FROM memory_profilefact old
 WHERE {IN_SCOPE.format(row="old")} AND NOT old.active
   AND old.retired_reason IN ('superseded', 'retracted') AND NOT old.withdrawn
   AND NOT EXISTS (
       SELECT FROM memory_profilefact new
        WHERE {IN_SCOPE.format(row="new")} AND new.active AND new.category = old.category
          AND new.key = old.key AND lower(new.value) = lower(old.value))
 UNION ALL
SELECT old.content, old.retired_at, old.id,
       array_remove(ARRAY[old.source_message_id], NULL)
  FROM memories old
 WHERE {lore_sql("old")} AND old.retired_reason = 'retracted'
 ORDER BY retired_at DESC, id LIMIT %(most)s
"""  # noqa: S608 -- constants


def newest_rows(scope: Scope, shelf: Shelf, limit: int) -> list[Recalled]:
    """Those stated last, without a score."""
    statement = NEWEST_ROWS.format(
        table=shelf.table,
        own=shelf.visible_by_id,
        lent=shelf.lent or "false",
        label=shelf.label,
        subject=shelf.subject,
        person=shelf.person,
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
                about=Subject.read(*subject),
            )
            for key, text, stated_at, evidence, confidence, stored_at, label, *subject in cursor
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


def retired_facts(scope: Scope) -> list[RetiredFact]:
    """Superseded and retracted facts of the user and lore, the latest first.

    Of a profile the text is the value.
    """
    fuller = list(MemoryUpdate.FULLER)
    with connection.cursor() as cursor:
        cursor.execute(
            RETIRED, {**scope_values(scope), "fuller": fuller, "most": MOST_RETIRED}
        )
        return [RetiredFact(told_line(text), *row) for text, *row in cursor.fetchall()]
