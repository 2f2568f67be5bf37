"""Restore facts of any kind by their keys, and what was replaced by what is retired now."""

import uuid
from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from memory import journal
from memory.copies import restoring_copies
from memory.facts import store
from memory.facts.kinds import KINDS, kind_of, named_facts
from memory.models import Fact, MemoryEvent
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
    """As `service.restore`. One that is erased, or has been replaced, is rejected."""
    with transaction.atomic(), restoring_copies(scope):
        store.lock(scope)
        decisions = [
            _restore(scope, fact, by)
            for fact in named_facts(scope, keys, by, of_space=at is not None)
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
    for kind in KINDS.values():
        own = [fact for fact in facts if fact.of_kind == kind.name]
        kind.restore_replaced(scope, own, keys)


def _restore(scope: Scope, fact: Fact, by: User | None) -> Decision:
    name, text = fact.of_kind, fact.content
    if reason := _not_restorable(scope, fact, by):
        return Decision(text, "reject", reason, fact.pk, kind=name)
    kind_of(fact).reinstate(scope, fact)
    return Decision(text, "restore", Reason.REVIVED, fact.pk, kind=name)


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
    return kind_of(fact).why_not_restored(scope, fact, by_user=by is None)
