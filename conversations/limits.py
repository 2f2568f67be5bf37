"""Limits of a user: messages a day (UTC), and bytes of files."""

from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import QuerySet, Sum
from django.utils import timezone

from conversations.models import Attachment, Conversation, Message, Thread
from conversations.refusals import LimitReached, NoRoom, NoRoomForGuest
from people.models import User


def count_guest(thread: Thread) -> None:
    """Check the limit of a locked thread without a user. Raises LimitReached."""
    midnight = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    sent = thread.messages.filter(role=Message.Role.USER, created_at__gte=midnight)
    if sent.count() >= settings.DAILY_MESSAGES:
        raise LimitReached


def count_message(user_id: UUID) -> None:
    """Count one message, safe for concurrent tabs. Raises LimitReached."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO conversations_dailyuse AS used (user_id, day, messages)
            SELECT %(user)s, %(day)s, 1 WHERE %(limit)s > 0
            ON CONFLICT ON CONSTRAINT conversations_dailyuse_unique
            DO UPDATE SET messages = used.messages + 1
            WHERE used.messages < %(limit)s
            RETURNING messages
            """,
            {
                "user": user_id,
                "day": timezone.now().date(),
                "limit": settings.DAILY_MESSAGES,
            },
        )
        if cursor.fetchone() is None:
            raise LimitReached


def check_room(conversation: Conversation, size: int) -> None:
    """Check the quota for a file of `size` bytes, in its transaction. Raises NoRoom."""
    refusal: type[NoRoom]
    if conversation.user_id is None:  # a guest's thread is locked already
        files = Attachment.objects.filter(message__thread=conversation.thread_id)
        refusal = NoRoomForGuest
    else:
        User.objects.select_for_update(no_key=True).get(pk=conversation.user_id)
        files, refusal = _files_of(conversation.user_id), NoRoom
    if _bytes(files) + size > settings.FILE_QUOTA_MB * 1024 * 1024:
        raise refusal


def bytes_used(user_id: UUID) -> int:
    return _bytes(_files_of(user_id))


def _files_of(user_id: UUID) -> QuerySet[Attachment]:
    """Those in spaces that the user has left are still stored."""
    return Attachment.objects.filter(message__conversation__user=user_id)


def _bytes(files: QuerySet[Attachment]) -> int:
    return files.aggregate(bytes=Sum("size"))["bytes"] or 0
