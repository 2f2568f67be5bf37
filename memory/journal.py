"""Events for staff: keys, actions and reasons; the texts of facts are in the named rows.

What was refused has no row, so its text is kept with its event for 30 days.
"""

import json
import logging
import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from meddie.logs import JSON_LOGGER
from memory.models import MemoryEvent
from memory.reasons import Reason
from memory.values import Action, Decision
from memory.wording.guards import holds_secret
from memory.wording.same_fact import content_hash
from people.models import User
from people.scope import Scope

logger = logging.getLogger(__name__)
json_lines = logging.getLogger(JSON_LOGGER)

NOT_KEPT = frozenset(
    {
        *(Reason.SECRET, Reason.EMERGENCY, Reason.RETRACTED),
        *(Reason.NO_MEMORY, Reason.CAPTURE_OFF, Reason.LORE_OFF),
        *(Reason.CONTRADICTED, Reason.VETOED),  # the facts are in their rows
    }
)
"""Reasons of refusals whose texts are recorded nowhere."""
RUNS = (MemoryEvent.Kind.DECISION, MemoryEvent.Kind.EXTRACT_ERROR)
INSERT_EVENT = """
INSERT INTO memory_memoryevent
    (id, kind, user_id, space_id, by_id, data, texts, created_at)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
"""


def record(
    scope: Scope,
    kind: str,
    data: Mapping[str, Any],
    *,
    by: User | None = None,
    texts: Mapping[str, Any] | None = None,
) -> None:
    """Without a user, no event is stored."""
    if scope.user_id is None:
        return
    if by is not None:  # which ends with the account
        data = {**data, "by_staff": True}
    key = uuid.uuid4()
    owner = (scope.user_id, scope.space_id)
    contents = [json.dumps(dict(part or {})) for part in (data, texts)]
    with connection.cursor() as cursor:
        cursor.execute(
            INSERT_EVENT,
            [key, kind, *owner, by.pk if by else None, *contents, timezone.now()],
        )
    if kind not in RUNS:  # `record_run` logs those
        logger.info("%s %s user=%s space=%s", kind, key, *owner)


def record_change(
    scope: Scope,
    kind: str,
    action: Action,
    keys: Iterable[uuid.UUID],
    *,
    by: User | None = None,
    former: Mapping[str, str] | None = None,
) -> None:
    """Record what a person did to facts, by their keys; digests of `former` subjects."""
    decisions = [
        {
            "action": action,
            "reason": "",
            "fact": str(key),
            "target": None,
        }
        for key in keys
    ]
    if decisions:
        told = {"former": former} if former else {}
        record(scope, kind, {"decisions": decisions, **told}, by=by)


def record_run(  # noqa: PLR0913 -- a run has all of them
    scope: Scope,
    origin: str,
    decisions: Sequence[Decision] = (),
    *,
    input_length: int | None = None,
    extracted: int | None = None,
    error: str = "",
    kind: str = MemoryEvent.Kind.DECISION,
    by: User | None = None,
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
    record(scope, kind, data, by=by, texts=_proposals(decisions))
    if scope.user_id is not None:
        line = json.dumps(_log_line(scope, decisions, data))
        transaction.on_commit(partial(json_lines.info, "%s", line))


def _log_line(
    scope: Scope, decisions: Sequence[Decision], data: Mapping[str, Any]
) -> dict[str, Any]:
    """Ids and counts only (S1-43)."""
    counts = Counter(f"{decision.action}/{decision.reason}" for decision in decisions)
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


def _proposals(decisions: Sequence[Decision]) -> dict[str, Any]:
    """What was refused, by its place among the decisions."""
    refused = {
        str(place): {"text": decision.text, "evidence": decision.evidence}
        for place, decision in enumerate(decisions)
        if decision.action == "reject" and may_be_shown(decision)
    }
    return {"refused": refused} if refused else {}


def may_be_shown(refused: Decision) -> bool:
    """Whether the text of a refused fact may be recorded and shown."""
    secret = holds_secret(refused.text) or holds_secret(refused.evidence)
    return refused.reason not in NOT_KEPT and not secret


def decision_data(decision: Decision) -> dict[str, str | None]:
    """Without the text: a fact may be forgotten."""
    memory, target = decision.memory_id, decision.target_id
    verdict = {"verdict": decision.verdict} if decision.verdict else {}
    return verdict | {
        "hash": content_hash(decision.text),
        "action": decision.action,
        "reason": decision.reason,
        "fact": str(memory) if memory else None,
        "target": str(target) if target else None,
    }
