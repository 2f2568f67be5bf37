"""The row of a job: leased to one worker, retried with back-off, dead after many failures."""

import logging
import uuid
from datetime import timedelta
from typing import Any, ClassVar, Self, TypeVar

from django.db import models, transaction
from django.db.models import F, Q
from django.db.models.functions import Least
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from meddie.row_names import dated_name

logger = logging.getLogger(__name__)

JOB_LEASE = timedelta(seconds=90)  # without a renewal another worker may take the job
# Workers and services lost with a job until it is dead. Deployments kill workers, too.
CRASHES_ALLOWED = 20
SUSPICIOUS_CRASHES = 5  # after these, each crash makes the next lease longer


class LeaseLost(Exception):
    """Another worker has the job; write nothing."""


class Outage(Exception):
    """A service is down: the job waits and no attempt is counted."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


J = TypeVar("J", bound="Job")


class JobQuerySet(models.QuerySet[J]):
    def unfinished(self) -> Self:
        return self.filter(state__in=(Job.State.WAITING, Job.State.RUNNING))

    def due(self) -> Self:
        """Waiting without a pause, or with an expired lease."""
        now = timezone.now()
        return self.filter(
            Q(state=Job.State.WAITING, available_at__lte=now)
            | Q(state=Job.State.RUNNING, leased_until__lte=now)
        )

    def ended(self) -> Self:
        """Those whose rows are deleted after a while; dead ones stay for staff."""
        return self.filter(state=Job.State.DONE)

    def in_order(self) -> Self:
        return self.order_by("available_at", "pk")

    def after(self, _job: Any) -> Self:
        """Those that wait until this job has run."""
        return self.none()

    def claim(self, key: uuid.UUID | None = None) -> J | None:
        """Lease the job with this key, or the first, if it is due."""
        due = self.due() if key is None else self.due().filter(pk=key)
        while True:
            with transaction.atomic():
                locked = due.in_order().select_for_update(
                    skip_locked=True, of=("self",)
                )
                job = locked.first()
                if job is None or job.begin(JOB_LEASE):
                    return job

    def adjust_to_clock(self) -> None:
        """After the clock was put back: end pauses, and bring leases into the present."""
        now = timezone.now()
        self.unfinished().filter(updated_at__gt=now + JOB_LEASE).update(
            available_at=Least("available_at", now),
            leased_until=F("leased_until") - (F("updated_at") - now),
            updated_at=now,
        )

    def retry(self) -> int:
        """Make waiting and dead jobs due with all attempts; return how many."""
        stopped = self.filter(state__in=(Job.State.WAITING, Job.State.DEAD))
        now = timezone.now()
        return stopped.update(
            state=Job.State.WAITING,
            attempts=0,
            crashes=0,
            available_at=now,
            error="",
            updated_at=now,
        )


class Job(models.Model):
    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        DEAD = "dead", _("dead")

    QUEUE: ClassVar[str]  # its name in the registry
    WORKERS: ClassVar[str] = "memory"  # the queue of Celery
    MOST_ATTEMPTS: ClassVar[int] = 40  # about three hours
    FIRST_PAUSE: ClassVar[timedelta] = timedelta(seconds=15)
    LONGEST_PAUSE: ClassVar[timedelta] = timedelta(minutes=5)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(_("kind"), max_length=16)
    payload: "models.JSONField[Any, Any]" = models.JSONField(
        default=dict, blank=True, help_text=_("Emptied when the job is done.")
    )
    state = models.CharField(
        _("state"), max_length=8, choices=State, default=State.WAITING
    )
    attempts = models.PositiveSmallIntegerField(
        _("attempts"), default=0, help_text=_("Failures; an outage is not counted.")
    )
    crashes = models.PositiveSmallIntegerField(
        _("crashes"),
        default=0,
        help_text=_("Workers that were lost with this job."),  # decision 12
    )
    available_at = models.DateTimeField(_("due"), default=timezone.now)
    leased_until = models.DateTimeField(_("leased until"), null=True, blank=True)
    lease_holder = models.UUIDField(null=True, blank=True, editable=False)
    error = models.CharField(_("error"), max_length=64, blank=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    updated_at = models.DateTimeField(_("updated"), auto_now=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return dated_name(self.kind, self.created_at)

    def find_payer(self) -> uuid.UUID | None:
        """The user whose background calls it takes, if any."""
        return None

    def is_due(self) -> bool:
        at = (
            self.leased_until if self.state == self.State.RUNNING else self.available_at
        )
        return at is not None and at <= timezone.now()

    def begin(self, lease: timedelta, holder: uuid.UUID | None = None) -> bool:
        """Lease the locked row; False if it is dead after too many crashes."""
        if self.state == self.State.RUNNING:
            self.crashes += 1
        if self.crashes >= CRASHES_ALLOWED:
            self.stop(self.State.DEAD, "crashed")
            return False
        self.state, self.lease_holder = self.State.RUNNING, holder or uuid.uuid4()
        longer = max(self.crashes - SUSPICIOUS_CRASHES, 0)
        self.leased_until = timezone.now() + lease + JOB_LEASE * longer
        self.save()
        return True

    def hold(self) -> None:
        """Lock the row for the transaction. Raises LeaseLost."""
        if not self._leased().select_for_update(of=("self",)).exists():
            raise LeaseLost

    def renew(self) -> bool:
        """Lengthen the lease; False if it is lost."""
        return bool(self._leased().update(leased_until=timezone.now() + JOB_LEASE))

    @transaction.atomic
    def succeed(self, note: str = "") -> None:
        """End the job and drop its payload. Raises LeaseLost."""
        self.hold()
        self.payload = {}
        self.stop(self.State.DONE, note)

    @transaction.atomic
    def fail(self, error: str) -> None:
        """Try again after a growing pause, or never. Raises LeaseLost."""
        self.hold()
        self.attempts += 1
        if self.attempts >= self.MOST_ATTEMPTS:
            self.stop(self.State.DEAD, error)
            return
        pause = self.FIRST_PAUSE * 2.0 ** (self.attempts - 1)
        self._wait(error, min(pause, self.LONGEST_PAUSE))

    @transaction.atomic
    def give_up(self, error: str, raw: str = "") -> None:
        """Stop for good and keep the raw answer for staff. Raises LeaseLost."""
        self.hold()
        if raw:
            self.payload = self.payload | {"raw": raw[:4000]}
        self.stop(self.State.DEAD, error)

    @transaction.atomic
    def postpone(self, error: str, pause: timedelta) -> None:
        """Try again without counting the attempt. Raises LeaseLost."""
        self.hold()
        self._wait(error, pause)

    def _wait(self, error: str, pause: timedelta) -> None:
        self.crashes, self.available_at = 0, timezone.now() + pause
        self.stop(self.State.WAITING, error)

    def stop(self, state: str, error: str) -> None:
        """Give the lease back. The caller has locked the row."""
        self.state, self.error = state, error
        self.leased_until = self.lease_holder = None
        self.save()
        if error:
            logger.warning("job %s is %s: %s", self.pk, state, error)

    def _leased(self) -> models.QuerySet[Self]:
        rows = type(self)._default_manager  # noqa: SLF001 -- Django's name for it
        return rows.filter(
            pk=self.pk, state=self.State.RUNNING, lease_holder=self.lease_holder
        )
