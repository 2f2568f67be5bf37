"""Replies whose process died: no heartbeat for a while, so nobody writes them."""

from datetime import timedelta

from django.utils import timezone

from conversations.models import Message, Thread

STALE_AFTER = timedelta(seconds=20)


def interrupt_stale(*, thread: Thread | None = None) -> list[Message]:
    """Mark abandoned replies as interrupted, which offers a retry; the text stays."""
    stale = Message.objects.filter(
        status=Message.Status.STREAMING,
        heartbeat_at__lt=timezone.now() - STALE_AFTER,
    )
    if thread is not None:
        stale = stale.filter(thread=thread)
    interrupted = list(stale)
    stale.filter(pk__in=[m.pk for m in interrupted]).update(
        status=Message.Status.INTERRUPTED, error="interrupted"
    )
    # An inbox that holds a thread for longer than one reply keeps its lease.
    Thread.objects.filter(lease_holder__in=[m.pk for m in interrupted]).give_back()
    return interrupted
