"""What memory did, for staff: with the facts in the table, with ids only in the log."""

import logging
from collections.abc import Mapping
from typing import Any

from memory.models import MemoryEvent
from memory.values import Decision
from people.scope import Scope

logger = logging.getLogger(__name__)


def record(scope: Scope, kind: str, data: Mapping[str, Any]) -> None:
    """Keep an event of this user; without a user there is nothing to keep."""
    if scope.user_id is None:
        return
    event = MemoryEvent.objects.create(
        kind=kind, user_id=scope.user_id, space_id=scope.space_id, data=dict(data)
    )
    logger.info("%s %s user=%s space=%s", kind, event.pk, scope.user_id, scope.space_id)


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
