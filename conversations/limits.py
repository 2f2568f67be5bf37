"""Limits of a user: messages a day (UTC), and bytes of files."""

from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import QuerySet, Sum
from django.utils import timezone

from conversations.models import Attachment, Message, Thread
from conversations.refusals import (
    LimitReached,
    NoRoom,
    NoRoomForGuest,
    TooManyUnsent,
)
from people.models import User

MOST_UNSENT = 50  # files of a user


def count_guest(thread: Thread) -> None:
    """Check the limit of a locked thread without a user. Raises LimitReached."""
    midnight = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    sent = thread.messages.filter(role=Message.Role.USER, created_at__gte=midnight)
    if sent.count() >= settings.DAILY_MESSAGES:
        raise LimitReached


def count_message(user_id: UUID, answers: int = 1) -> None:
    """Count what is asked of the model, safe for concurrent tabs. Raises LimitReached.

    Several `answers` to one message count each.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO conversations_dailyuse AS used (user_id, day, messages)
            SELECT %(user)s, %(day)s, %(answers)s WHERE %(answers)s <= %(limit)s
            ON CONFLICT ON CONSTRAINT conversations_dailyuse_unique
            DO UPDATE SET messages = used.messages + %(answers)s
            WHERE used.messages + %(answers)s <= %(limit)s
            RETURNING messages
            """,
            {
                "user": user_id,
                "day": timezone.now().date(),
                "answers": answers,
                "limit": settings.DAILY_MESSAGES,
            },
        )
        if cursor.fetchone() is None:
            raise LimitReached


def check_room(user: User, sha256: str, size: int) -> None:
    """Check the user's quota for a file, in its transaction.

    Raises NoRoom, TooManyUnsent.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if Attachment.objects.filter(user=user, message=None).count() >= MOST_UNSENT:
        raise TooManyUnsent
    # Bytes that the user has need no room.
    others = Attachment.objects.filter(user=user).exclude(sha256=sha256)
    if _bytes(others) + size > _quota():
        raise NoRoom


def check_room_of_guest(thread: Thread, size: int) -> None:
    """The same for a thread without a user. Raises NoRoomForGuest."""
    Thread.objects.select_for_update(no_key=True).get(pk=thread.pk)
    files = Attachment.objects.filter(user=None, message__thread=thread)
    if _bytes(files) + size > _quota():
        raise NoRoomForGuest


def bytes_used(user_id: UUID) -> int:
    """Also in spaces that the user has left."""
    return _bytes(Attachment.objects.filter(user=user_id))


def _bytes(files: QuerySet[Attachment]) -> int:
    """Equal files are stored once."""
    stored = files.values("sha256", "size").distinct()
    return stored.aggregate(bytes=Sum("size"))["bytes"] or 0


def _quota() -> int:
    return settings.FILE_QUOTA_MB * 1024 * 1024
