"""What memory did, for staff: with the facts in the table, with ids only in the log."""

import json
import logging
import uuid
from collections.abc import Mapping
from typing import Any

from django.db import connection
from django.utils import timezone

from memory.values import Decision
from people.scope import Scope

logger = logging.getLogger(__name__)

INSERT = """
INSERT INTO memory_memoryevent (id, kind, user_id, space_id, data, created_at)
VALUES (%s, %s, %s, %s, %s, %s)
"""


def record(scope: Scope, kind: str, data: Mapping[str, Any]) -> None:
    """Keep an event of this user; without a user there is nothing to keep."""
    if scope.user_id is None:
        return
    key = uuid.uuid4()
    whose = (scope.user_id, scope.space_id)
    what = json.dumps(dict(data))
    with connection.cursor() as cursor:
        cursor.execute(INSERT, [key, kind, *whose, what, timezone.now()])
    logger.info("%s %s user=%s space=%s", kind, key, *whose)


def as_data(decision: Decision) -> dict[str, str | None]:
    """A Decision as it stands in an event, with the fact."""
    memory, target = decision.memory_id, decision.target_id
    return {
        "fact": decision.text,
        "action": decision.action,
        "reason": decision.reason,
        "memory": str(memory) if memory else None,
        "target": str(target) if target else None,
    }
