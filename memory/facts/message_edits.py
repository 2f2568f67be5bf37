"""Withdraw memories of edited messages, and tell them again with the old message.

They count as superseded, so that the edited message can state them again.
"""

import uuid
from collections.abc import Sequence

import numpy as np
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from memory.facts import deferred, store
from memory.facts.copies import erase_copies
from memory.facts.journal_lines import drop_journal_lines
from memory.facts.look import Proposal, tombstones
from memory.facts.lore import restore_withdrawn_lore, withdraw_lore
from memory.facts.profile_forgetting import tell_profile_again, withdraw_profile
from memory.journal import TEXT_KEPT
from memory.models import (
    CaptureJob,
    Memory,
    MemoryStatement,
    MemoryUpdate,
    ProfileFact,
)
from memory.models.memory import MemoryQuerySet
from memory.models.statement import MemoryStatementQuerySet
from memory.values import Candidate, Provenance
from people.scope import Scope

LATEST = MemoryStatement.objects.filter(
    memory=OuterRef("pk"), withdrawn=False
).order_by("-stated_at")


@transaction.atomic
def withdraw(scope: Scope, message_ids: Sequence[uuid.UUID]) -> None:
    """Retire what the messages stated; restore what has no successor."""
    store.lock(scope)
    learnt = _only_stated_in(scope, message_ids)
    for memory in learnt.active().order_by("pk"):
        store.retire(memory, Memory.RetiredReason.SUPERSEDED)
    restore_replaced(scope, learnt)
    withdraw_profile(scope, message_ids)
    withdraw_lore(scope, message_ids)
    drop_journal_lines(scope, message_ids)
    erase_copies(scope, [])  # another message may state the same in a waiting job
    CaptureJob.objects.filter(
        user_id=store.owner(scope),
        space_id=scope.space_id,
        source_id__in=message_ids,
    ).delete()


@transaction.atomic
def tell_again(scope: Scope, message_ids: Sequence[uuid.UUID]) -> None:
    """Restore withdrawn facts, and have memories resolved.

    What they had replaced is superseded again, unless it was stated since.
    """
    store.lock(scope)
    told = _stated_again_in(scope, message_ids)
    for memory in _withdrawn(told).exclude(content="").order_by("stated_at", "pk"):
        provenance = Provenance(memory.origin, memory.stated_at, run_id=memory.run_id)
        if not _is_forgotten(scope, memory, provenance):
            store.restore(scope, memory)
            _replace_again(scope, memory)
            deferred.put_resolution(scope, [memory.pk], provenance)
    tell_profile_again(scope, message_ids)
    restore_withdrawn_lore(scope, message_ids)


def _is_forgotten(scope: Scope, memory: Memory, provenance: Provenance) -> bool:
    """Whether nearly the same was retracted since."""
    vector = np.array(memory.embedding, np.float32)
    model = memory.embedding_model
    candidate = Candidate(memory.content)
    proposal = Proposal(scope, candidate, memory.content, vector, model, provenance)
    return any(
        row.retired_at is None or row.retired_at > memory.stated_at
        for row in tombstones(proposal)
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


def restore_replaced(scope: Scope, learnt: QuerySet[Memory]) -> None:
    """Restore what retired memories replaced, unless something else replaced it, too."""
    replaced = (
        Memory.objects.owned_by(scope)
        .filter(
            retired_reason=Memory.RetiredReason.SUPERSEDED,
            updates_away__new__in=learnt,
        )
        .exclude(pk__in=learnt)
    )
    for memory in replaced.distinct():
        if store.find_successor(scope, memory) is None:
            store.restore(scope, memory)
