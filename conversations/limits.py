"""Limits of a user: messages and background calls a day (UTC), and bytes that are stored."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import Func, QuerySet, Sum
from django.utils import timezone

from conversations.models import Attachment, DailyUse, Message, Thread
from conversations.refusals import (
    LimitReached,
    NoRoom,
    NoRoomForGuest,
    NoRoomForText,
    TooManyUnsent,
)
from meddie.ai.errors import NoCallsLeft
from meddie.ai.provider import current_provider
from memory.models import Memory, ProfileFact
from people.models import User

MOST_UNSENT = 50  # files of a user
MESSAGES_OF_MODEL, ENDLESS = 200, 2**31 - 1  # a day, unless a setting says how many


def daily_messages() -> int:
    """What costs nothing has no limit."""
    if settings.DAILY_MESSAGES is not None:
        return settings.DAILY_MESSAGES
    return MESSAGES_OF_MODEL if current_provider().connected else ENDLESS


def count_guest(thread: Thread) -> None:
    """Check the limit of a locked thread without a user. Raises LimitReached."""
    midnight = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    sent = thread.messages.filter(role=Message.Role.USER, created_at__gte=midnight)
    if sent.count() >= daily_messages():
        raise LimitReached


def count_message(user_id: UUID, text: str = "", *, answers: int = 1) -> None:
    """Count what is asked of the model, and the text that will be stored.

    Safe for concurrent tabs. Several `answers` to one message count each. Raises
    LimitReached, NoRoomForText.
    """
    size = len(text.encode())
    if _add_use(user_id, messages=answers, stored=size):
        return
    today = DailyUse.objects.filter(user=user_id, day=timezone.now().date()).first()
    if (today.messages if today else 0) + answers > daily_messages():
        raise LimitReached
    if not _may_store(user_id, size):
        raise NoRoomForText
    if not _add_use(user_id, messages=answers, stored=size):
        raise LimitReached


def take_room(user_id: UUID, *texts: str) -> None:
    """Count texts that will be stored and that no model answers. Raises NoRoomForText."""
    if not _take(user_id, sum(len(text.encode()) for text in texts)):
        raise NoRoomForText


def count_background_calls(user_id: UUID, calls: int, *, made: bool) -> None:
    """Count background calls of a model. Raises NoCallsLeft unless they were `made`."""
    if not _add_use(user_id, calls=calls, made=made):
        raise NoCallsLeft


def check_room(user: User, sha256: str, size: int) -> None:
    """Count a file that will be stored, in its transaction.

    Raises NoRoom, TooManyUnsent.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    files = Attachment.objects.filter(user=user)
    if files.filter(message=None).count() >= MOST_UNSENT:
        raise TooManyUnsent
    # Bytes that the user has need no room.
    if not files.filter(sha256=sha256).exists() and not _take(user.pk, size):
        raise NoRoom


def check_room_of_guest(thread: Thread, size: int) -> None:
    """The same for a thread without a user. Raises NoRoomForGuest."""
    Thread.objects.select_for_update(no_key=True).get(pk=thread.pk)
    files = Attachment.objects.filter(user=None, message__thread=thread)
    if _bytes_of_files(files) + size > _quota():
        raise NoRoomForGuest


def bytes_used(user_id: UUID) -> int:
    """What users send and what is remembered of them, also in spaces that they left."""
    said = Message.objects.filter(conversation__user=user_id, role=Message.Role.USER)
    texts = (
        (said, "content"),
        (Memory.objects.filter(user=user_id), "content"),
        (ProfileFact.objects.filter(user=user_id), "value"),
    )
    files = Attachment.objects.filter(user=user_id)
    return _bytes_of_files(files) + sum(_bytes_in(*text) for text in texts)


def _take(user_id: UUID, size: int) -> bool:
    return _add_use(user_id, stored=size) or (
        _may_store(user_id, size) and _add_use(user_id, stored=size)
    )


def _add_use(
    user_id: UUID,
    *,
    messages: int = 0,
    calls: int = 0,
    stored: int = 0,
    made: bool = False,
) -> bool:
    """Add to today's row, or nothing where a limit does not allow it.

    Calls that were `made` have no limit. `stored` is carried from day to day.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            """
            WITH before AS (
                SELECT coalesce((
                    SELECT stored FROM conversations_dailyuse
                    WHERE user_id = %(user)s ORDER BY day DESC LIMIT 1
                ), 0) AS stored
            )
            INSERT INTO conversations_dailyuse AS used
                (user_id, day, messages, calls, stored)
            SELECT %(user)s, %(day)s, %(messages)s, %(calls)s,
                before.stored + %(stored)s
            FROM before
            WHERE %(messages)s <= %(limit)s
            AND (%(free)s OR %(calls)s <= %(call_limit)s)
            AND (%(stored)s = 0 OR before.stored + %(stored)s <= %(quota)s)
            ON CONFLICT ON CONSTRAINT conversations_dailyuse_unique
            DO UPDATE SET messages = used.messages + %(messages)s,
                calls = used.calls + %(calls)s,
                stored = used.stored + %(stored)s
            WHERE (%(messages)s = 0 OR used.messages + %(messages)s <= %(limit)s)
            AND (%(free)s OR used.calls + %(calls)s <= %(call_limit)s)
            AND (%(stored)s = 0 OR used.stored + %(stored)s <= %(quota)s)
            RETURNING day
            """,
            {
                "user": user_id,
                "day": timezone.now().date(),
                "messages": messages,
                "calls": calls,
                "stored": stored,
                "free": made or not calls,
                "limit": daily_messages(),
                "call_limit": settings.DAILY_BACKGROUND_CALLS,
                "quota": _quota(),
            },
        )
        return cursor.fetchone() is not None


def _may_store(user_id: UUID, size: int) -> bool:
    """Count again what is stored: what was deleted is still counted (decision 47)."""
    used = bytes_used(user_id)
    rows = DailyUse.objects.filter(user=user_id)
    rows.filter(pk__in=rows.order_by("-day").values("pk")[:1]).update(stored=used)
    return used + size <= _quota()


def _bytes_of_files(files: QuerySet[Attachment]) -> int:
    """Equal files are stored once."""
    stored = files.values("sha256", "size").distinct()
    return stored.aggregate(bytes=Sum("size"))["bytes"] or 0


def _bytes_in(rows: QuerySet[Any], column: str) -> int:
    size = Func(column, function="octet_length")
    return rows.aggregate(bytes=Sum(size))["bytes"] or 0


def _quota() -> int:
    return settings.QUOTA_MB * 1024 * 1024
