"""What every inbox has: updates of a thread, stored once and worked on in order."""

import uuid
from typing import Self, TypeVar

from django.db import models
from django.utils import timezone

from conversations.models.conversation import Thread
from meddie.jobs.job import Job, JobQuerySet, LeaseLost
from people.scope import Scope

U = TypeVar("U", bound="InboxUpdate")


class InboxUpdateQuerySet(JobQuerySet[U]):
    def in_order(self) -> Self:
        return self.order_by(self.model.ORDER)

    def ended(self) -> Self:
        return self.filter(state__in=(Job.State.DONE, Job.State.DEAD))

    def for_work(self) -> Self:
        """With what a worker reads."""
        return self.select_related("thread")

    def unread_of(self, scope: Scope) -> Self:
        """Those of a user that wait or failed."""
        of_user = {"thread__user": scope.user_id, "thread__space": scope.space_id}
        return self.exclude(state=Job.State.DONE).filter(**of_user)

    def forget(self) -> None:
        """End them without their texts. Their keys stay: none is stored again."""
        self.update(
            state=Job.State.DONE,
            error="forgotten",
            payload={},
            lease_holder=None,
            leased_until=None,
            updated_at=timezone.now(),
        )

    def untouched(self) -> Self:
        """Waiting, with nothing stored of them yet."""
        return self.filter(state=Job.State.WAITING)


class InboxUpdate(Job):
    """`lease_holder` also holds the thread, and the thread's lease counts."""

    ORDER = "created_at"

    thread: "models.ForeignKey[Thread, Thread]"
    thread_id: uuid.UUID

    class Meta:
        abstract = True

    def find_author(self) -> uuid.UUID | None:
        return self.thread.user_id

    def hold(self) -> None:
        """Lock the thread, then the update. Raises LeaseLost."""
        locked = Thread.objects.select_for_update().filter(pk=self.thread_id)
        thread = locked.exclude(lease_holder=None).first()
        if thread is None or thread.lease_holder != self.lease_holder:
            raise LeaseLost
        super().hold()
        self.thread = thread
