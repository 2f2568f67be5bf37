"""Take back what a reply stored, and restore what it forgot."""

import uuid
from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from memory import journal
from memory.facts import store
from memory.facts.copies import erase_copies
from memory.facts.lore import may_retract, restore_lore, retract_lore
from memory.facts.message_edits import restore_replaced
from memory.facts.profile_forgetting import restore_profile, take_back_profile
from memory.models import Memory, MemoryEvent, ProfileFact
from people.scope import Scope

Known = Memory | ProfileFact


@transaction.atomic
def take_back(scope: Scope, ids: Collection[uuid.UUID]) -> bool:
    """Retract what is active and restore what it replaced; False without any."""
    store.lock(scope)
    facts = take_back_profile(scope, ids)
    stored = Memory.objects.owned_by(scope).filter(pk__in=ids)
    active = list(stored.active().order_by("pk"))
    for memory in active:
        store.retire(memory, Memory.RetiredReason.RETRACTED)
    restore_replaced(scope, stored.filter(pk__in=[memory.pk for memory in active]))
    lore = list(may_retract(scope).filter(pk__in=ids, told_by=scope.user_id))
    retract_lore(lore, scope)
    taken: list[Known] = [*active, *facts, *lore]
    erase_copies(scope, [row.content for row in taken])
    keys = [row.pk for row in taken]
    journal.record_change(scope, MemoryEvent.Kind.FORGET, "retract", keys)
    return bool(taken)


@transaction.atomic
def restore_forgotten(scope: Scope, ids: Collection[uuid.UUID], at: datetime) -> bool:
    """Restore what was retracted `at` while its text is kept; False without any."""
    store.lock(scope)
    retracted = {"retired_reason": Memory.RetiredReason.RETRACTED, "retired_at": at}
    found = Memory.objects.owned_by(scope).filter(pk__in=ids, **retracted)
    forgotten = list(found.exclude(content="").order_by("pk"))
    for memory in forgotten:
        store.restore(scope, memory)
    profile = restore_profile(scope, ids, at)
    lore = restore_lore(scope, list(ids), at)
    restored: list[Known] = [*forgotten, *profile, *lore]
    keys = [row.pk for row in restored]
    journal.record_change(scope, MemoryEvent.Kind.RESTORE, "restore", keys)
    return bool(restored)
