"""Received updates in the database, added once and claimed in order per thread.

An inbox is the model of a channel's updates. Steps are stored only under the lease of
the thread.
"""

from datetime import timedelta
from typing import Any, TypeVar
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from conversations.models import Thread
from conversations.models.inbox import InboxUpdate
from meddie.jobs import Job, LeaseLost

State = Job.State
Inbox = type[InboxUpdate]
U = TypeVar("U", bound=InboxUpdate)

MOST_WAITING = 400  # updates of one thread (S3-16); beyond, the oldest become dead
BATCH = 500
FREE = Q(lease_holder=None) | Q(leased_until__lt=Now())
KEPT = timedelta(days=30)  # since their end; Telegram resends none older than a day


@transaction.atomic
def add(*updates: InboxUpdate) -> None:
    """Store updates of one thread unless they are known; bound those of the thread."""
    rows = _rows(type(updates[0]))
    rows.bulk_create(updates, ignore_conflicts=True)
    waiting = rows.filter(thread=updates[0].thread_id).unfinished()
    too_many = waiting.count() - MOST_WAITING
    if too_many > 0:
        oldest = waiting.untouched().in_order()[:too_many]
        rows.filter(pk__in=oldest.values("pk")).update(
            state=State.DEAD, error="overflow", updated_at=timezone.now()
        )


def waiting_threads(inbox: Inbox) -> list[UUID]:
    due = _rows(inbox).due().values("thread")
    return list(
        Thread.objects.filter(FREE, pk__in=due).values_list("pk", flat=True)[:BATCH]
    )


def is_due(inbox: Inbox, thread_id: UUID) -> bool:
    update = _first(inbox, thread_id)
    return update is not None and update.is_due()


def claim_next(inbox: type[U], thread_id: UUID, lease: UUID) -> U | None:
    """Claim the thread's first unfinished update if it is due. Raises LeaseLost."""
    while True:
        with transaction.atomic():
            thread = Thread.objects.select_for_update().filter(pk=thread_id)
            if not thread.leased_to(lease).exists():
                raise LeaseLost
            update = _first(inbox, thread_id)
            if update is None or not update.is_due():
                return None
            if update.begin(timedelta(), lease):
                return update


def _first(inbox: type[U], thread_id: UUID) -> U | None:
    updates = _rows(inbox).for_work().filter(thread=thread_id)
    first: U | None = updates.unfinished().in_order().first()
    return first


@transaction.atomic
def release(inbox: Inbox, thread_id: UUID, lease: UUID) -> None:
    """Release the lease, and the updates begun under it."""
    thread = Thread.objects.select_for_update().filter(pk=thread_id).leased_to(lease)
    if thread.exists():
        begun = _rows(inbox).filter(thread=thread_id, lease_holder=lease)
        begun.filter(state=State.RUNNING).update(
            state=State.WAITING, lease_holder=None, leased_until=None
        )
        Thread.objects.filter(pk=thread_id).give_back()


def delete_old(channel: str, inbox: Inbox) -> int:
    """Delete old updates and empty threads; return the number of updates."""
    long_ago = timezone.now() - KEPT
    rows = _rows(inbox)
    ended = rows.filter(state__in=(State.DONE, State.DEAD), updated_at__lt=long_ago)
    deleted = 0
    while keys := list(ended.values_list("pk", flat=True)[:BATCH]):
        rows.filter(pk__in=keys).delete()
        deleted += len(keys)
    Thread.objects.filter(
        channel=channel, created_at__lt=long_ago, conversations=None
    ).exclude(pk__in=rows.values("thread")).delete()
    return deleted


def _rows(inbox: Inbox) -> Any:
    return inbox._default_manager  # noqa: SLF001 -- Django documents it
