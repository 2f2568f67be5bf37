"""Change what is remembered of a caller's user."""

import hashlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from conversations.api.memories.caller import Caller
from conversations.api.memories.schema import (
    Added,
    Correction,
    DecisionOut,
    ForgottenMemories,
    NewFact,
    NewMemories,
    Wish,
    Wished,
)
from conversations.api.memories.showing import count_memories, find_fact, shown_facts
from conversations.api.models import AnsweredCall
from conversations.limits import count_message, take_room
from conversations.reply import confirmations
from meddie.http.api_edge import ApiError
from memory import service
from memory.household import household, household_for, named_subject
from memory.models import Fact, Memory
from memory.reasons import Reason
from memory.subjects import UNSURE, Household, Subject
from memory.values import (
    MEMORY_KIND,
    AnyCandidate,
    Candidate,
    Decision,
    LoreCandidate,
    ProfileCandidate,
    Provenance,
    metadata_text,
)
from memory.wording.own_words import own_words
from people import api_keys
from people.scope import Scope


@dataclass(frozen=True, slots=True)
class Repeatable:
    """A call that may be sent again: the name that its client gave it, and its body."""

    name: str
    body: bytes

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.body).hexdigest()


class NotChanged(ApiError):
    """The decision says why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(422, reason.label, code=reason.value)


def add_memories(
    caller: Caller,
    new: NewMemories,
    repeatable: Repeatable | None = None,
    *,
    said: str | None = None,
) -> Added:
    """Store facts, or have them extracted from messages. Network, then database.

    A `repeatable` call is carried out once. `said` are the user's own words if the facts
    are not: only what they state is remembered again after it was forgotten. Raises
    ApiError, LimitReached, NoRoomForText.
    """
    caller.demand("add")
    if repeatable and (known := _answered(caller, new, repeatable)):
        return known
    api_keys.count_calls(caller.key, max(0, len(new.facts) - 1))
    scope = caller.writing_scope(new.room)
    if new.extracts:
        return _once(caller, new, repeatable, lambda: _extract(caller, scope, new))
    if caller.user is not None:
        take_room(caller.user.pk, *(fact.line for fact in new.facts))
    people = household(scope)
    metadata = metadata_text(new.metadata)
    candidates = [_candidate(fact, people, metadata) for fact in new.facts]
    prepared = service.prepare_facts(candidates, people)

    def remember() -> Added:
        provenance = _provenance(caller, new, said)
        decisions = service.remember(scope, prepared, provenance)
        return Added(
            decisions=[
                DecisionOut.of(decision, fact.line)
                for decision, fact in zip(decisions, new.facts, strict=True)
            ],
            jobs=[],
        )

    return _once(caller, new, repeatable, remember)


def _candidate(fact: NewFact, known: Household, metadata: str) -> AnyCandidate:
    if fact.kind == "profile":
        shares = (fact.confidence, fact.importance)
        return ProfileCandidate(fact.category, fact.key, fact.value, *shares)
    if fact.kind == "lore":
        return LoreCandidate(fact.text)
    subject = None if fact.subject is None else named_subject(fact.subject, known)
    return Candidate(
        fact.text, confidence=fact.confidence, subject=subject, metadata=metadata
    )


def _provenance(caller: Caller, new: NewMemories, said: str | None) -> Provenance:
    """What the user sends is all the evidence that it needs."""
    at = new.stated_at or timezone.now()
    if said is None:
        said = "\n".join(fact.line for fact in new.facts)
    return Provenance.by_hand(said, at, by=caller.by)


@transaction.atomic
def _extract(caller: Caller, scope: Scope, new: NewMemories) -> Added:
    at = new.stated_at or timezone.now()
    provenance = Provenance(Memory.Origin.BACKGROUND, at, by=caller.by)
    jobs, decisions = [], []
    for number, message in enumerate(new.messages):
        if message.role != "user":
            continue
        if caller.user is not None:
            count_message(caller.user.pk)
        context = [(m.role, m.content) for m in new.messages[:number]][-4:]
        text = own_words(message.content)
        metadata = metadata_text(new.metadata)
        job = service.capture_later(scope, text, provenance, context, metadata=metadata)
        if job is not None:
            jobs.append(job)
    if not jobs:
        off = Reason.CAPTURE_OFF if scope.writes else Reason.NO_MEMORY
        decisions = [
            DecisionOut.of(Decision(fact.line, "reject", off)) for fact in new.facts
        ]
    return Added(decisions=decisions, jobs=jobs)


def _answered(caller: Caller, new: NewMemories, call: Repeatable) -> Added | None:
    """The answer to the same call. Raises ApiError."""
    own = AnsweredCall.objects.filter(key=caller.key, user=caller.user)
    row = own.filter(name=call.name).first()
    if row is None:
        return None
    if row.digest != call.digest:
        text = _("This Idempotency-Key was used for another request.")
        raise ApiError(422, text, code="idempotency_key_reused")
    answer = Added.model_validate(row.answer)
    for decision, fact in zip(answer.decisions, new.facts, strict=False):
        decision.text = fact.line
    return answer


def _once(
    caller: Caller,
    new: NewMemories,
    call: Repeatable | None,
    work: Callable[[], Added],
) -> Added:
    """Work and keep the answer without its texts; a parallel call waits for it."""
    if call is None:
        return work()
    names = {"key": caller.key, "user": caller.user, "name": call.name}
    with transaction.atomic():
        row = AnsweredCall(digest=call.digest, **names)
        AnsweredCall.objects.bulk_create([row], ignore_conflicts=True)
        if not AnsweredCall.objects.filter(pk=row.pk).exists():
            return _answered(caller, new, call) or work()
        answer = work()
        row.answer = answer.model_dump(mode="json")
        for decision in row.answer["decisions"]:
            decision["text"] = ""
        row.save(update_fields=["answer"])
    return answer


def correct_memory(caller: Caller, key: UUID, correction: Correction) -> DecisionOut:
    """Network, then database. Raises NotKnown, NotChanged, NoRoomForText."""
    caller.demand("change")
    fact, scope = find_fact(caller, key), caller.scope
    known = household_for(scope, fact.about)
    named = correction.subject
    subject = None if named is None else named_subject(named, known)
    if subject and not subject.is_user and fact.of_kind != MEMORY_KIND:
        raise NotChanged(Reason.OF_SPACE if fact.is_lore else Reason.OF_PROFILE)
    if not correction.text:
        return _assign(caller, fact, subject or UNSURE)
    if caller.user is not None:
        take_room(caller.user.pk, correction.text)
    candidate = Candidate(correction.text, subject=subject)
    prepared = service.prepare_facts([candidate], known)
    provenance = Provenance.by_hand("", timezone.now(), by=caller.by)
    with transaction.atomic():
        if subject is not None:
            service.assign(scope, [key], subject, by=caller.by)
        decision = service.correct(scope, key, prepared, provenance)
        if decision.action == "reject" and subject is not None:
            transaction.set_rollback(True)
    if decision.action == "reject":
        raise NotChanged(decision.reason)
    return DecisionOut.of(decision)


def _assign(caller: Caller, fact: Fact, subject: Subject) -> DecisionOut:
    """Raises NotChanged for a fact of others, and for a replaced one."""
    if fact.is_lore or fact.user_id != caller.scope.user_id:
        raise NotChanged(Reason.OF_SPACE if fact.is_lore else Reason.GONE)
    service.assign(caller.scope, [fact.pk], subject, by=caller.by)
    caller.record_look([fact], "moved")
    moved = Decision(fact.content, "assign", Reason.CORRECTION, fact.pk, fact.pk)
    return DecisionOut.of(moved)


def note_memory(caller: Caller, key: UUID, metadata: Mapping[str, Any]) -> None:
    """Replace what a program noted. Raises NotKnown, and NotChanged for lore."""
    caller.demand("change")
    fact = find_fact(caller, key)
    if fact.of_kind != MEMORY_KIND or fact.user_id != caller.scope.user_id:
        raise NotChanged(Reason.OF_SPACE if fact.is_lore else Reason.GONE)
    own = Memory.objects.owned_by(caller.scope).filter(pk=key)
    own.update(metadata=metadata_text(metadata))


def forget_memory(caller: Caller, key: UUID, *, erases: bool) -> ForgottenMemories:
    """Raises NotKnown and NotChanged."""
    caller.demand("delete" if erases else "change")
    fact = find_fact(caller, key)
    forget = service.erase if erases else service.forget
    gone = forget(caller.scope, [key], by=caller.by)
    if not gone:
        raise NotChanged(Reason.GONE if fact.user_id else Reason.OF_SPACE)
    return ForgottenMemories(forgotten=gone)


def forget_named(caller: Caller, key: UUID) -> Wished:
    """The same for a fact that is named by its key, as a decision."""
    text = find_fact(caller, key).content
    forget_memory(caller, key, erases=False)
    gone = Decision(text, "retract", Reason.FORGOTTEN, target_id=key)
    return Wished(decisions=[DecisionOut.of(gone)], nearest=[])


def erase_all(caller: Caller, keys: Collection[UUID] | None = None) -> int:
    """Erase these facts, or all that is remembered of the user; how many there were."""
    caller.demand("delete")
    scope = caller.scope
    if scope.user_id is None:
        return 0
    if keys is not None:
        return len(service.erase(scope, keys, by=caller.by)) if keys else 0
    count = count_memories(caller)
    confirmations.forget_scope(scope)
    service.erase(scope, None, by=caller.by)
    return count


def forget_wished(caller: Caller, wish: Wish) -> Wished:
    """Forget what a sentence states. Network, then database."""
    caller.demand("change")
    prepared = service.prepare_forgetting([wish.text])
    provenance = Provenance.by_hand("", timezone.now(), by=caller.by)
    decisions = service.forget_stated(caller.scope, prepared, provenance)
    nearest: list[Any] = [pk for decision in decisions for pk in decision.nearest]
    return Wished(
        decisions=[DecisionOut.of(decision) for decision in decisions],
        nearest=shown_facts(caller, nearest, "nearest") if nearest else [],
    )
