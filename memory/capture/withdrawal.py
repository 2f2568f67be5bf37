"""What was learnt from words that the user has taken back by saying them differently.

It counts as superseded, so the same fact comes back when the new words state it.
"""

import uuid
from collections.abc import Sequence

from django.db import transaction

from memory.capture import rows
from memory.models import CaptureJob, Memory
from people.scope import Scope


@transaction.atomic
def withdraw(
    user_id: uuid.UUID, space_id: uuid.UUID, message_ids: Sequence[uuid.UUID]
) -> None:
    """Retire what these messages of the user's led to, and what waits of it."""
    rows.lock(Scope(user_id, space_id, ""))
    learnt = Memory.objects.active().filter(
        user_id=user_id, space_id=space_id, source_message__in=message_ids
    )
    for memory in learnt.order_by("pk"):
        rows.retire(memory, Memory.RetiredReason.SUPERSEDED)
    CaptureJob.objects.filter(
        user_id=user_id, space_id=space_id, source_id__in=message_ids
    ).delete()
