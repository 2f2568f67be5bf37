"""Facts that no longer hold, so that old texts do not tell them."""

from django.db import connection

from memory.models import MemoryUpdate
from memory.values import RetiredFact
from memory.visibility import IN_SCOPE, owned_sql, scope_values
from people.scope import Scope

# What a fuller fact replaced still holds. A message that also states the newer one may
# be told.
RETIRED = f"""
SELECT old.content, old.retired_at, old.id, old.source_message_id FROM memories old
 WHERE {owned_sql("old")} AND NOT old.active AND (
       old.retired_reason = 'retracted' OR old.retired_reason = 'superseded' AND NOT EXISTS (
           SELECT FROM memory_memoryupdate u LEFT JOIN memories new ON new.id = u.new_id
            WHERE u.old_id = old.id AND (u.reason = ANY(%(fuller)s)
                  OR new.source_message_id = old.source_message_id)))
 UNION ALL
SELECT CASE old.category WHEN 'identity' THEN old.value ELSE '' END,
       old.retired_at, old.id, old.message_id FROM memory_profilefact old
 WHERE {IN_SCOPE.format(row="old")} AND NOT old.active
   AND old.retired_reason IN ('superseded', 'retracted')
"""  # noqa: S608 -- constants


def retired_facts(scope: Scope) -> list[RetiredFact]:
    """Superseded and retracted facts of the user; of a profile the text is the value."""
    values = scope_values(scope) | {"fuller": list(MemoryUpdate.FULLER)}
    with connection.cursor() as cursor:
        cursor.execute(RETIRED, values)
        return [RetiredFact(*row) for row in cursor.fetchall()]
