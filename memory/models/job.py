"""A capture that has still to happen: the row is the job, the broker only rings.

It carries all that it needs, so that it can run after the conversation is gone, and is
emptied when it ends.
"""

import uuid
from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memory.models.memory import Memory
from people.models import Space


class CaptureJob(models.Model):
    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    origin = models.CharField(_("origin"), max_length=16, choices=Memory.Origin)
    source_kind = models.CharField(max_length=16)
    source_id = models.UUIDField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="capture_jobs"
    )
    space = models.ForeignKey(Space, models.CASCADE, related_name="capture_jobs")
    channel = models.CharField(max_length=16)
    run_id = models.UUIDField(null=True, blank=True)
    stated_at = models.DateTimeField(_("stated"))
    text = models.TextField(blank=True)
    context = models.TextField(blank=True)
    candidates: "models.JSONField[Any, Any]" = models.JSONField(
        default=list, blank=True
    )
    state = models.CharField(
        _("state"), max_length=8, choices=State, default=State.WAITING
    )
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    available_at = models.DateTimeField(_("due"), default=timezone.now)
    leased_until = models.DateTimeField(_("leased until"), null=True, blank=True)
    error = models.CharField(_("error"), max_length=500, blank=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    updated_at = models.DateTimeField(_("updated"), auto_now=True)

    class Meta:
        verbose_name = _("capture job")
        verbose_name_plural = _("capture jobs")
        constraints = [
            models.UniqueConstraint(
                fields=["origin", "source_kind", "source_id"],
                name="memory_job_source_unique",
            ),
        ]
        indexes = [
            models.Index(
                fields=["available_at"],
                condition=models.Q(state__in=["waiting", "running"]),
                name="memory_job_due",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.origin} {self.pk}"
