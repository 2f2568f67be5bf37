"""Retract memories: they leave every answer at once, their text after 30 days.

The row remains as a tombstone, so that the same conversation does not restore the fact.
"""

import uuid
from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from memory import journal
from memory.copies import forget_copies, withhold_copies
from memory.facts import store
from memory.facts.copies import erase_copies
from memory.facts.journal_lines import drop_journal_lines
from memory.facts.lore import retract_lore, told_lore
from memory.facts.profile_forgetting import (
    blank_old_values,
    forget_profile,
    retract_fact,
)
from memory.models import (
    CaptureJob,
    EpisodicMemory,
    Memory,
    MemoryEvent,
    MemoryLink,
    ProfileFact,
)
from people.models import User
from people.scope import Scope, retraction_scope

FORGET = MemoryEvent.Kind.FORGET


def forget_memory(scope: Scope, memory_id: uuid.UUID) -> bool:
    """Retract or unlink one memory that the scope sees; False if it sees none."""
    with transaction.atomic():
        store.lock(scope)
        memory = next(iter(store.read_active(scope, [memory_id])), None)
        if memory is None:
            return False
        if store.is_lent(scope, memory):
            store.unlink(scope, memory)
            erase_copies(scope, [memory.content])
        else:
            _retire(scope, memory)
        journal.record_change(scope, FORGET, "retract", [memory.pk])
    return True


def retract(memory: Memory, by: User) -> bool:
    """Retract on behalf of staff; False if it was retracted before."""
    with transaction.atomic():
        scope = lock_owner(memory, by)
        memory.refresh_from_db(fields=["active", "retired_reason"])
        if scope is None or memory.retired_reason == Memory.RetiredReason.RETRACTED:
            return False
        _retire(scope, memory)
        journal.record_change(scope, FORGET, "retract", [memory.pk], by=by)
    return True


@transaction.atomic
def erase(memory: Memory, by: User | None = None) -> None:
    """Retract a memory and blank its texts at once, also of earlier versions.

    The tombstones remain.
    """
    scope = lock_owner(memory, by)
    lore = memory.audience == Memory.Audience.SPACE
    versions = store.earlier_versions(scope, [memory], lore=lore) if scope else []
    if scope is None:
        store.retire(memory, Memory.RetiredReason.RETRACTED)
    else:
        _retire(scope, memory)
        journal.record_change(scope, FORGET, "retract", [memory.pk], by=by)
    _blank(Memory.objects.filter(pk__in=[memory.pk, *(row.pk for row in versions)]))


@transaction.atomic
def erase_facts(scope: Scope, keys: Collection[uuid.UUID]) -> int:
    """Forget own facts for good, also superseded ones; return how many.

    Memories of others lose the user's link, and lore that the user told is retracted.
    """
    store.lock(scope)
    retracted = Memory.RetiredReason.RETRACTED
    owned = Memory.objects.owned_by(scope).exclude(retired_reason=retracted)
    own = list(owned.filter(pk__in=keys).defer("embedding", "near"))
    others = [
        m for m in store.read_active(scope, list(keys)) if store.is_lent(scope, m)
    ]
    told = list(told_lore(scope).active().filter(pk__in=keys))
    named = ProfileFact.objects.owned_by(scope).filter(pk__in=keys)
    profile, withdrawn = list(named.active()), list(named.withdrawn())
    former = store.earlier_versions(scope, told, lore=True)
    former += store.earlier_versions(scope, own)
    blanked = {row.pk for row in (*own, *told, *former)}
    texts = [row.content for row in others]
    for memory in own:
        texts += retract_versions(scope, memory, timezone.now())
    for memory in others:
        store.unlink(scope, memory)
    retract_lore(told, scope)
    for fact in profile:
        texts += retract_fact(fact)
        ProfileFact.objects.of_key(fact).blank()
    ProfileFact.objects.filter(pk__in=[fact.pk for fact in withdrawn]).delete()
    erase_copies(scope, texts)
    _blank(Memory.objects.filter(pk__in=blanked))
    forgotten = [row.pk for row in (*own, *others, *told, *profile, *withdrawn)]
    journal.record_change(scope, FORGET, "retract", forgotten)
    return len(forgotten)


def lock_owner(memory: Memory, by: User | None = None) -> Scope | None:
    """Lock the scope of a user's memory. Of lore it is that of who told it, or staff."""
    owner = memory.user_id or memory.told_by_id or (by.pk if by else None)
    if owner is None or memory.space_id is None:
        return None
    scope = retraction_scope(owner, memory.space_id, channel=memory.channel)
    store.lock(scope)
    return scope


def _retire(scope: Scope, memory: Memory) -> None:
    """Retract a memory with its earlier versions, and erase other copies of the text."""
    if memory.audience == Memory.Audience.SPACE:
        retract_lore([memory], scope)
        return
    erase_copies(scope, retract_versions(scope, memory, timezone.now()))


def retract_versions(scope: Scope, memory: Memory, at: datetime) -> list[str]:
    """Retract a memory with its earlier versions; return their texts.

    Other facts of their messages lose their evidence, which may quote them.
    """
    rows = [memory, *store.earlier_versions(scope, [memory])]
    for row in rows:
        store.retire(row, Memory.RetiredReason.RETRACTED, at)
    told = [row.source_message_id for row in rows if row.source_message_id]
    of_the_same = Memory.objects.owned_by(scope).filter(source_message__in=told)
    of_the_same.exclude(evidence="").update(evidence="")
    return [row.content for row in rows]


def forget_everything(scope: Scope) -> int:
    """Retract all that is known in the scope; return how much of it was active.

    The texts of those retracted before are blanked at once, so none can be restored.
    """
    owner = {"user_id": store.owner(scope), "space_id": scope.space_id}
    retracted = Memory.RetiredReason.RETRACTED
    with transaction.atomic():
        store.lock(scope)
        forget_copies(scope, None)
        active = Memory.objects.visible_to(scope).active()
        keys = list(active.values_list("pk", flat=True))
        keys += [*forget_profile(scope), *_forget_lore(scope)]
        _blank(Memory.objects.owned_by(scope).filter(retired_reason=retracted))
        own = Memory.objects.owned_by(scope).exclude(retired_reason=retracted)
        MemoryLink.objects.filter(**owner).delete()
        unlinked = ~Exists(MemoryLink.objects.filter(memory=OuterRef("pk")))
        store.retire_rows(own.filter(unlinked), retracted)
        CaptureJob.objects.filter(**owner).delete()
        EpisodicMemory.objects.filter(**owner).delete()
        MemoryEvent.objects.erase_texts(store.owner(scope), scope.space_id)
        drop_journal_lines(scope)
        journal.record_change(scope, FORGET, "retract", keys)
    return len(keys)


def _forget_lore(scope: Scope) -> list[uuid.UUID]:
    """Retract the lines that the user told; return those that were active."""
    told = told_lore(scope)
    _blank(told.filter(retired_reason=Memory.RetiredReason.RETRACTED))
    kept = told.exclude(retired_reason=Memory.RetiredReason.RETRACTED)
    lines = list(kept.defer("embedding", "near"))
    active = [line.pk for line in lines if line.active]
    retract_lore(lines, scope)
    return active


@transaction.atomic
def erase_forgotten(scope: Scope) -> None:
    """Blank the texts of all that the user forgot, before the 30 days are over."""
    for rows in (Memory.objects.owned_by(scope), told_lore(scope)):
        _blank(rows.filter(retired_reason=Memory.RetiredReason.RETRACTED))


@transaction.atomic
def blank_old_texts() -> int:
    before = timezone.now() - journal.TEXT_KEPT
    retracted = Memory.objects.filter(
        retired_reason=Memory.RetiredReason.RETRACTED, retired_at__lt=before
    )
    texts = _blank(retracted.exclude(content="", evidence=""))
    events = MemoryEvent.objects.filter(created_at__lt=before).exclude(texts={})
    return texts + blank_old_values(before) + events.update(texts={})


def _blank(memories: QuerySet[Memory]) -> int:
    facts = memories.exclude(content="").only("user", "space", "audience")
    withhold_copies(list(facts))
    return memories.update(content="", evidence="")
