"""Restore facts that were retracted or retired, and what retired facts replaced."""

import uuid
from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from memory import journal
from memory.copies import restoring_copies
from memory.facts import store
from memory.facts.profile_facts import MOST
from memory.models import Fact, Memory, MemoryEvent, ProfileFact
from memory.reasons import Reason
from memory.values import Decision
from people.models import User
from people.scope import Scope


def restore(
    scope: Scope,
    keys: Collection[uuid.UUID],
    *,
    at: datetime | None = None,
    by: User | None = None,
) -> list[Decision]:
    """Restore facts that were retracted at that time or, for staff, retired at any.

    One whose text is erased, or in whose place there is another, is rejected.
    """
    with transaction.atomic(), restoring_copies(scope):
        store.lock(scope)
        decisions = [
            _restore(scope, fact, by)
            for fact in store.named_facts(scope, keys, by, of_space=at is not None)
            if at is None or (fact.is_retracted and fact.retired_at == at)
        ]
        restored = [d.memory_id for d in decisions if d.action == "restore"]
        journal.record_change(
            scope, MemoryEvent.Kind.RESTORE, "restore", filter(None, restored), by=by
        )
    return decisions


def restore_replaced(scope: Scope, facts: Collection[Fact]) -> None:
    """Restore what facts replaced that are retired now, if nothing else did, too."""
    keys = [fact.pk for fact in facts]
    replaced = Memory.objects.owned_by(scope).filter(
        retired_reason=Fact.RetiredReason.SUPERSEDED, updates_away__new__in=keys
    )
    for memory in replaced.exclude(pk__in=keys).distinct():
        if store.find_successor(scope, memory) is None:
            store.reinstate(scope, memory)
    for fact in facts:
        if isinstance(fact, ProfileFact):
            _restore_previous(fact)


def _restore_previous(fact: ProfileFact) -> None:
    versions = ProfileFact.objects.of_key(fact)
    former = versions.superseded().exclude(value="")
    previous = former.order_by("-stated_at", "pk").first()
    if previous is not None and not versions.active().exists():
        previous.reactivate()


def _restore(scope: Scope, fact: Fact, by: User | None) -> Decision:
    kind = isinstance(fact, ProfileFact)
    if reason := _not_restorable(scope, fact, by):
        return Decision(fact.content, "reject", reason, fact.pk, profile=kind)
    if isinstance(fact, Memory):
        store.reinstate(scope, fact)
    else:
        fact.reactivate()
    return Decision(fact.content, "restore", Reason.REVIVED, fact.pk, profile=kind)


def _not_restorable(scope: Scope, fact: Fact, by: User | None) -> Reason | None:
    if fact.active:
        return Reason.CHANGED
    if not fact.content:
        return Reason.ERASED
    if by is not None and fact.is_retracted:
        events = MemoryEvent.objects.filter(kind=MemoryEvent.Kind.FORGET).about(fact)
        last = events.order_by("-created_at").first()
        if last is None or not last.data.get("by_staff"):
            return Reason.FORGOTTEN
    if isinstance(fact, Memory):
        # What the user forgot was active until then, though something replaced it before.
        was_active = by is None and fact.is_retracted
        replaced = not was_active and store.find_successor(scope, fact)
        return Reason.REPLACED if replaced else None
    active = ProfileFact.objects.owned_by(scope).active()
    if isinstance(fact, ProfileFact) and active.of_key(fact).exists():
        return Reason.REPLACED
    return Reason.FULL if active.count() >= MOST else None
