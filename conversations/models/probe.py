"""The last standing tests of a member's prompts (`conversations.probes`)."""

import uuid
from typing import Any, ClassVar, Self

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from meddie.jobs.job import Job, JobQuerySet
from people.models import Space


class ProbeJobQuerySet(JobQuerySet["ProbeJob"]):
    def ended(self) -> Self:
        """The row keeps what the last run found; it goes with the user."""
        return self.none()

    def put_now(self, user_id: uuid.UUID, space_id: uuid.UUID) -> "ProbeJob":
        """Have a member probed, again if it was before."""
        job, is_new = self.get_or_create(
            user_id=user_id, space_id=space_id, defaults={"kind": ProbeJob.PROBE}
        )
        if not is_new:
            self.filter(pk=job.pk).put_again()
        return job

    def put_again(self) -> None:
        """Those that are done."""
        now = timezone.now()
        self.filter(state=Job.State.DONE).update(
            state=Job.State.WAITING,
            attempts=0,
            crashes=0,
            available_at=now,
            created_at=now,
            updated_at=models.F("updated_at"),
        )


class ProbeJob(Job):
    """`failures` has keys and numbers of questions, and no text of a fact."""

    QUEUE = "probes"
    PROBE: ClassVar[str] = "probe"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    space = models.ForeignKey(Space, models.CASCADE, related_name="+")
    asked = models.PositiveIntegerField(_("asked"), default=0)
    failures: "models.JSONField[list[dict[str, Any]]]" = models.JSONField(
        _("failures"), default=list, blank=True
    )
    probed_at = models.DateTimeField(_("probed"), null=True, blank=True)
    system = models.CharField(
        max_length=64, blank=True, help_text=_("A digest of what made the prompts.")
    )
    ranking = models.CharField(max_length=16, blank=True)
    facts_tokens = models.PositiveIntegerField(default=0)

    objects = ProbeJobQuerySet.as_manager()

    class Meta:
        verbose_name = _("probe")
        verbose_name_plural = _("probes")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "space"], name="conversations_probe_once"
            ),
        ]
        indexes = [
            models.Index(
                fields=["available_at"],
                condition=models.Q(state__in=["waiting", "running"]),
                name="conversations_probe_due",
            ),
        ]

    @property
    def passed(self) -> int:
        return self.asked - len(self.failures)

    def find_payer(self) -> uuid.UUID | None:
        return self.user_id
