"""Staff correct, retire, restore and erase a fact of any kind, by the rules of capture.

Each leaves an event with who did it.
"""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memory import service
from memory.facts.kinds import kind_of
from memory.facts.retraction import owner_scope
from memory.household import household, household_for, named_subject
from memory.models import Fact, Memory
from memory.reasons import Reason
from memory.subjects import Household, Subject
from memory.values import MEMORY_KIND, STORED, Candidate, Decision, Provenance
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


def add_fact(
    user: User, space_id: UUID, text: str, by: User, about: str | None = None
) -> Memory:
    """The row of a fact that staff write for a member. Network, then database.

    `about` names whom it is about; None leaves it to the words.

    Raises RepairRefused, NotAMember.
    """
    scope = scope_for(user, space_id, channel="")
    known = household(scope)
    candidate = Candidate(text, subject=_named(about, known))
    prepared = service.prepare_facts([candidate], known)
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


def repair_fact(
    fact: Fact, verb: str, by: User, text: str = "", about: str | None = None
) -> Fact:
    """Carry out an allowed repair; the row that has the fact now. Raises RepairRefused.

    `text` corrects it, and `about` whom it is about: network, then database.
    """
    scope = owner_scope(fact, by)
    if scope is None:
        raise RepairRefused(Reason.CHANGED)
    if verb == CORRECT:
        return _corrected(scope, fact, by, text, about)
    if verb == RETIRE and not service.forget(scope, [fact.pk], by=by):
        raise RepairRefused(Reason.CHANGED)
    if verb == RESTORE:
        (decision,) = service.restore(scope, [fact.pk], by=by)
        _demand(decision, "restore")
    if verb == ERASE:
        service.erase(scope, [fact.pk], by=by)
    return fact


def _named(about: str | None, known: Household) -> Subject | None:
    return None if about is None else named_subject(about, known)


def _corrected(
    scope: Scope, fact: Fact, by: User, text: str, about: str | None
) -> Fact:
    known = household_for(scope, fact.about)
    subject = _named(about, known)
    if subject and not subject.is_user and fact.of_kind != MEMORY_KIND:
        raise RepairRefused(Reason.OF_SPACE if fact.is_lore else Reason.OF_PROFILE)
    candidate = Candidate(
        text, fact.kind, fact.confidence, fact.evidence, subject=subject
    )
    prepared = service.prepare_facts([candidate], known)
    kind: Any = type(fact)
    with transaction.atomic():
        if subject is not None:
            service.assign(scope, [fact.pk], subject, by=by)
            if text == fact.told:
                moved: Fact = kind.objects.get(pk=fact.pk)
                return moved
        decision = service.correct(scope, fact.pk, prepared, _provenance(fact, by))
        _demand(decision, "replace")
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
