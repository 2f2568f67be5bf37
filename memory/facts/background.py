"""Capture a message in the background: extract, guard, resolve and store its facts.

They are resolved before they are stored (decision 23).
"""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from meddie.ai.embeddings import Embedder
from memory import journal
from memory.facts import deferred, resolve, store
from memory.facts.commit import settle
from memory.facts.deferred import Line
from memory.facts.extract import Heard
from memory.facts.forget import forget_stated, prepare_forgetting
from memory.facts.lore import settle_lore
from memory.facts.profile_facts import settle_profile
from memory.facts.proposals import Proposals, propose
from memory.facts.remember import defer
from memory.facts.resolve import Comparison, Verdict
from memory.models import CaptureJob, Memory, MemoryEvent, MemoryPolicy
from memory.reasons import Reason
from memory.recall import recall as reading
from memory.values import STORED, Decision, Item, Prepared, Provenance
from memory.wording.dialogue import is_off_record
from memory.wording.own_words import own_words
from memory.wording.same_fact import content_hash
from people.scope import Scope

KNOWN = 20  # facts shown to the extractor


@dataclass(frozen=True, slots=True)
class Resolved:
    """Verdicts on facts that are not stored yet, by their positions in `prepared`."""

    prepared: Prepared
    positions: Sequence[int]
    comparison: Comparison
    verdicts: Sequence[Verdict] | None


def capture(
    job: CaptureJob, scope: Scope, provenance: Provenance, embedder: Embedder | None
) -> None:
    """Carry out an extraction job. Raises AIError and LeaseLost."""
    heard, proposals = _heard(job, provenance, scope.zone), Proposals()
    told = replace(provenance, in_context=heard.confirmed)
    if heard.may_teach:
        heard = _with_known(heard, scope, embedder)
        policy = MemoryPolicy.objects.of(scope.space_id)
        for_space = policy.asks_for_lore(scope.channel)
        proposals = propose(heard, told, for_space=for_space, embedder=embedder)
    prepared = proposals.facts
    wishes = prepare_forgetting(
        proposals.wishes, heard.text, heard.before, embedder=embedder
    )
    began = _after_other_writers(scope)
    resolved = _resolve(scope, prepared, provenance)
    with transaction.atomic():
        store.lock(scope)
        job.hold()
        if heard.may_teach:
            _record_call(scope, provenance)
        forget_stated(scope, wishes, provenance)
        decisions = _commit(scope, resolved, provenance)
        facts = settle_profile(scope, prepared.profile, told)
        if proposals.lines:
            settle_lore(scope, proposals.lines, provenance)
        _resolve_again(scope, decisions, began, provenance)
        journal.record_run(
            scope,
            provenance.origin,
            [*decisions, *facts],
            input_length=len(heard.text),
            extracted=proposals.extracted,
            by=provenance.by,
        )
        job.succeed()


def _record_call(scope: Scope, provenance: Provenance) -> None:
    about = {
        "origin": provenance.origin,
        "model": settings.EXTRACTION_MODEL,
        "input_length": len(provenance.user_text or ""),
    }
    kind = MemoryEvent.Kind.EXTRACT_CALL
    journal.record(scope, kind, about, by=provenance.by)


@transaction.atomic
def _after_other_writers(scope: Scope) -> datetime:
    """Now; changes before it are committed, and later ones are dated after it."""
    store.lock(scope)
    return timezone.now()


def _heard(job: CaptureJob, provenance: Provenance, zone: tzinfo) -> Heard:
    return Heard(
        text=provenance.user_text or "",
        stated_at=provenance.stated_at.astimezone(zone),
        context=_on_record(job.payload.get("context", [])),
    )


def _on_record(lines: Iterable[Line]) -> list[Line]:
    """What was said before a message, of the user only own words that may be kept."""
    own = [(role, own_words(t) if role == "user" else t) for role, t in lines]
    return [(role, t) for role, t in own if role != "user" or not is_off_record(t)]


def _with_known(heard: Heard, scope: Scope, embedder: Embedder | None) -> Heard:
    query = reading.prepare_query(heard.text, embedder=embedder)
    found = reading.recall(scope, query, limit=KNOWN // 2).items
    near = [item for item in found if not item.shared]
    newest = reading.newest(scope, KNOWN // 2)
    return replace(
        heard,
        known=list(dict.fromkeys(item.text for item in (*near, *newest))),
        profile=reading.profile(scope, 0),
    )


def _resolve(scope: Scope, prepared: Prepared, provenance: Provenance) -> Resolved:
    """Ask the resolver about facts whose sentence is not active already."""
    drafts = {
        position: _draft(item, prepared.model, provenance)
        for position, item in enumerate(prepared.items)
        if item.vector is not None and not _is_active(scope, item)
    }
    comparison = resolve.with_neighbours(scope, list(drafts.values()))
    verdicts = resolve.ask_resolver(comparison)
    return Resolved(prepared, list(drafts), comparison, verdicts)


def _is_active(scope: Scope, item: Item) -> bool:
    same = store.same_text(scope, content_hash(item.line))
    return same is not None and same.active


def _draft(item: Item, model: str, provenance: Provenance) -> Memory:
    memory = Memory(pk=uuid.uuid4(), content=item.line, embedding_model=model)
    memory.stated_at, memory.origin = provenance.stated_at, provenance.origin
    memory.source_message_id = provenance.message_id
    if item.vector is not None:
        memory.vector = item.vector
    return memory


def _commit(scope: Scope, resolved: Resolved, provenance: Provenance) -> list[Decision]:
    """Store what is new, then write the verdicts. The caller holds the scope's lock."""
    prepared, comparison = resolved.prepared, resolved.comparison
    if prepared.error:
        defer(scope, prepared.items, prepared.error, provenance)
    verdicts = resolved.verdicts or ()
    repeated = resolve.find_repeated(scope, comparison, verdicts)
    drafts = dict(zip(resolved.positions, comparison.new, strict=True))
    decisions = []
    for position, item in enumerate(prepared.items):
        draft = drafts.get(position)
        if draft and (known := repeated.get(draft.pk)):
            confidence = item.candidate.confidence
            store.restate(scope, known, confidence, provenance)
            decision = Decision(
                item.line, "ignore", Reason.DUPLICATE, known.pk, known.pk
            )
        else:
            decision = settle(scope, item, prepared.model, provenance)
        decisions.append(decision)
    stored = [_stored(decisions[n], draft) for n, draft in drafts.items()]
    if resolved.verdicts is None:
        keys = [memory.pk for memory in stored]
        resolve.ask_about_older(scope, keys, provenance.user_text)
    outcome = resolve.carry_out(scope, replace(comparison, new=stored), verdicts)
    written = [d for d in outcome.decisions if d.action != "reject"]
    changed = {decision.text for decision in written}
    return [d for d in decisions if d.text not in changed] + outcome.decisions


def _stored(decision: Decision, draft: Memory) -> Memory:
    """The row of a stored fact, else its draft, which has none."""
    if decision.action not in STORED or decision.memory_id is None:
        return draft
    return Memory.objects.get(pk=decision.memory_id)


def _resolve_again(
    scope: Scope,
    decisions: Sequence[Decision],
    began: datetime,
    provenance: Provenance,
) -> None:
    """Enqueue the resolution of stored facts if others were stored meanwhile."""
    stored = [d.memory_id for d in decisions if d.action in STORED and d.memory_id]
    others = Memory.objects.visible_to(scope).active().filter(updated_at__gt=began)
    others = others.exclude(pk__in=stored).exclude(stated_at=provenance.stated_at)
    if stored and others.exists():
        deferred.put_resolution(scope, stored, provenance, again=True)
