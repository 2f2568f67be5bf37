"""The daily limit of messages (UTC)."""

from uuid import UUID

from django.conf import settings
from django.db import connection
from django.utils import timezone

from conversations.models import Message, Thread
from conversations.refusals import LimitReached


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
