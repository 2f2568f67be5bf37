"""Running what waits: claimed one at a time, with a lease, oldest statement first.

An outage of the embedding model never makes a job fail, whatever its kind: a wrong key
can be mended. The first job that succeeds wakes the others.
"""

import logging
import uuid
from datetime import timedelta

from django.apps import apps
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from meddie.ai.embeddings import Embedder
from memory.capture import waiting
from memory.capture.forgetting import forget
from memory.capture.remember import Prepared, commit, prepare
from memory.models import CaptureJob
from memory.values import Decision, Said
from people.scope import NotAMember, Scope, scope_for

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=90)
FIRST_PAUSE = timedelta(seconds=15)
LONGEST_PAUSE = timedelta(minutes=5)
BATCH = 200


def run_due(embedder: Embedder | None = None) -> int:
    """Run what is due until nothing is left or the model fails; how many are done."""
    done = 0
    for _ in range(BATCH):
        job = claim()
        if job is None:
            break
        if run(job, embedder) is None:
            break
        done += 1
    return done


def claim() -> CaptureJob | None:
    """Take a lease on the job that was stated first and is due."""
    now = timezone.now()
    due = Q(state=CaptureJob.State.WAITING, available_at__lte=now) | Q(
        state=CaptureJob.State.RUNNING, leased_until__lt=now
    )
    with transaction.atomic():
        job = (
            CaptureJob.objects.select_for_update(skip_locked=True, of=("self",))
            .filter(due)
            .order_by("stated_at", "pk")
            .first()
        )
        if job is None:
            return None
        job.state = CaptureJob.State.RUNNING
        job.attempts += 1
        job.leased_until = now + LEASE
        job.save(update_fields=["state", "attempts", "leased_until", "updated_at"])
    return job


def run(job: CaptureJob, embedder: Embedder | None = None) -> list[Decision] | None:
    """Do what the job asks; None when it has to go on waiting."""
    candidates = [waiting.from_data(data) for data in job.candidates]
    prepared = prepare(candidates, embedder=embedder)
    if prepared.error:
        _wait(job, prepared.error)
        return None
    with transaction.atomic():
        held = CaptureJob.objects.select_for_update().filter(
            pk=job.pk, state=CaptureJob.State.RUNNING, attempts=job.attempts
        )
        if not held.exists():
            return []
        decisions = _carry_out(job, prepared)
        _finish(job)
    return decisions


def _carry_out(job: CaptureJob, prepared: Prepared) -> list[Decision]:
    scope = _scope(job)
    if scope is None:
        return []
    act = forget if job.source_kind == waiting.FORGET else commit
    return act(scope, prepared, _said(job))


def _scope(job: CaptureJob) -> Scope | None:
    try:
        return scope_for(job.user, job.space_id, channel=job.channel)
    except NotAMember:
        return None


def _said(job: CaptureJob) -> Said:
    return Said(
        origin=job.origin,
        stated_at=job.stated_at,
        message_id=_still_there(job.source_id),
        run_id=job.run_id,
        user_text=job.text or None,
    )


def _still_there(message_id: uuid.UUID) -> uuid.UUID | None:
    messages = apps.get_model("conversations", "Message").objects
    return message_id if messages.filter(pk=message_id).exists() else None


def _finish(job: CaptureJob) -> None:
    """A finished job keeps nothing of what was said."""
    job.state = CaptureJob.State.DONE
    job.text, job.context, job.candidates, job.error = "", "", [], ""
    job.leased_until = None
    job.save()
    CaptureJob.objects.filter(state=CaptureJob.State.WAITING, attempts__gt=0).update(
        available_at=timezone.now()
    )


def _wait(job: CaptureJob, error: str) -> None:
    pause = min(FIRST_PAUSE * 2 ** min(job.attempts - 1, 10), LONGEST_PAUSE)
    CaptureJob.objects.filter(
        pk=job.pk, state=CaptureJob.State.RUNNING, attempts=job.attempts
    ).update(
        state=CaptureJob.State.WAITING,
        available_at=timezone.now() + pause,
        leased_until=None,
        error=error,
    )
    logger.warning("capture job %s waits: %s", job.pk, error)
