"""Facts and wishes to forget that could not be embedded wait here, in the database.

The row carries all that it needs: it is run when the outage is over, by whoever comes
by, also after the conversation has gone.
"""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from django.utils import timezone

from memory.capture.store import owner
from memory.models import CaptureJob
from memory.values import Candidate, Provenance
from people.scope import Scope

REMEMBER = "message"
FORGET = "forget"


def put(
    scope: Scope,
    source_kind: str,
    candidates: Sequence[Candidate],
    provenance: Provenance,
) -> CaptureJob:
    """Let candidates wait; those of the same message wait together."""
    job, created = CaptureJob.objects.select_for_update().get_or_create(
        origin=provenance.origin,
        source_kind=source_kind,
        source_id=provenance.message_id or uuid.uuid4(),
        defaults={
            "user_id": owner(scope),
            "space_id": scope.space_id,
            "channel": scope.channel,
            "run_id": provenance.run_id,
            "stated_at": provenance.stated_at,
            "text": provenance.user_text or "",
            "candidates": [as_data(candidate) for candidate in candidates],
        },
    )
    if not created:
        job.candidates = [*job.candidates, *map(as_data, candidates)]
        if job.state in {CaptureJob.State.DONE, CaptureJob.State.FAILED}:
            job.text, job.available_at = provenance.user_text or "", timezone.now()
        job.state = CaptureJob.State.WAITING
        job.save(
            update_fields=["candidates", "text", "state", "available_at", "updated_at"]
        )
    return job


def facts(scope: Scope) -> Iterator[tuple[CaptureJob, Candidate]]:
    """The scope's facts that are not stored yet, each with its job."""
    jobs = CaptureJob.objects.filter(
        user_id=owner(scope), space_id=scope.space_id, source_kind=REMEMBER
    )
    for job in jobs.exclude(state=CaptureJob.State.DONE).order_by("pk"):
        for data in job.candidates:
            yield job, from_data(data)


def as_data(candidate: Candidate) -> dict[str, Any]:
    """A candidate as JSON."""
    supersedes = candidate.supersedes
    return asdict(candidate) | {"supersedes": str(supersedes) if supersedes else None}


def from_data(data: dict[str, Any]) -> Candidate:
    """A candidate back from JSON."""
    named = data["supersedes"]
    return Candidate(**data | {"supersedes": uuid.UUID(named) if named else None})
