"""Capture a message in the background: extract, guard, resolve and store its facts.

They are resolved before they are stored (decision 23).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from meddie.ai.configured import configured
from meddie.ai.embeddings import Embedder
from memory import journal
from memory.facts import deferred, resolve, store
from memory.facts.commit import defer, recorded, settle, stated, stored_sentences
from memory.facts.deferred import Line
from memory.facts.extract import Heard
from memory.facts.forget import forget_stated, prepare_forgetting
from memory.facts.kind import Stated
from memory.facts.proposals import Proposals, propose
from memory.facts.resolve import Comparison, Verdict
from memory.household import household
from memory.models import CaptureJob, Memory, MemoryEvent, MemoryPolicy
from memory.recall import recall as reading
from memory.values import (
    LORE_KIND,
    STORED,
    Candidate,
    Decision,
    Prepared,
    Provenance,
)
from memory.wording.dialogue import is_off_record
from memory.wording.own_words import own_words
from people.scope import Scope

MOST_KNOWN = 20  # facts shown to the extractor


@dataclass(frozen=True, slots=True)
class Resolved:
    """Verdicts on facts that are not stored yet; their drafts have the proposals' keys."""

    comparison: Comparison
    verdicts: Sequence[Verdict] | None


def capture(
    job: CaptureJob, scope: Scope, provenance: Provenance, embedder: Embedder | None
) -> None:
    """Carry out an extraction job. Raises AIError and LeaseLost."""
    heard, proposals = _heard(job, provenance, scope), Proposals()
    told = replace(provenance, in_context=heard.confirmed)
    if heard.may_teach:
        heard = _with_known(heard, scope, embedder)
        policy = MemoryPolicy.objects.of(scope.space_id)
        for_space = policy.asks_for_lore(scope.channel)
        proposals = propose(scope, heard, told, for_space=for_space, embedder=embedder)
        if metadata := job.payload.get("metadata"):
            noted = _noted(proposals.facts, metadata)
            proposals = replace(proposals, facts=noted)
    # A yes is enough for a fact of one's own, not for one of the whole space.
    sources = [
        provenance if proposal.kind == LORE_KIND else told
        for proposal in proposals.facts.proposals
    ]
    facts = stated(scope, proposals.facts, told, sources)
    wishes = prepare_forgetting(
        proposals.wishes, heard.text, heard.before, embedder=embedder
    )
    began = _after_other_writers(scope)
    resolved = _resolve(scope, facts)
    with transaction.atomic():
        store.lock(scope)
        job.hold()
        if heard.may_teach:
            record_call(scope, provenance)
        forget_stated(scope, wishes, provenance)
        decisions = _commit(scope, facts, resolved)
        if proposals.facts.error:
            defer(scope, facts, decisions, proposals.facts.error, told)
        decisions = _carry_out(scope, facts, decisions, resolved)
        _resolve_again(scope, decisions, began, provenance)
        journal.record_run(
            scope,
            provenance.origin,
            recorded(decisions),
            input_length=len(heard.text),
            extracted=proposals.extracted,
            by=provenance.by,
        )
        job.succeed()


def _noted(prepared: Prepared, metadata: str) -> Prepared:
    proposals = tuple(
        replace(fact, candidate=replace(fact.candidate, metadata=metadata))
        if isinstance(fact.candidate, Candidate)
        else fact
        for fact in prepared.proposals
    )
    return replace(prepared, proposals=proposals)


def record_call(scope: Scope, provenance: Provenance) -> None:
    about = {
        "origin": provenance.origin,
        "model": configured().extraction_model,
        "input_length": len(provenance.user_text or ""),
    }
    kind = MemoryEvent.Kind.EXTRACT_CALL
    journal.record(scope, kind, about, by=provenance.by)


@transaction.atomic
def _after_other_writers(scope: Scope) -> datetime:
    """Now; changes before it are committed, and later ones are dated after it."""
    store.lock(scope)
    return timezone.now()


def _heard(job: CaptureJob, provenance: Provenance, scope: Scope) -> Heard:
    text, context = (
        provenance.user_text or "",
        _on_record(job.payload.get("context", [])),
    )
    before = "\n".join(said for role, said in context if role == "user")
    return Heard(
        text=text,
        stated_at=provenance.stated_at.astimezone(scope.zone),
        context=context,
        household=replace(
            household(scope, provenance.person_id), said=text, before=before
        ),
    )


def _on_record(lines: Iterable[Line]) -> list[Line]:
    """What was said before a message, of the user only own words that may be kept."""
    own = [(role, own_words(t) if role == "user" else t) for role, t in lines]
    return [(role, t) for role, t in own if role != "user" or not is_off_record(t)]


def _with_known(heard: Heard, scope: Scope, embedder: Embedder | None) -> Heard:
    query = reading.prepare_query(heard.text, embedder=embedder)
    found = reading.recall(scope, query, limit=MOST_KNOWN // 2).items
    near = [item for item in found if not item.shared]
    newest = reading.newest(scope, MOST_KNOWN // 2)
    return replace(
        heard,
        known=list(dict.fromkeys(item.text for item in (*near, *newest))),
        profile=reading.profile(scope, 0),
    )


def _resolve(scope: Scope, facts: Sequence[Stated]) -> Resolved:
    """Ask the resolver about sentences that are not active already."""
    drafts = [
        _draft(fact)
        for fact in facts
        if fact.proposal.vector is not None and not _is_active(scope, fact)
    ]
    comparison = resolve.with_neighbours(scope, drafts)
    return Resolved(comparison, resolve.ask_resolver(comparison))


def _is_active(scope: Scope, fact: Stated) -> bool:
    same = store.same_text(scope, fact.content_hash)
    return same is not None and same.active


def _draft(fact: Stated) -> Memory:
    """An unsaved row, to be compared with others."""
    draft = Memory(pk=fact.proposal.key, content=fact.line, embedding_model=fact.model)
    draft.stated_at, draft.origin = fact.at, fact.provenance.origin
    draft.source_message_id = fact.provenance.message_id
    draft.subject, draft.person_id = fact.about.text, fact.about.person_id
    if fact.proposal.vector is not None:
        draft.vector = fact.proposal.vector
    return draft


def _commit(
    scope: Scope, facts: Sequence[Stated], resolved: Resolved
) -> list[Decision]:
    """Store what no known fact repeats. The caller holds the scope's lock."""
    verdicts = resolved.verdicts or ()
    repeated = resolve.find_repeated(scope, resolved.comparison, verdicts)
    return settle(facts, repeated)


def _carry_out(
    scope: Scope,
    facts: Sequence[Stated],
    decisions: Sequence[Decision],
    resolved: Resolved,
) -> list[Decision]:
    """Write the verdicts on what is stored; the decisions with those on verdicts."""
    rows = Memory.objects.in_bulk(stored_sentences(decisions))
    row_of = {d.proposal.key: rows.get(d.memory_id) for d in decisions if d.proposal}
    comparison = resolved.comparison
    new = [row_of.get(draft.pk) or draft for draft in comparison.new]
    if resolved.verdicts is None:
        message = facts[0].provenance.user_text if facts else None
        resolve.ask_about_older(scope, [memory.pk for memory in new], message)
    outcome = resolve.carry_out(
        scope, replace(comparison, new=new), resolved.verdicts or ()
    )
    changed = {key for key, d in outcome.decisions if d.action != "reject"}
    kept = [d for d in decisions if not (d.action in STORED and d.memory_id in changed)]
    return kept + [decision for _, decision in outcome.decisions]


def _resolve_again(
    scope: Scope,
    decisions: Sequence[Decision],
    began: datetime,
    provenance: Provenance,
) -> None:
    """Enqueue the resolution of stored facts if others were stored meanwhile."""
    stored = stored_sentences(decisions)
    others = Memory.objects.visible_to(scope).active().filter(updated_at__gt=began)
    others = others.exclude(pk__in=stored).exclude(stated_at=provenance.stated_at)
    if stored and others.exists():
        deferred.put_resolution(scope, stored, provenance, again=True)
