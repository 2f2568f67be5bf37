"""Take back what a reply stored, and restore what it forgot."""

import uuid
from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from memory import journal
from memory.capture import store
from memory.capture.forgetting import erase_copies
from memory.capture.message_edits import restore_replaced
from memory.models import Memory, MemoryEvent
from people.scope import Scope


@transaction.atomic
def take_back(scope: Scope, ids: Collection[uuid.UUID]) -> bool:
    """Retract active memories and restore what they replaced; False without any."""
    store.lock(scope)
    stored = Memory.objects.owned_by(scope).filter(pk__in=ids)
    active = list(stored.active().order_by("pk"))
    for memory in active:
        store.retire(memory, Memory.RetiredReason.RETRACTED)
    restore_replaced(scope, stored.filter(pk__in=[memory.pk for memory in active]))
    erase_copies(scope, [memory.content for memory in active])
    _record(scope, MemoryEvent.Kind.FORGET, active)
    return bool(active)


@transaction.atomic
def restore_forgotten(scope: Scope, ids: Collection[uuid.UUID], at: datetime) -> bool:
    """Restore memories retracted `at` whose text is kept; False without any."""
    store.lock(scope)
    retracted = {"retired_reason": Memory.RetiredReason.RETRACTED, "retired_at": at}
    found = Memory.objects.owned_by(scope).filter(pk__in=ids, **retracted)
    forgotten = list(found.exclude(content="").order_by("pk"))
    for memory in forgotten:
        store.restore(scope, memory)
    _record(scope, MemoryEvent.Kind.RESTORE, forgotten)
    return bool(forgotten)


def _record(scope: Scope, kind: str, memories: Collection[Memory]) -> None:
    if memories:
        data = {"memories": [str(memory.pk) for memory in memories], "undo": True}
        journal.record(scope, kind, data)
