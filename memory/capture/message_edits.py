"""What was learnt from words that the user has taken back by saying them differently.

It counts as superseded, so the same fact comes back when the new words state it. What
it had taken the place of stands again, unless something else took that place, too.
"""

import uuid
from collections.abc import Sequence

from django.db import transaction

from memory.capture import store
from memory.models import CaptureJob, Memory, MemoryUpdate
from people.scope import Scope


@transaction.atomic
def withdraw(
    user_id: uuid.UUID, space_id: uuid.UUID, message_ids: Sequence[uuid.UUID]
) -> None:
    """Retire what these messages of the user's led to, and what waits of it."""
    scope = Scope(user_id, space_id, "")
    store.lock(scope)
    mine = Memory.objects.filter(user_id=user_id, space_id=space_id)
    learnt = mine.filter(source_message__in=message_ids)
    for memory in learnt.active().order_by("pk"):
        store.retire(memory, Memory.RetiredReason.SUPERSEDED)
    given_way = mine.filter(
        retired_reason=Memory.RetiredReason.SUPERSEDED, updates_away__new__in=learnt
    ).exclude(pk__in=learnt)
    for memory in given_way.distinct():
        if not _has_successor(memory):
            store.restore(scope, memory)
    CaptureJob.objects.filter(
        user_id=user_id, space_id=space_id, source_id__in=message_ids
    ).delete()


def _has_successor(memory: Memory) -> bool:
    """Whether what took its place, or the place of that, still stands."""
    seen: set[uuid.UUID] = set()
    last = {memory.pk}
    while last:
        seen |= last
        updates = MemoryUpdate.objects.filter(old__in=last, new__isnull=False)
        if updates.filter(new__active=True).exists():
            return True
        last = set(updates.values_list("new", flat=True)) - seen
    return False
