"""Replies without a heartbeat, whose process died, and events of deleted replies."""

from collections.abc import Collection
from datetime import timedelta
from uuid import UUID

from django.utils import timezone

from conversations.models import Message, Thread
from conversations.reply import event_log
from meddie.threads import run_db

STALE_AFTER = timedelta(seconds=20)


def interrupt_stale(*, thread: Thread | None = None) -> list[Message]:
    """Mark stale replies as interrupted and release their leases."""
    stale = Message.objects.filter(
        status=Message.Status.STREAMING,
        heartbeat_at__lt=timezone.now() - STALE_AFTER,
    )
    if thread is not None:
        stale = stale.filter(thread=thread)
    found = list(stale.values_list("pk", flat=True))
    stale.filter(pk__in=found).update(
        status=Message.Status.INTERRUPTED, error="interrupted"
    )
    # Without those that had a heartbeat in between.
    interrupted = Message.objects.filter(
        pk__in=found, status=Message.Status.INTERRUPTED
    )
    # An inbox holds a thread for longer than one reply and keeps its lease.
    Thread.objects.filter(lease_holder__in=interrupted.values("pk")).give_back()
    return list(interrupted)


async def clear_deleted() -> None:
    """Delete the events of deleted replies from Redis."""
    logged = await event_log.logged_replies()
    await event_log.clear(*logged - await run_db(_stored, logged))


def _stored(reply_ids: Collection[UUID]) -> set[UUID]:
    return set(Message.objects.filter(pk__in=reply_ids).values_list("pk", flat=True))
