"""Staff correct, retire, restore and erase a fact of any kind, by the rules of capture.

Each leaves an event with who did it.
"""

from typing import Any
from uuid import UUID

from django.utils import timezone

from memory import service
from memory.facts.kinds import kind_of
from memory.facts.retraction import owner_scope
from memory.household import household
from memory.models import Fact, Memory
from memory.reasons import Reason
from memory.values import STORED, Candidate, Decision, Provenance
from people.models import User
from people.scope import Scope, scope_for

CORRECT, RETIRE, RESTORE, ERASE = "correct", "retire", "restore", "erase"


class RepairRefused(Exception):
    """Its text tells staff why."""

    def __init__(self, reason: Reason) -> None:
        # What the user is told of a forgotten fact is not for staff.
        told = Reason.FORGOTTEN if reason == Reason.RETRACTED else reason
        super().__init__(str(told.label))


def allowed_repairs(fact: Fact) -> list[str]:
    """Community memories have a page on which they are edited."""
    if fact.space_id is None or not fact.content:
        return []
    return [CORRECT, RETIRE, ERASE] if fact.active else [RESTORE, ERASE]


def add_fact(user: User, space_id: UUID, text: str, by: User) -> Memory:
    """The row of a fact about a member that staff write. Network, then database.

    Raises RepairRefused, NotAMember.
    """
    scope = scope_for(user, space_id, channel="")
    prepared = service.prepare_facts([Candidate(text)], household(scope))
    if prepared.error:
        raise RepairRefused(Reason.EMBEDDING_FAILED)
    (decision,) = service.remember(
        scope,
        prepared,
        Provenance.by_hand(text, timezone.now(), by=by),
    )
    if decision.action not in STORED:
        raise RepairRefused(decision.reason)
    return Memory.objects.get(pk=str(decision.memory_id))


def repair_fact(fact: Fact, verb: str, by: User, text: str = "") -> Fact:
    """Carry out an allowed repair; the row that has the fact now. Raises RepairRefused.

    `text` corrects it: network, then database.
    """
    scope = owner_scope(fact, by)
    if scope is None:
        raise RepairRefused(Reason.CHANGED)
    if verb == CORRECT:
        return _corrected(scope, fact, by, text)
    if verb == RETIRE and not service.forget(scope, [fact.pk], by=by):
        raise RepairRefused(Reason.CHANGED)
    if verb == RESTORE:
        (decision,) = service.restore(scope, [fact.pk], by=by)
        _demand(decision, "restore")
    if verb == ERASE:
        service.erase(scope, [fact.pk], by=by)
    return fact


def _corrected(scope: Scope, fact: Fact, by: User, text: str) -> Fact:
    candidate = Candidate(
        text, fact.kind, fact.confidence, fact.evidence, subject=fact.about
    )
    prepared = service.prepare_facts([candidate])
    decision = service.correct(scope, fact.pk, prepared, _provenance(fact, by))
    _demand(decision, "replace")
    kind: Any = type(fact)
    corrected: Fact = kind.objects.get(pk=decision.memory_id)
    return corrected


def _demand(decision: Decision, action: str) -> None:
    if decision.action != action:
        raise RepairRefused(decision.reason)


def _provenance(fact: Fact, by: User) -> Provenance:
    return Provenance(
        Memory.Origin.OPERATOR,
        kind_of(fact).corrected_at(fact),
        source=Memory.Source.MANUAL,
        message_id=fact.stated_in,
        run_id=fact.run_id,
        by=by,
    )
