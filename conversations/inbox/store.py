"""Received updates in the database: added once, claimed under the thread's lease."""

from datetime import timedelta
from typing import Any, TypeVar
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from conversations.models import Thread
from conversations.models.inbox import InboxUpdate
from meddie.jobs.job import Job, LeaseLost
from meddie.jobs.registry import BATCH, KEPT, QUEUES

State = Job.State
U = TypeVar("U", bound=InboxUpdate)

MOST_WAITING = 400  # updates of one thread (S3-16); beyond, the oldest become dead
FREE = Q(lease_holder=None) | Q(leased_until__lt=Now())


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


def waiting_threads(inbox: type[InboxUpdate]) -> list[UUID]:
    due = _rows(inbox).due().values("thread")
    return list(
        Thread.objects.filter(FREE, pk__in=due).values_list("pk", flat=True)[:BATCH]
    )


def is_due(inbox: type[InboxUpdate], thread_id: UUID) -> bool:
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
def release(inbox: type[InboxUpdate], thread_id: UUID, lease: UUID) -> None:
    """Release the lease, and the updates begun under it."""
    thread = Thread.objects.select_for_update().filter(pk=thread_id).leased_to(lease)
    if thread.exists():
        begun = _rows(inbox).filter(thread=thread_id, lease_holder=lease)
        begun.filter(state=State.RUNNING).update(
            state=State.WAITING, lease_holder=None, leased_until=None
        )
        Thread.objects.filter(pk=thread_id).give_back()


def delete_empty_threads() -> None:
    """Delete the old threads that never had a conversation and whose updates are gone."""
    empty = Thread.objects.filter(
        created_at__lt=timezone.now() - KEPT, conversations=None
    )
    for queue in QUEUES.values():
        if issubclass(queue.model, InboxUpdate):
            empty = empty.exclude(pk__in=queue.jobs.values("thread"))
    empty.delete()


def _rows(inbox: type[InboxUpdate]) -> Any:
    return inbox._default_manager  # noqa: SLF001 -- Django documents it
