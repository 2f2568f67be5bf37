"""Store facts: prepare with the model, then commit in one transaction."""

from collections.abc import Sequence
from dataclasses import replace

from django.db import transaction

from meddie.ai.embeddings import Embedder
from meddie.ai.provider import current_provider
from meddie.text import one_line
from meddie.tracing import span
from memory import journal
from memory.facts import deferred, resolve, store
from memory.facts.commit import settle
from memory.facts.lore import settle_lore
from memory.facts.profile_facts import (
    refuse_profile,
    sentence_about_health,
    settle_profile,
)
from memory.judgement.judge import belongs
from memory.models import Memory, MemoryEvent
from memory.reasons import TAKEN_ANYWAY, Reason
from memory.values import (
    STORED,
    Candidate,
    Decision,
    Item,
    Prepared,
    ProfileCandidate,
    Provenance,
)
from memory.vectors import embed_texts
from memory.wording.guards import (
    MAX_PER_REPLY,
    refusal,
    ungrounded,
    without_date,
)
from people.scope import Scope


def prepare_facts(
    candidates: Sequence[Candidate],
    profile: Sequence[ProfileCandidate] = (),
    *,
    embedder: Embedder | None = None,
    most: int = MAX_PER_REPLY,
) -> Prepared:
    """Normalise, guard and embed in one batch. A failing model is not raised.

    Facts of a profile about health become sentences like others.
    """
    items: list[Item] = []
    accepted = 0
    sentences = [sentence_about_health(fact) for fact in profile]
    for candidate in (*candidates, *filter(None, sentences)):
        fact = replace(candidate, text=without_date(candidate.text))
        items.append(_item(fact, too_many=accepted >= most))
        accepted += items[-1].refusal is None
    both = zip(profile, sentences, strict=True)
    structured = tuple(fact for fact, sentence in both if sentence is None)
    return replace(with_vectors(items, embedder), profile=structured)


def with_vectors(items: Sequence[Item], embedder: Embedder | None) -> Prepared:
    lines = [item.line for item in items if item.refusal is None]
    vectors = embed_texts(lines, embedder)
    if vectors.values is None:
        return Prepared(tuple(items), "", vectors.error)
    ready = iter(vectors.values)
    return Prepared(
        tuple(
            replace(item, vector=next(ready)) if item.refusal is None else item
            for item in items
        ),
        vectors.model,
    )


def _item(candidate: Candidate, *, too_many: bool) -> Item:
    reason = candidate.withheld or (
        Reason.TOO_MANY if too_many else refusal(candidate.text)
    )
    if candidate.taken and reason in TAKEN_ANYWAY:
        reason = None
    line = one_line(candidate.text) if isinstance(candidate.text, str) else ""
    return Item(candidate, line, reason, safety=belongs(line, "safety"))


@span("capture")
def commit(
    scope: Scope,
    prepared: Prepared,
    provenance: Provenance,
    lore: Sequence[object] = (),
) -> list[Decision]:
    """Store structured facts, then others, then lore, in one transaction."""
    if not scope.writes or scope.user_id is None:
        return _refuse(prepared, Reason.NO_MEMORY)
    if not prepared.items and not prepared.profile and not lore:
        return []
    with transaction.atomic():
        captures_inline = store.lock(scope)
        if _is_of_reply(provenance) and not captures_inline:
            decisions = _refuse(prepared, Reason.CAPTURE_OFF)
        else:
            decisions = settle_profile(scope, prepared.profile, provenance)
            items = [_grounded(item, provenance) for item in prepared.items]
            if prepared.error:
                defer(scope, items, prepared.error, provenance)
            decisions += [settle(scope, i, prepared.model, provenance) for i in items]
        if decisions:
            finish_commit(scope, provenance, decisions)
        if lore:
            decisions += settle_lore(scope, lore, provenance)
    return decisions


def _refuse(prepared: Prepared, reason: Reason) -> list[Decision]:
    refused = [Decision(i.line, "reject", reason) for i in prepared.items]
    return [*refuse_profile(prepared.profile, reason), *refused]


def finish_commit(
    scope: Scope, provenance: Provenance, decisions: Sequence[Decision]
) -> None:
    """Record the decisions, and enqueue the resolution of stored facts."""
    journal.record_run(scope, provenance.origin, decisions, by=provenance.by)
    memories = [d for d in decisions if not d.profile]
    stored = [d.memory_id for d in memories if d.action in STORED and d.memory_id]
    told = Memory(
        stated_at=provenance.stated_at,
        source_message_id=provenance.message_id,
        origin=provenance.origin,
    )
    others = Memory.objects.visible_to(scope).active().comparable_to(told)
    if not (stored and others.exists()):
        return
    if current_provider().connected:
        deferred.put_resolution(scope, stored, provenance)
    else:
        resolve.ask_about_older(scope, stored, provenance.user_text)


def defer(
    scope: Scope, items: Sequence[Item], error: str, provenance: Provenance
) -> None:
    """Keep accepted facts without vectors in a job."""
    accepted = [item.candidate for item in items if item.refusal is None]
    if accepted:
        deferred.put(scope, deferred.REMEMBER, accepted, provenance)
        kind = MemoryEvent.Kind.EMBEDDING_ERROR
        journal.record(scope, kind, {"error": error}, by=provenance.by)


def _grounded(item: Item, provenance: Provenance) -> Item:
    """Refuse what a reply adds to the message that it answers, where that is known."""
    if item.refusal is None and _is_of_reply(provenance):
        return replace(item, refusal=ungrounded(item.line, provenance))
    return item


def _is_of_reply(provenance: Provenance) -> bool:
    inline = provenance.origin == Memory.Origin.INLINE
    return inline and provenance.source == Memory.Source.CHAT
