"""Capture jobs: facts and retractions without vectors, and stored facts to resolve."""

import json
import uuid
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.utils import timezone

from meddie.jobs.registry import announce
from meddie.text import one_line
from memory.facts.store import owner
from memory.models import CaptureJob
from memory.subjects import Subject
from memory.values import Candidate, Provenance
from memory.wording.reading import reading_of
from memory.wording.same_fact import content_hash, extends, same_words
from memory.wording.words import grounded
from people.scope import Scope

REMEMBER = "remember"
FORGET = "forget"
EXTRACT = CaptureJob.EXTRACT
RESOLVE = CaptureJob.RESOLVE
Line = tuple[str, str]  # a role and what it said
FACTS_PER_JOB = 5  # new facts per call of the resolver: an answer of some seconds


def put(
    scope: Scope, kind: str, candidates: Sequence[Candidate], provenance: Provenance
) -> CaptureJob:
    """Defer candidates; those of one message share a job.

    Nothing is enqueued: the model has just failed, so the sweep runs the job later.
    """
    job, created = CaptureJob.objects.select_for_update().get_or_create(
        origin=provenance.origin,
        kind=kind,
        source_id=provenance.message_id or uuid.uuid4(),
        defaults={
            "user_id": owner(scope),
            "space_id": scope.space_id,
            "channel": scope.channel,
            "room": scope.room,
            "run_id": provenance.run_id,
            "by": provenance.by,
            "stated_at": provenance.stated_at,
            "payload": _payload(candidates, provenance),
        },
    )
    if not created:
        _add(job, candidates, provenance)
    return job


def _add(
    job: CaptureJob, candidates: Sequence[Candidate], provenance: Provenance
) -> None:
    """A worker that runs the job now loses its lease and writes nothing."""
    if job.state in {CaptureJob.State.DONE, CaptureJob.State.DEAD}:
        job.available_at, job.attempts, job.crashes = timezone.now(), 0, 0
    job.payload = _payload(
        [*candidates_of(job), *candidates],
        provenance,
        text=job.payload.get("text"),
        in_context=job.payload.get("in_context"),
    )
    job.state, job.lease_holder = CaptureJob.State.WAITING, None
    job.save()


def _payload(
    candidates: Sequence[Candidate],
    provenance: Provenance,
    text: str | None = None,
    in_context: str | None = None,
) -> dict[str, Any]:
    return {
        "candidates": [candidate_to_json(candidate) for candidate in candidates],
        "text": text or provenance.user_text or "",
        "in_context": in_context or provenance.in_context or "",
    }


def candidates_of(job: CaptureJob) -> list[Candidate]:
    return [candidate_from_json(data) for data in job.payload.get("candidates", [])]


def put_extraction(
    scope: Scope,
    text: str,
    context: Sequence[Line],
    provenance: Provenance,
    metadata: str = "",
) -> uuid.UUID:
    """Defer the extraction from a message; once for each message. The job's key."""
    person = provenance.person_id
    job = CaptureJob(
        kind=EXTRACT,
        origin=provenance.origin,
        source_id=provenance.message_id or uuid.uuid4(),
        user_id=owner(scope),
        space_id=scope.space_id,
        channel=scope.channel,
        room=scope.room,
        run_id=provenance.run_id,
        by=provenance.by,
        stated_at=provenance.stated_at,
        payload={"text": text, "context": [list(line) for line in context]}
        | ({"person": str(person)} if person else {})
        | ({"metadata": metadata} if metadata else {}),
    )
    CaptureJob.objects.bulk_create([job], ignore_conflicts=True)
    announce(job)
    return job.pk


def put_resolution(
    scope: Scope,
    ids: Sequence[uuid.UUID],
    provenance: Provenance,
    *,
    again: bool = False,
) -> None:
    for start in range(0, len(ids), FACTS_PER_JOB):
        job = CaptureJob.objects.create(
            kind=RESOLVE,
            origin=provenance.origin,
            source_id=uuid.uuid4(),
            user_id=owner(scope),
            space_id=scope.space_id,
            channel=scope.channel,
            room=scope.room,
            run_id=provenance.run_id,
            by=provenance.by,
            stated_at=provenance.stated_at,
            payload={
                "memories": [str(pk) for pk in ids[start : start + FACTS_PER_JOB]],
                "again": again,
            },
        )
        announce(job)


def facts(scope: Scope) -> Iterator[tuple[CaptureJob, Candidate]]:
    jobs = CaptureJob.objects.filter(
        user_id=owner(scope), space_id=scope.space_id, kind=REMEMBER
    )
    for job in jobs.exclude(state=CaptureJob.State.DONE).order_by("pk"):
        for candidate in candidates_of(job):
            yield job, candidate


def drop_facts(scope: Scope, lines: Collection[str]) -> None:
    """Drop facts from jobs, and all answers of models. The scope is locked."""
    jobs = CaptureJob.objects.filter(user_id=owner(scope), space_id=scope.space_id)
    jobs = jobs.select_for_update()
    waiting = jobs.filter(kind__in=[REMEMBER, FORGET])
    waiting = waiting.exclude(state=CaptureJob.State.DONE)
    # A wish that is carried out now is the reason.
    for job in waiting.exclude(kind=FORGET, state=CaptureJob.State.RUNNING):
        _drop_candidates(job, lines)
    for job in jobs.filter(kind=CaptureJob.TIDY).exclude(payload={}):
        _drop_changes(job, lines)
    for job in jobs.filter(kind=RESOLVE):
        if job.payload.pop("raw", None) or job.state == CaptureJob.State.RUNNING:
            _release(job)


def drop_messages(
    scope: Scope, lines: Collection[str], wish: Provenance | None = None
) -> bool:
    """Drop waiting messages that speak of a line, unless they are later than the wish.

    Return whether one was dropped besides that of the wish. The scope is locked.
    """
    jobs = CaptureJob.objects.filter(user_id=owner(scope), space_id=scope.space_id)
    jobs = jobs.filter(kind=EXTRACT).exclude(state=CaptureJob.State.DONE)
    if wish and wish.message_id:
        # A message that wants forgetting is not dropped by its own extraction.
        jobs = jobs.exclude(origin=wish.origin, source_id=wish.message_id)
    dropped = [
        job.source_id
        for job in jobs.select_for_update()
        if _drop_message(job, lines, wish.stated_at if wish else job.stated_at)
    ]
    return any(wish is None or key != wish.message_id for key in dropped)


def _drop_candidates(job: CaptureJob, lines: Collection[str]) -> None:
    candidates = candidates_of(job)
    told = _is_about if job.kind == FORGET else states
    left = [c for c in candidates if not any(told(c, line) for line in lines)]
    said = " ".join(job.payload.get(key) or "" for key in ("text", "in_context"))
    if not left:
        job.delete()
    elif len(left) < len(candidates) or any(grounded(line, said) for line in lines):
        data = [candidate_to_json(candidate) for candidate in left]
        job.payload = {"candidates": data, "text": "", "in_context": ""}
        _release(job)


def _drop_changes(job: CaptureJob, lines: Collection[str]) -> None:
    """Drop what a model made of lines that speak of one."""

    def speaks(made: dict[str, Any]) -> bool:
        told = str(made.get("text") or made.get("value"))
        return any(grounded(line, told) for line in lines)

    changes = job.payload["changes"]
    left = [change for change in changes if not any(map(speaks, change["made"]))]
    if len(left) < len(changes) or job.state == CaptureJob.State.RUNNING:
        job.payload["changes"] = left
        _release(job)


def _drop_message(job: CaptureJob, lines: Collection[str], until: datetime) -> bool:
    """Drop a message that speaks of a line; else the answers and the context that do."""
    spoken = any(grounded(line, job.payload["text"]) for line in lines)
    if spoken and job.stated_at <= until:
        job.delete()
        return True
    context = [
        (role, text)
        for role, text in job.payload["context"]
        if not any(grounded(line, text) for line in lines)
    ]
    kept = {name: job.payload.get(name) for name in ("text", "person", "metadata")}
    job.payload = {name: told for name, told in kept.items() if told}
    job.payload["context"] = context
    _release(job)
    return False


def _release(job: CaptureJob) -> None:
    """Store the payload. A worker that runs the job loses its lease and writes nothing."""
    if job.state == CaptureJob.State.RUNNING:
        job.state = CaptureJob.State.WAITING
    job.lease_holder = None
    job.save()


def states(candidate: Candidate, line: str) -> bool:
    text = one_line(candidate.text) if isinstance(candidate.text, str) else ""
    return content_hash(text) == content_hash(line) or same_words(
        reading_of(text), reading_of(line)
    )


def _is_about(wish: Candidate, line: str) -> bool:
    """Whether the wish states the line, more of it or a part of it."""
    text = one_line(wish.text) if isinstance(wish.text, str) else ""
    return (
        states(wish, line)
        or extends(*map(reading_of, (text, line)))
        or extends(*map(reading_of, (line, text)))
    )


def candidate_to_json(candidate: Candidate) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(json.dumps(asdict(candidate), default=str))
    return data


def candidate_from_json(data: dict[str, Any]) -> Candidate:
    named, about = data["supersedes"], data.get("subject")
    if about is not None:
        person = about["person_id"]
        about = Subject(**about | {"person_id": uuid.UUID(person) if person else None})
    supersedes = uuid.UUID(named) if named else None
    return Candidate(**data | {"supersedes": supersedes, "subject": about})
