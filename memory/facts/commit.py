"""Store facts: the one place where a fact of any kind is decided on and written."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from django.db import transaction
from django.utils import timezone

from meddie.ai.provider import current_provider
from meddie.tracing import span
from memory import journal
from memory.facts import deferred, resolve, store
from memory.facts.decide import Ruling, decide
from memory.facts.kind import Kind, Stated
from memory.facts.kinds import KINDS, kind_of
from memory.facts.look import told_apart
from memory.models import Fact, Memory, MemoryEvent
from memory.reasons import Reason
from memory.values import (
    MEMORY_KIND,
    STORED,
    Action,
    Decision,
    Prepared,
    Proposal,
    Provenance,
)
from people.scope import Scope


@span("capture")
def commit(
    scope: Scope,
    prepared: Prepared,
    provenance: Provenance,
    each: Sequence[Provenance] = (),
) -> list[Decision]:
    """Store what is prepared, in one transaction; a decision on each proposal.

    `each` has the provenances of the proposals, where they differ.
    """
    if not scope.writes or scope.user_id is None:
        return [
            Decision.on(proposal, "reject", Reason.NO_MEMORY)
            for proposal in prepared.proposals
        ]
    if not prepared.proposals:
        return []
    with transaction.atomic():
        captures_inline = store.lock(scope) or not provenance.is_of_reply
        facts = stated(scope, prepared, provenance, each)
        decisions = settle(facts, captures_inline=captures_inline)
        if prepared.error:
            defer(scope, facts, decisions, prepared.error, provenance)
        finish(scope, provenance, decisions)
    return decisions


def stated(
    scope: Scope,
    prepared: Prepared,
    provenance: Provenance,
    each: Sequence[Provenance] = (),
) -> list[Stated]:
    sources = each or [provenance] * len(prepared.proposals)
    return [
        Stated(scope, proposal, source, prepared.model)
        for proposal, source in zip(prepared.proposals, sources, strict=True)
    ]


def has_acceptable(facts: Sequence[Stated]) -> bool:
    """Whether the guards let any of the facts pass."""
    return any(
        None in kind.refusals([f for f in facts if f.proposal.kind == kind.name])
        for kind in KINDS.values()
    )


def settle(
    facts: Sequence[Stated],
    repeated: Mapping[uuid.UUID, Memory] | None = None,
    *,
    captures_inline: bool = True,
) -> list[Decision]:
    """Decide on facts of one scope, and write what is decided; in their order.

    Those of a profile are stored first and lore last. `repeated` has what states a
    proposal already, by its key. The caller holds the scope's lock.
    """
    decisions = {}
    for kind in KINDS.values():
        own = [fact for fact in facts if fact.proposal.kind == kind.name]
        if not own:
            continue
        off = kind.switched_off(own[0], captures_inline=captures_inline)
        if off is None:
            kind.lock(own[0].scope)
        for fact, refused in zip(own, kind.refusals(own), strict=True):
            known = (repeated or {}).get(fact.proposal.key)
            decisions[fact.proposal.key] = _settle(kind, fact, off or refused, known)
    decided = [decisions[fact.proposal.key] for fact in facts]
    _tell_of_vital(facts, decided)
    return decided


def _tell_of_vital(facts: Sequence[Stated], decisions: Sequence[Decision]) -> None:
    """If it is the first stored about someone that no answer may overlook."""
    stored = {
        decision.memory_id: fact.about
        for fact, decision in zip(facts, decisions, strict=True)
        if fact.proposal.safety and decision.action in STORED and decision.memory_id
    }
    if stored:
        store.tell_of_vital(facts[0].scope, stored)


def stored_sentences(decisions: Sequence[Decision]) -> list[uuid.UUID]:
    return [
        decision.memory_id
        for decision in decisions
        if decision.kind == MEMORY_KIND
        and decision.action in STORED
        and decision.memory_id
    ]


def _settle(
    kind: Kind, fact: Stated, refused: Reason | None, known: Memory | None
) -> Decision:
    if refused is not None:
        known_now = refused == Reason.DUPLICATE
        action: Action = "ignore" if known_now else "reject"
        return Decision.on(fact.proposal, action, refused)
    if kind.is_embedded and fact.proposal.vector is None:
        return Decision.on(fact.proposal, "defer", Reason.EMBEDDING_FAILED)
    if known is not None:
        ruling = Ruling("ignore", Reason.DUPLICATE, known, known)
    else:
        fact = told_apart(fact) if kind.is_embedded else fact
        ruling = decide(kind.look(fact), fact.at)
    return _carried_out(kind, fact, ruling)


def _carried_out(kind: Kind, fact: Stated, ruling: Ruling) -> Decision:
    row, target = _write(kind, fact, ruling), ruling.target
    return Decision.on(
        fact.proposal,
        ruling.action,
        ruling.reason,
        row.pk if row else None,
        target.pk if target else None,
    )


def _write(kind: Kind, fact: Stated, ruling: Ruling) -> Fact | None:
    """The row that has the fact now."""
    row, target = ruling.row, ruling.target
    if ruling.action in STORED:
        # A correction may say what another row says already.
        says_same = row is not None and ruling.reason == Reason.DUPLICATE
        stored = row if says_same else kind.filled(fact, row)
        kind.store(fact, stored, target, ruling.reason, is_new=row is None)
        return stored
    if ruling.action == "reject":
        return None
    if row is None:
        late = kind.filled(fact)
        return late if kind.keep_as_history(fact, late, target) else None
    if row is target and ruling.reason != Reason.LESS_CERTAIN:
        kind.restate(fact, row)
    return row


def defer(
    scope: Scope,
    facts: Sequence[Stated],
    decisions: Sequence[Decision],
    error: str,
    provenance: Provenance,
) -> None:
    """Keep accepted facts without vectors in jobs of a run, those of one date in one."""
    waiting = [
        fact
        for fact, decision in zip(facts, decisions, strict=True)
        if decision.action == "defer"
    ]
    for stated_at, same in groupby(waiting, key=lambda fact: fact.at):
        candidates = [fact.candidate for fact in same]
        of_date = replace(provenance, stated_at=stated_at)
        deferred.put(scope, deferred.REMEMBER, candidates, of_date)
        kind = MemoryEvent.Kind.EMBEDDING_ERROR
        journal.record(scope, kind, {"error": error}, by=provenance.by)


def recorded(decisions: Sequence[Decision]) -> list[Decision]:
    """Without those on what the space does not keep: it is ignored (S3-27)."""
    return [d for d in decisions if d.reason != Reason.LORE_OFF]


def finish(scope: Scope, provenance: Provenance, decisions: Sequence[Decision]) -> None:
    """Record the decisions, and enqueue the resolution of stored sentences."""
    if told_of := recorded(decisions):
        journal.record_run(scope, provenance.origin, told_of, by=provenance.by)
    stored = stored_sentences(decisions)
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


@transaction.atomic
def correct(
    scope: Scope,
    key: uuid.UUID,
    prepared: Prepared,
    provenance: Provenance | None = None,
) -> Decision:
    """As `service.correct`."""
    store.lock(scope)
    provenance = provenance or Provenance.by_hand("", timezone.now())
    decisions = put_in_place(scope, key, prepared, provenance)
    finish(scope, provenance, decisions)
    return decisions[0]


def put_in_place(
    scope: Scope, key: uuid.UUID, prepared: Prepared, provenance: Provenance
) -> list[Decision]:
    """The same in the scope's lock, without an event.

    Other facts than the first sentence are stored beside it, if it is.
    """
    sentences = (fact for fact in prepared.proposals if fact.kind == MEMORY_KIND)
    first = next(sentences, None)
    decisions = []
    if first is not None:
        decisions = [_put_in_place(scope, key, first, prepared.model, provenance)]
        if decisions[0].action != "replace":
            return decisions
    further = tuple(fact for fact in prepared.proposals if fact is not first)
    beside = replace(prepared, proposals=further)
    return decisions + settle(stated(scope, beside, provenance))


def _put_in_place(
    scope: Scope,
    key: uuid.UUID,
    proposal: Proposal,
    model: str,
    provenance: Provenance,
) -> Decision:
    old = _correctable(scope, key, provenance)
    if old is None:
        return Decision.on(proposal, "reject", Reason.GONE)
    kind = kind_of(old)
    fact = Stated(scope, kind.correction(proposal, old), provenance, model)
    decision = replace(_correct(kind, fact, old), evidence="")
    _tell_of_vital([fact], [decision])
    return decision


def _correctable(scope: Scope, key: uuid.UUID, provenance: Provenance) -> Fact | None:
    for kind in KINDS.values():
        rows = kind.correctable(scope, provenance.by).filter(pk=key)
        old: Fact | None = rows.defer(*kind.model.VECTORS).first()
        if old is not None:
            kind.lock(scope)
            old.refresh_from_db(fields=["active"])
            return old
    return None


def _correct(kind: Kind, fact: Stated, old: Fact) -> Decision:
    (refused,) = kind.refusals([fact])
    if refused is not None:
        return Decision.on(fact.proposal, "reject", refused)
    if kind.is_embedded and fact.proposal.vector is None:
        return Decision.on(fact.proposal, "reject", Reason.EMBEDDING_FAILED)
    fact = told_apart(fact) if kind.is_embedded else fact
    return _carried_out(kind, fact, kind.rule_correction(fact, old))
