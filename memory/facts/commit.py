"""Write what was decided on a sentence. The caller holds the scope's lock."""

import uuid

from meddie.text import one_line
from memory.facts import store
from memory.facts.decide import Ruling, decide
from memory.facts.look import Proposal, look
from memory.facts.periods import read_moment
from memory.models import Memory
from memory.reasons import Reason
from memory.values import Decision, Item, Provenance
from people.scope import Scope

KINDS = frozenset(Memory.Kind.values)
EVIDENCE_LIMIT = 220  # characters


def settle(scope: Scope, item: Item, model: str, provenance: Provenance) -> Decision:
    """Look, decide and commit."""
    candidate, line = item.candidate, item.line
    if item.refusal is not None:
        return Decision(line, "reject", item.refusal, evidence=candidate.evidence)
    if item.vector is None:
        return Decision(line, "defer", Reason.EMBEDDING_FAILED)
    vector, safety = item.vector, item.safety
    proposal = Proposal(scope, candidate, line, vector, model, provenance, safety)
    ruling = decide(look(proposal), provenance.stated_at)
    row, target = _write(proposal, ruling), ruling.target
    return Decision(
        line,
        ruling.action,
        ruling.reason,
        row.pk if row else None,
        target.pk if target else None,
        evidence=candidate.evidence,
    )


def _write(proposal: Proposal, ruling: Ruling) -> Memory | None:
    """The row that has the fact now."""
    row, target, scope = ruling.row, ruling.target, proposal.scope
    assert row is None or isinstance(row, Memory)  # noqa: S101 -- as `look` reads
    assert target is None or isinstance(target, Memory)  # noqa: S101
    if ruling.action == "reject":
        return None
    if ruling.action == "ignore" and row is not None and row is target:
        store.restate(scope, row, proposal.candidate.confidence, proposal.provenance)
        return row
    if ruling.action == "ignore":
        return row or _kept_as_history(proposal, ruling, target)
    memory = filled(proposal, row or Memory(pk=uuid.uuid4()))
    if row is None:
        store.insert(memory)
    else:
        store.revive(scope, memory)
    if target is not None:
        store.supersede(scope, target, memory, Reason.NEWER)
    return memory


def _kept_as_history(
    proposal: Proposal, ruling: Ruling, newer: Memory | None
) -> Memory | None:
    """An older statement that came late; not a retired one that is stated again."""
    if newer is None or not newer.active:
        return None
    memory = filled(proposal, Memory(pk=uuid.uuid4()))
    store.insert_superseded(proposal.scope, memory, newer, ruling.reason)
    return memory


def filled(proposal: Proposal, memory: Memory) -> Memory:
    """The unsaved row of a sentence."""
    provenance, candidate = proposal.provenance, proposal.candidate
    memory.user_id, memory.space_id = (
        store.owner(proposal.scope),
        proposal.scope.space_id,
    )
    memory.content, memory.content_hash = proposal.line, proposal.content_hash
    memory.vector, memory.embedding_model = proposal.vector, proposal.model
    memory.kind = candidate.kind if candidate.kind in KINDS else Memory.Kind.OTHER
    memory.confidence = candidate.confidence
    memory.evidence = one_line(candidate.evidence)[:EVIDENCE_LIMIT]
    memory.source, memory.origin = provenance.source, provenance.origin
    memory.source_message_id, memory.run_id = provenance.message_id, provenance.run_id
    memory.channel, memory.room = proposal.scope.channel, proposal.scope.room
    memory.stated_at = provenance.stated_at
    memory.valid_from = read_moment(candidate.valid_from)
    memory.valid_until = read_moment(candidate.valid_until, is_end=True)
    memory.safety = proposal.safety
    memory.active, memory.retired_reason, memory.retired_at = True, "", None
    return memory
