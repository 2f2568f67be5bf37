"""Withdraw memories of edited messages.

They count as superseded, so that the edited message can state them again.
"""

import uuid
from collections.abc import Sequence

from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery
from django.utils import timezone

from memory.capture import lent, store
from memory.capture.copies import erase_copies
from memory.capture.journal_lines import drop_journal_lines
from memory.capture.lore import withdraw_lore
from memory.capture.profile_forgetting import withdraw_profile
from memory.journal import TEXT_KEPT
from memory.models import CaptureJob, Memory, MemoryStatement
from memory.models.memory import MemoryQuerySet
from people.scope import Scope


@transaction.atomic
def withdraw(scope: Scope, message_ids: Sequence[uuid.UUID]) -> None:
    """Retire memories and delete profile facts; restore what has no successor."""
    store.lock(scope)
    learnt = _only_stated_in(scope, message_ids)
    active = list(learnt.active().order_by("pk"))
    for memory in active:
        store.retire(memory, Memory.RetiredReason.SUPERSEDED)
    restore_replaced(scope, learnt)
    lent.relink_replaced(scope, active)
    withdraw_profile(scope, message_ids)
    withdraw_lore(scope, message_ids)
    drop_journal_lines(scope, message_ids)
    erase_copies(scope, [])  # another message may state the same in a waiting job
    CaptureJob.objects.filter(
        user_id=store.owner(scope),
        space_id=scope.space_id,
        source_id__in=message_ids,
    ).delete()


def _only_stated_in(scope: Scope, message_ids: Sequence[uuid.UUID]) -> MemoryQuerySet:
    """Remove the statements of the messages; the memories that no other one states."""
    own = Memory.objects.owned_by(scope)
    withdrawn = MemoryStatement.objects.filter(message_id__in=message_ids)
    first = own.filter(source_message__in=message_ids).values_list("pk", flat=True)
    again = withdrawn.values_list("memory", flat=True)
    found = own.filter(pk__in=[*first, *again])
    withdrawn.filter(memory__in=found).delete()
    latest = MemoryStatement.objects.filter(memory=OuterRef("pk"))
    latest = latest.order_by("-stated_at")
    found.exclude(statements=None).update(
        stated_at=Subquery(latest.values("stated_at")[:1])
    )
    return found.filter(statements=None)


def delete_withdrawn() -> int:
    """Delete what was withdrawn a month ago: nothing took its place."""
    withdrawn = Memory.objects.filter(
        retired_reason=Memory.RetiredReason.SUPERSEDED,
        retired_at__lt=timezone.now() - TEXT_KEPT,
        updates_away=None,
    )
    return withdrawn.delete()[0]


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
