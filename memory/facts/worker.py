"""Run capture jobs."""

import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from django.db import transaction
from django.db.models import Model, QuerySet

from meddie.ai.embeddings import Embedder
from meddie.ai.errors import AIError, GaveWay
from meddie.jobs.job import LeaseLost, Outage
from meddie.jobs.registry import Handlers
from meddie.tracing import span
from memory import journal
from memory.facts import deferred, resolve, store
from memory.facts.commit import commit
from memory.facts.forget import forget_stated, prepare_forgetting
from memory.facts.message_capture import capture
from memory.facts.prepare import prepare_facts
from memory.facts.tidy import read_kept_lines
from memory.household import household
from memory.models import CaptureJob, Memory, MemoryEvent
from memory.subjects import Household
from memory.values import Candidate, Decision, Prepared, Provenance
from memory.vectors import REFUSALS
from memory.wording.dialogue import stating
from people.scope import NotAMember, Scope, retraction_scope, scope_for

REFUSED = "refused"  # each text of a job by the embedding model

Act = Callable[[Scope, Prepared, Provenance], list[Decision]]
Prepare = Callable[..., Prepared]


def run_remember(job: CaptureJob, embedder: Embedder | None = None) -> None:
    owned = retraction_scope(job.user_id, job.space_id)
    known = household(owned, _provenance(job).person_id)
    _carry_out(job, commit, embedder, partial(_prepare_accepted, known))


def run_forget(job: CaptureJob, embedder: Embedder | None = None) -> None:
    """Retract, also if memory was switched off meanwhile."""
    _carry_out(job, forget_stated, embedder, _prepare_wishes)


def run_resolve(job: CaptureJob) -> None:
    """Resolve new facts, once more if neighbours changed meanwhile."""
    scope = _scope(job)
    if scope is None or not scope.reads:
        return
    ids = [uuid.UUID(pk) for pk in job.payload["memories"]]
    with _reported(job, scope, resolve.RESOLUTION_SCHEMA):
        comparison = resolve.read_comparison(scope, ids)
        verdicts = resolve.ask_resolver(comparison)
    with transaction.atomic():
        store.lock(scope)
        job.hold()
        if verdicts is None:
            resolve.ask_about_older(scope, ids, _provenance(job).user_text)
        decisions, again = resolve.carry_out(scope, comparison, verdicts or [])
        if written := [decision for _, decision in decisions]:
            journal.record_run(
                scope, resolve.RESOLUTION_SCHEMA, written, extracted=0, by=job.by
            )
        if again and not job.payload["again"]:
            deferred.put_resolution(scope, again, _provenance(job), again=True)
        job.succeed()


def run_extract(job: CaptureJob, embedder: Embedder | None = None) -> None:
    scope, provenance = _scope(job), _provenance(job)
    if scope is None or not scope.writes:
        return
    kind, length = MemoryEvent.Kind.EXTRACT_ERROR, len(provenance.user_text or "")
    with span("capture"), _reported(job, scope, job.origin, length, kind):
        capture(job, scope, provenance, embedder)


def run_tidy(job: CaptureJob, embedder: Embedder | None = None) -> None:
    scope = _scope(job)
    if scope is None or not scope.writes:
        return
    with _reported(job, scope, job.origin, kind=MemoryEvent.Kind.EXTRACT_ERROR):
        read_kept_lines(job, scope, embedder)


@contextmanager
def _reported(
    job: CaptureJob,
    scope: Scope,
    origin: str,
    length: int | None = None,
    kind: str = MemoryEvent.Kind.DECISION,
) -> Iterator[None]:
    """Report the first of several equal failures."""
    try:
        yield
    except (LeaseLost, GaveWay):
        raise
    except Exception as error:
        code = error.code if isinstance(error, (AIError, Outage)) else "unknown"
        if code != job.error:
            journal.record_run(
                scope,
                origin,
                input_length=length,
                error=code,
                kind=kind,
                by=job.by,
            )
        raise


HANDLERS: Handlers = {
    deferred.REMEMBER: run_remember,
    deferred.FORGET: run_forget,
    deferred.RESOLVE: run_resolve,
    deferred.EXTRACT: run_extract,
    CaptureJob.TIDY: run_tidy,
}


def _prepare_accepted(
    known: Household, candidates: Sequence[Candidate], *, embedder: Embedder | None
) -> Prepared:
    """All: each was among those that a run may store."""
    return prepare_facts(candidates, known, embedder=embedder, most=len(candidates))


def _prepare_wishes(
    candidates: Sequence[Candidate], *, embedder: Embedder | None
) -> Prepared:
    return prepare_forgetting(
        [candidate.text for candidate in candidates], embedder=embedder
    )


def _carry_out(
    job: CaptureJob,
    act: Act,
    embedder: Embedder | None,
    prepare: Prepare,
) -> None:
    owned = retraction_scope(job.user_id, job.space_id)
    with _reported(job, owned, job.origin):
        prepared, refused = _prepare(deferred.candidates_of(job), embedder, prepare)
        told = _provenance(job)
        with transaction.atomic():
            # The scope before the job: `deferred.put` locks in this order.
            store.lock(owned)
            job.hold()
            scope = _scope(job)
            if scope is not None:
                act(scope, prepared, replace(told, message_id=_existing(job.source_id)))
            _end(job, owned, prepared, refused)


def _end(
    job: CaptureJob, owned: Scope, prepared: Prepared, refused: Sequence[Candidate]
) -> None:
    """Let the job succeed, or keep what the model refused for another attempt."""
    if not refused:
        job.succeed()
        return
    if not prepared.proposals and job.error != REFUSED:
        journal.record_run(owned, job.origin, error=REFUSED, by=job.by)
    data = [deferred.candidate_to_json(candidate) for candidate in refused]
    job.payload = job.payload | {"candidates": data}
    job.fail(REFUSED)


def _prepare(
    candidates: Sequence[Candidate], embedder: Embedder | None, prepare: Prepare
) -> tuple[Prepared, list[Candidate]]:
    """Use one batch, or single texts if the model refuses it. Raises Outage."""
    together = prepare(candidates, embedder=embedder)
    if not together.error:
        return together, []
    if together.error not in REFUSALS:
        raise Outage(together.error)
    alone = [prepare([candidate], embedder=embedder) for candidate in candidates]
    for prepared in alone:
        if prepared.error and prepared.error not in REFUSALS:
            raise Outage(prepared.error)
    good = [prepared for prepared in alone if not prepared.error]
    proposals = tuple(fact for prepared in good for fact in prepared.proposals)
    model = next((prepared.model for prepared in good if prepared.model), "")
    refused = [c for c, p in zip(candidates, alone, strict=True) if p.error]
    return Prepared(proposals, model), refused


def _scope(job: CaptureJob) -> Scope | None:
    try:
        scope = scope_for(job.user, job.space_id, channel=job.channel, room=job.room)
    except NotAMember:
        return None
    if job.kind == deferred.FORGET:
        return retraction_scope(job.user_id, job.space_id, channel=job.channel)
    return scope


def _provenance(job: CaptureJob) -> Provenance:
    """The words of staff restate nothing that was forgotten."""
    text, person = job.payload.get("text") or "", job.payload.get("person")
    return Provenance(
        origin=job.origin,
        stated_at=job.stated_at,
        message_id=_existing(job.source_id),
        run_id=job.run_id,
        user_text=text or None,
        stating="" if job.by else stating(text),
        in_context=job.payload.get("in_context") or None,
        by=job.by,
        person_id=uuid.UUID(person) if person else None,
    )


def _existing(message_id: uuid.UUID) -> uuid.UUID | None:
    """None for a message that was deleted meanwhile."""
    messages: QuerySet[Model] = QuerySet(Memory.source_message.field.related_model)
    return message_id if messages.filter(pk=message_id).exists() else None
