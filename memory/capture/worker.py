"""Running what waits: claimed one at a time, with a lease, oldest statement first.

An outage of the embedding model never makes a job fail, whatever its kind: a wrong key
can be mended. The first job that succeeds wakes the others. A text that the model
refuses holds up nobody: it waits by itself, and after some hours of trying its job
fails and is kept for staff.
"""

import logging
import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.utils import timezone

from meddie.ai.embeddings import Embedder
from memory.capture import deferred, store
from memory.capture.forgetting import forget
from memory.capture.remember import Prepared, commit, prepare_facts
from memory.models import CaptureJob, Memory
from memory.values import Candidate, Decision, Provenance
from memory.vectors import REFUSALS
from people.scope import NotAMember, Scope, scope_for

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=90)
FIRST_PAUSE = timedelta(seconds=15)
LONGEST_PAUSE = timedelta(minutes=5)
BATCH = 200
REFUSALS_ALLOWED = 40
"""About three hours; a wrong name of a model is refused as well, and can be mended."""
MOST_ATTEMPTS = 32_000
"""What the column holds. From there on they are not counted."""

NOTHING = Prepared((), "")


def run_due(embedder: Embedder | None = None) -> int:
    """Run what is due until nothing is left or the model is out; how many are done."""
    done = 0
    for _ in range(BATCH):
        job = claim()
        if job is None:
            break
        if run(job, embedder) is not None:
            done += 1
        elif job.error not in REFUSALS:
            break
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
        job.attempts = min(job.attempts + 1, MOST_ATTEMPTS)
        job.leased_until = now + LEASE
        job.save(update_fields=["state", "attempts", "leased_until", "updated_at"])
    return job


def run(job: CaptureJob, embedder: Embedder | None = None) -> list[Decision] | None:
    """Do what the job asks; None when it, or a part of it, has to go on waiting."""
    candidates = [deferred.from_data(data) for data in job.candidates]
    prepared, left, error = _prepare(candidates, embedder)
    with transaction.atomic():
        # The scope before the job, as whoever lets candidates wait.
        store.lock(Scope(job.user_id, job.space_id, job.channel))
        if not _held(job):
            return []
        decisions = _carry_out(job, prepared)
        if left:
            _wait(job, error, left)
            return None
        _finish(job)
    return decisions


def _prepare(
    candidates: Sequence[Candidate], embedder: Embedder | None
) -> tuple[Prepared, Sequence[Candidate], str]:
    """What can be stored, what is left over, and why: all in one batch, or one by one
    where the batch is refused. In an outage everything is left over."""
    together = prepare_facts(candidates, embedder=embedder)
    if not together.error:
        return together, [], ""
    if together.error not in REFUSALS:
        return NOTHING, candidates, together.error
    alone = [prepare_facts([candidate], embedder=embedder) for candidate in candidates]
    outage = next((p.error for p in alone if p.error and p.error not in REFUSALS), "")
    if outage:
        return NOTHING, candidates, outage
    good = [prepared for prepared in alone if not prepared.error]
    items = tuple(item for prepared in good for item in prepared.items)
    model = next((prepared.model for prepared in good if prepared.model), "")
    left = [c for c, p in zip(candidates, alone, strict=True) if p.error]
    return Prepared(items, model), left, together.error


def _held(job: CaptureJob) -> bool:
    """Whether the lease is still ours. The lease's end tells one holder from the next."""
    held = CaptureJob.objects.select_for_update().filter(
        pk=job.pk, state=CaptureJob.State.RUNNING, leased_until=job.leased_until
    )
    return held.exists()


def _carry_out(job: CaptureJob, prepared: Prepared) -> list[Decision]:
    scope = _scope(job)
    if scope is None:
        return []
    act = forget if job.source_kind == deferred.FORGET else commit
    return act(scope, prepared, _said(job))


def _scope(job: CaptureJob) -> Scope | None:
    try:
        scope = scope_for(job.user, job.space_id, channel=job.channel)
    except NotAMember:
        return None
    # Memory that is switched off meanwhile forgets all the same.
    forgets = job.source_kind == deferred.FORGET
    return replace(scope, user_id=job.user_id) if forgets else scope


def _said(job: CaptureJob) -> Provenance:
    return Provenance(
        origin=job.origin,
        stated_at=job.stated_at,
        message_id=_still_there(job.source_id),
        run_id=job.run_id,
        user_text=job.text or None,
    )


def _still_there(message_id: uuid.UUID) -> uuid.UUID | None:
    messages: QuerySet[Model] = QuerySet(Memory.source_message.field.related_model)
    return message_id if messages.filter(pk=message_id).exists() else None


def _finish(job: CaptureJob) -> None:
    """A finished job keeps nothing of what was said."""
    job.state = CaptureJob.State.DONE
    job.text, job.context, job.candidates, job.error = "", "", [], ""
    job.leased_until = None
    job.save()
    asleep = CaptureJob.objects.select_for_update(skip_locked=True).filter(
        state=CaptureJob.State.WAITING, attempts__gt=0
    )
    CaptureJob.objects.filter(
        pk__in=asleep.exclude(error__in=REFUSALS).values("pk")
    ).update(available_at=timezone.now())


def _wait(job: CaptureJob, error: str, candidates: Sequence[Candidate]) -> None:
    pause = min(FIRST_PAUSE * 2 ** min(job.attempts - 1, 10), LONGEST_PAUSE)
    hopeless = error in REFUSALS and job.attempts >= REFUSALS_ALLOWED
    state = CaptureJob.State.FAILED if hopeless else CaptureJob.State.WAITING
    CaptureJob.objects.filter(
        pk=job.pk, state=CaptureJob.State.RUNNING, leased_until=job.leased_until
    ).update(
        state=state,
        candidates=[deferred.as_data(candidate) for candidate in candidates],
        available_at=timezone.now() + pause,
        leased_until=None,
        error=error,
    )
    job.error = error
    logger.warning("capture job %s is %s: %s", job.pk, state, error)
