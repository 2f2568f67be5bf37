"""Captures that are due later."""

from typing import ClassVar, Self
from uuid import UUID

from django.conf import settings
from django.db import models
from django.db.models import Case, Exists, OuterRef, Q, When
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from meddie.jobs.job import Job, JobQuerySet
from memory.models.fact import CHANNEL_LIMIT, ROOM_LIMIT
from memory.models.memory import Memory
from people.models import Space


class CaptureJobQuerySet(JobQuerySet["CaptureJob"]):
    def ranked(self) -> Self:
        """Resolutions wait for facts and wishes to forget, tidying up for both."""
        last = When(kind=CaptureJob.RESOLVE, then=1), When(kind=CaptureJob.TIDY, then=2)
        return self.alias(rank=Case(*last, default=0))

    def in_order(self) -> Self:
        return self.ranked().order_by("rank", "stated_at", "pk")

    def due(self) -> Self:
        """The first due job of each scope, unless an earlier one runs."""
        active = Q(state=Job.State.RUNNING) | Q(
            state=Job.State.WAITING, available_at__lte=timezone.now()
        )
        stated_before = Q(stated_at__lt=OuterRef("stated_at")) | Q(
            stated_at=OuterRef("stated_at"), pk__lt=OuterRef("pk")
        )
        before = Q(rank__lt=OuterRef("rank")) | Q(rank=OuterRef("rank")) & stated_before
        earlier = CaptureJob.objects.ranked().filter(
            active, before, user=OuterRef("user"), space=OuterRef("space")
        )
        return super().due().ranked().exclude(Exists(earlier))

    def after(self, job: "CaptureJob") -> Self:
        """Those of the same scope."""
        return self.filter(user=job.user_id, space=job.space_id)

    def ended(self) -> Self:
        return super().ended().exclude(kind=CaptureJob.EXTRACT)


class CaptureJob(Job):
    QUEUE = "capture"
    RESOLVE: ClassVar[str] = "resolve"
    # Kept without their texts: an import asks about no message twice.
    EXTRACT: ClassVar[str] = "extract"
    TIDY: ClassVar[str] = "tidy"

    origin = models.CharField(_("origin"), max_length=16, choices=Memory.Origin)
    source_id = models.UUIDField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="capture_jobs"
    )
    space = models.ForeignKey(Space, models.CASCADE, related_name="capture_jobs")
    channel = models.CharField(max_length=CHANNEL_LIMIT)
    room = models.CharField(max_length=ROOM_LIMIT, blank=True)
    run_id = models.UUIDField(null=True, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        db_index=False,  # jobs are few, and so are staff who leave
        related_name="+",
        help_text=_("The staff member who did it."),
    )
    stated_at = models.DateTimeField(_("stated"))

    objects = CaptureJobQuerySet.as_manager()

    class Meta:
        verbose_name = _("capture job")
        verbose_name_plural = _("capture jobs")
        constraints = [
            models.UniqueConstraint(
                fields=["origin", "kind", "source_id"], name="memory_job_source_unique"
            ),
        ]
        indexes = [
            models.Index(
                fields=["available_at"],
                condition=models.Q(state__in=["waiting", "running"]),
                name="memory_job_due",
            ),
            models.Index(
                fields=["kind"],
                condition=~models.Q(state="done"),
                name="memory_job_unfinished",
            ),
        ]

    def find_payer(self) -> UUID | None:
        return self.user_id
