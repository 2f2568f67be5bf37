"""Rows of replies whose answers are under way.

They say "interrupted" until they are finished: the process may be killed.
"""

from collections.abc import Mapping
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from conversations.models import Message


def unfinished_reply(message: Message, note: str) -> Message:
    return Message(
        role=Message.Role.ASSISTANT,
        answers=message,
        status=Message.Status.INTERRUPTED,
        error="interrupted",
        emergency_note=note,
        heartbeat_at=timezone.now(),
    )


def save_parts(parts: Mapping[UUID, str]) -> None:
    """The texts of unfinished replies so far."""
    unfinished = Message.objects.filter(pk__in=parts).exclude(heartbeat_at=None)
    with transaction.atomic():
        keys = unfinished.select_for_update(skip_locked=True)
        rows = [
            Message(pk=key, content=parts[key], heartbeat_at=timezone.now())
            for key in keys.values_list("pk", flat=True)
        ]
        Message.objects.bulk_update(rows, ["content", "heartbeat_at"])


def drop_reply(reply_id: UUID) -> None:
    """Of an answer without words."""
    Message.objects.filter(pk=reply_id).delete()
