"""Events for staff: keys, actions and reasons; texts are only in the named rows."""

import json
import logging
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from meddie.logs import JSON_LOGGER
from memory.capture.normalise import content_hash
from memory.models import MemoryEvent
from memory.values import Decision
from people.scope import Scope

logger = logging.getLogger(__name__)
json_lines = logging.getLogger(JSON_LOGGER)

TEXT_KEPT = timedelta(days=30)
INSERT = """
INSERT INTO memory_memoryevent (id, kind, user_id, space_id, data, created_at)
VALUES (%s, %s, %s, %s, %s, %s)
"""


def record(scope: Scope, kind: str, data: Mapping[str, Any]) -> None:
    """Without a user, no event is stored."""
    if scope.user_id is None:
        return
    key = uuid.uuid4()
    owner = (scope.user_id, scope.space_id)
    with connection.cursor() as cursor:
        cursor.execute(
            INSERT, [key, kind, *owner, json.dumps(dict(data)), timezone.now()]
        )
    if kind != MemoryEvent.Kind.DECISION:  # `record_run` logs those
        logger.info("%s %s user=%s space=%s", kind, key, *owner)


def record_run(
    scope: Scope,
    origin: str,
    decisions: Sequence[Decision] = (),
    *,
    input_length: int | None = None,
    extracted: int | None = None,
    error: str = "",
) -> None:
    """Report one run of capture, which may be empty or have failed.

    `extracted` is the number of proposed facts, if there are not as many decisions.
    """
    proposed = len(decisions) if extracted is None else extracted
    data: dict[str, Any] = {
        "origin": origin,
        "decisions": [decision_data(decision) for decision in decisions],
        "extracted": proposed,
    }
    if input_length is not None:
        data["input_length"] = input_length
    if error:
        data["error"] = error
    record(scope, MemoryEvent.Kind.DECISION, data)
    if scope.user_id is not None:
        line = json.dumps(_log_line(scope, decisions, data))
        transaction.on_commit(partial(json_lines.info, "%s", line))


def _log_line(
    scope: Scope, decisions: Sequence[Decision], data: Mapping[str, Any]
) -> dict[str, Any]:
    """Ids and counts only (S1-43)."""
    counts = Counter(f"{one.action}/{one.reason}" for one in decisions)
    return {
        "event": MemoryEvent.Kind.DECISION.value,
        "user_id": str(scope.user_id),
        "space_id": str(scope.space_id),
        "origin": data["origin"],
        "input_message_length": data.get("input_length"),
        "extracted_count": data["extracted"],
        "decisions": dict(counts),
        "error": data.get("error", ""),
    }


def erase_blocks(scope: Scope) -> None:
    """Erase unreadable blocks, which may state a forgotten fact."""
    if scope.user_id is not None:
        _blocks().filter(user_id=scope.user_id, space_id=scope.space_id).update(data={})


def erase_old_blocks() -> int:
    return _blocks().filter(created_at__lt=timezone.now() - TEXT_KEPT).update(data={})


def _blocks() -> QuerySet[MemoryEvent]:
    return MemoryEvent.objects.filter(kind=MemoryEvent.Kind.BLOCK_ERROR).exclude(
        data={}
    )


def decision_data(decision: Decision) -> dict[str, str | None]:
    """Without the text: a fact may be forgotten, and a refused one is not kept."""
    memory, target = decision.memory_id, decision.target_id
    return {
        "hash": content_hash(decision.text),
        "action": decision.action,
        "reason": decision.reason,
        "memory": str(memory) if memory else None,
        "target": str(target) if target else None,
    }
