"""Withdraw facts of edited messages, and tell them again with the old message.

They count as superseded, so that the edited message can state them again.
"""

import uuid
from collections.abc import Collection, Sequence

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, Subquery
from django.utils import timezone

from memory.copies import restoring_copies
from memory.facts import deferred, store
from memory.facts.journal_lines import drop_journal_lines
from memory.facts.kind import Stated
from memory.facts.look import tombstones
from memory.facts.lore import find_reworded
from memory.facts.profile_facts import MOST_FACTS
from memory.facts.restoration import restore_replaced
from memory.facts.retraction import erase_copies
from memory.models import (
    CaptureJob,
    Fact,
    Memory,
    MemoryStatement,
    MemoryUpdate,
    ProfileFact,
)
from memory.models.fact import TEXT_KEPT
from memory.models.memory import MemoryQuerySet
from memory.models.statement import MemoryStatementQuerySet
from memory.values import Candidate, Proposal, Provenance, told_line
from people.scope import Scope

LATEST = MemoryStatement.objects.filter(
    memory=OuterRef("pk"), withdrawn=False
).order_by("-stated_at")


def withdraw(
    scope: Scope, gone: Sequence[uuid.UUID], back: Sequence[uuid.UUID] = ()
) -> None:
    """As `service.withdraw`; what it replaced is restored."""
    with transaction.atomic(), restoring_copies(scope):
        store.lock(scope)
        if gone:
            _withdraw(scope, gone)
        if back:
            _tell_again(scope, back)


def _withdraw(scope: Scope, message_ids: Sequence[uuid.UUID]) -> None:
    learnt = list(_only_stated_in(scope, message_ids).defer(*Memory.VECTORS))
    stated = ProfileFact.objects.owned_by(scope).filter(message_id__in=message_ids)
    stated.superseded().update(withdrawn=True)
    facts: list[Fact] = [*learnt, *stated.active()]
    for fact in facts:
        fact.withdraw()
    restore_replaced(scope, facts)
    for line in _lore_of(scope, message_ids).active().defer(*Memory.VECTORS):
        line.withdraw()
    drop_journal_lines(scope, message_ids)
    erase_copies(scope, [])  # another message may state the same in a waiting job
    CaptureJob.objects.filter(
        user_id=store.owner(scope),
        space_id=scope.space_id,
        source_id__in=message_ids,
    ).delete()


def _tell_again(scope: Scope, message_ids: Sequence[uuid.UUID]) -> None:
    """Restore withdrawn facts, and have memories resolved."""
    told = _stated_again_in(scope, message_ids)
    for memory in _withdrawn(told).exclude(content="").order_by("stated_at", "pk"):
        provenance = Provenance(memory.origin, memory.stated_at, run_id=memory.run_id)
        if not _is_forgotten(scope, memory, provenance):
            store.reinstate(scope, memory)
            _replace_again(scope, memory)
            deferred.put_resolution(scope, [memory.pk], provenance)
    own = ProfileFact.objects.owned_by(scope).withdrawn()
    for fact in own.filter(message_id__in=message_ids).order_by("stated_at", "pk"):
        _tell_profile_again(scope, fact)
    known = Memory.objects.lore_of(scope.space_id).defer(*Memory.VECTORS)
    for memory in _withdrawn(_lore_of(scope, message_ids)).exclude(content=""):
        if find_reworded(known, told_line(memory.content)) is None:
            memory.reactivate()


def _lore_of(scope: Scope, message_ids: Sequence[uuid.UUID]) -> MemoryQuerySet:
    """What the user told in the messages, after its lock."""
    store.lock_lore(scope.space_id)
    return Memory.objects.told_by(scope).filter(source_message__in=message_ids)


def _tell_profile_again(scope: Scope, fact: ProfileFact) -> None:
    """Unless the key was stated or forgotten since."""
    own = ProfileFact.objects.owned_by(scope)
    since = own.tombstones(fact.category, fact.key)
    if since.filter(retired_at__gt=fact.stated_at).exists():
        return
    active = own.of_key(fact).active().first()
    if active and active.stated_at < fact.stated_at:
        active.retire(Fact.RetiredReason.SUPERSEDED)
        fact.reactivate()
    elif active is None and own.active().count() < MOST_FACTS:
        fact.reactivate()
    else:
        fact.withdrawn = False
        fact.save()


def _is_forgotten(scope: Scope, memory: Memory, provenance: Provenance) -> bool:
    """Whether nearly the same was retracted since."""
    text = memory.content
    proposal = Proposal(Candidate(text), text, vector=memory.vector)
    stated = Stated(scope, proposal, provenance, memory.embedding_model)
    return any(
        row.retired_at is None or row.retired_at > memory.stated_at
        for row in tombstones(stated)
    )


def _replace_again(scope: Scope, memory: Memory) -> None:
    updates = MemoryUpdate.objects.filter(user_id=store.owner(scope), new=memory)
    reasons = dict(updates.order_by("created_at").values_list("old", "reason"))
    older = Memory.objects.active().filter(
        pk__in=reasons, stated_at__lte=memory.stated_at, links__user=scope.user_id
    )
    for old in older.defer("embedding", "near"):
        store.supersede(scope, old, memory, reasons[old.pk])


def _withdrawn(rows: MemoryQuerySet) -> MemoryQuerySet:
    """Superseded by nothing."""
    superseded = Memory.RetiredReason.SUPERSEDED
    return rows.filter(retired_reason=superseded, updates_away=None)


def _only_stated_in(scope: Scope, message_ids: Sequence[uuid.UUID]) -> MemoryQuerySet:
    """Withdraw the statements of the messages; the memories that no other one states."""
    found, statements = _stated_in(scope, message_ids)
    stored = found.active().filter(source_message__in=message_ids)
    statements.add_first(stored.defer("embedding", "near"), withdrawn=True)
    statements.filter(message_id__in=message_ids).update(withdrawn=True)
    _date_by_statements(found)
    return found.exclude(Exists(LATEST))


def _stated_again_in(scope: Scope, message_ids: Sequence[uuid.UUID]) -> MemoryQuerySet:
    """Restore the statements of the messages; their memories."""
    found, statements = _stated_in(scope, message_ids)
    others = found.active().exclude(source_message__in=message_ids)
    statements.add_first(others.defer("embedding", "near"))
    statements.filter(message_id__in=message_ids).update(withdrawn=False)
    _date_by_statements(found)
    return found


def _stated_in(
    scope: Scope, message_ids: Sequence[uuid.UUID]
) -> tuple[MemoryQuerySet, MemoryStatementQuerySet]:
    """Memories that the messages state, and all statements of these."""
    own = Memory.objects.owned_by(scope)
    stated = Q(source_message__in=message_ids) | Q(
        statements__message_id__in=message_ids
    )
    found = own.filter(pk__in=list(own.filter(stated).values_list("pk", flat=True)))
    return found, MemoryStatement.objects.filter(memory__in=found)


def _date_by_statements(memories: MemoryQuerySet) -> None:
    dated = memories.filter(Exists(LATEST))
    dated.update(stated_at=Subquery(LATEST.values("stated_at")[:1]))


def delete_withdrawn() -> int:
    """Delete what was withdrawn a month ago: nothing took its place."""
    long_ago = timezone.now() - TEXT_KEPT
    facts = ProfileFact.objects.withdrawn().filter(retired_at__lt=long_ago)
    memories = _withdrawn(Memory.objects.filter(retired_at__lt=long_ago))
    return facts.delete()[0] + memories.delete()[0]


def stated_only_in(scope: Scope, message_ids: Collection[uuid.UUID]) -> list[uuid.UUID]:
    """Keys of the user's facts, also superseded ones, that no other message stated."""
    stated = Q(source_message__in=message_ids)
    statements = MemoryStatement.objects.filter(memory=OuterRef("pk"))
    here = Exists(statements.filter(message_id__in=message_ids))
    elsewhere = Exists(statements.standing().exclude(message_id__in=message_ids))
    own = Memory.objects.owned_by(scope).filter(stated | here).exclude(elsewhere)
    memories = own.exclude(retired_reason=Memory.RetiredReason.RETRACTED)
    lore = Memory.objects.told_by(scope).active().filter(stated)
    profile = ProfileFact.objects.owned_by(scope).filter(message_id__in=message_ids)
    profile = profile.filter(Q(active=True) | Q(withdrawn=True))
    return [
        key
        for rows in (memories, lore, profile)
        for key in rows.values_list("pk", flat=True)
    ]
