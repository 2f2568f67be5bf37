"""Withdraw memories of edited messages.

They count as superseded, so that the edited message can state them again.
"""

import uuid
from collections.abc import Sequence

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from memory.capture import lent, store
from memory.capture.copies import erase_copies
from memory.capture.profile_forgetting import withdraw_profile
from memory.journal import TEXT_KEPT
from memory.models import CaptureJob, Memory
from people.scope import Scope


@transaction.atomic
def withdraw(scope: Scope, message_ids: Sequence[uuid.UUID]) -> None:
    """Retire memories and delete profile facts; restore what has no successor."""
    store.lock(scope)
    learnt = Memory.objects.owned_by(scope).filter(source_message__in=message_ids)
    active = list(learnt.active().order_by("pk"))
    for memory in active:
        store.retire(memory, Memory.RetiredReason.SUPERSEDED)
    restore_replaced(scope, learnt)
    lent.relink_replaced(scope, active)
    withdraw_profile(scope, message_ids)
    erase_copies(scope, [])  # another message may state the same in a waiting job
    CaptureJob.objects.filter(
        user_id=store.owner(scope),
        space_id=scope.space_id,
        source_id__in=message_ids,
    ).delete()


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
