"""What is known of a proposed fact, read once under the scope's lock."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from uuid import UUID

from meddie.ai.vectors import Vector
from memory.facts import store
from memory.facts.neighbours import Neighbour, Neighbours, Probe, find_neighbours
from memory.models import Fact, Memory
from memory.models.embedded import NO_MODEL
from memory.reasons import Reason
from memory.recall.thresholds import thresholds
from memory.values import Candidate, Provenance
from memory.wording.evidence import refusal_of, says_more
from memory.wording.reading import Reading, reading_of
from memory.wording.same_fact import (
    content_hash,
    differ,
    extends,
    may_include,
    may_replace,
    names_another,
    same_words,
)
from memory.wording.subjects import shown_text
from people.scope import Scope

WRITTEN_BY_MODELS = frozenset({Memory.Origin.INLINE, Memory.Origin.BACKGROUND})


@dataclass(frozen=True, slots=True)
class Known:
    """Rows that a decision needs, of any kind of fact."""

    # Active, and says the same.
    same: Fact | None = None
    why_same: Reason = Reason.DUPLICATE
    # Forgotten, and not stated again since.
    forgotten: Fact | None = None
    # Newer than the fact, which would have replaced it.
    newer: Fact | None = None
    # The active value of the key, if it is more certain.
    surer: Fact | None = None
    has_room: bool = True
    # Retired, in the same words.
    row: Fact | None = None
    # Active, what took the place of that row, and whether it says all of the fact.
    successor: Fact | None = None
    is_said_by_successor: bool = False
    # Active and older: what the fact takes the place of.
    old: Fact | None = None
    corrected: bool = False


@dataclass(frozen=True)
class Proposal:
    """A sentence that passed the guards."""

    scope: Scope
    candidate: Candidate
    line: str
    vector: Vector
    model: str
    provenance: Provenance
    safety: bool = False

    @cached_property
    def reading(self) -> Reading:
        return reading_of(self.line)

    @cached_property
    def content_hash(self) -> str:
        return content_hash(self.line)


def look(proposal: Proposal) -> Known:
    """Read what a sentence is compared with."""
    near = _near_rows(proposal)
    same, why_same = _same(proposal, near)
    forgotten = (t for t in tombstones(proposal, near) if not _told(proposal, t))
    tombstone = next(forgotten, None)
    keys = [neighbour.id for neighbour in (near.same, same, tombstone) if neighbour]
    rows = store.load_rows(proposal.scope, keys)
    twin, named = _others(proposal, near)
    row = rows[near.same.id] if near.same else None
    successor = store.find_successor(proposal.scope, row) if row else None
    is_newer = named is not None and named.stated_at > proposal.provenance.stated_at
    old = named or _contradicted(proposal, successor)
    return Known(
        same=rows[same.id] if same else twin,
        why_same=why_same if same else Reason.SAME_MESSAGE,
        forgotten=rows[tombstone.id] if tombstone else None,
        newer=named if is_newer else None,
        row=row,
        successor=successor.memory if successor else None,
        is_said_by_successor=successor is not None
        and (
            successor.refines
            or extends(reading_of(successor.memory.content), proposal.reading)
        ),
        old=old if old and old.stated_at < proposal.provenance.stated_at else None,
    )


def _near_rows(proposal: Proposal) -> Neighbours:
    vector = None if proposal.model == NO_MODEL else proposal.vector
    probe = Probe(proposal.content_hash, vector, proposal.model)
    return find_neighbours(proposal.scope, probe)


def tombstones(proposal: Proposal, near: Neighbours | None = None) -> list[Neighbour]:
    """Retracted memories that the fact may tell again; of an erased text the same one."""
    near = near or _near_rows(proposal)
    found = [
        row
        for row, cosine in near.near
        if row.retracted and row.content and _tells(proposal, row, cosine)
    ]
    return [near.same, *found] if near.same and near.same.retracted else found


def _same(proposal: Proposal, near: Neighbours) -> tuple[Neighbour | None, Reason]:
    """An active row in the same or nearly the same words."""
    same = near.same
    if same is not None and same.active and same.linked:
        return same, Reason.DUPLICATE
    limit = thresholds(proposal.model).duplicate
    for row, cosine in near.near:
        alike = row.active and not row.same and cosine > limit
        if alike and _says_same(proposal.line, row.content):
            return row, Reason.NEAR_DUPLICATE
    return None, Reason.DUPLICATE


def _says_same(line: str, known: str) -> bool:
    """Also without the user: an import says "Is allergic to walnuts"."""
    shown = (reading_of(shown_text(text)) for text in (line, known))
    return same_words(reading_of(line), reading_of(known)) or same_words(*shown)


def _others(
    proposal: Proposal, near: Neighbours
) -> tuple[Memory | None, Memory | None]:
    """What another origin stored of the message; what the candidate says it supersedes."""
    least = thresholds(proposal.model).tombstone
    alike = [row.id for row, cosine in near.near if cosine > least]
    named, message = proposal.candidate.supersedes, proposal.provenance.message_id
    keys: list[UUID] = [*(alike if message else []), *filter(None, [named])]
    rows = store.read_active(proposal.scope, keys) if keys else []
    superseded = next((r for r in rows if r.pk == named), None)
    if superseded and superseded.content_hash == proposal.content_hash:
        superseded = None
    twins = (r for r in rows if r.pk in alike and r.source_message_id == message)
    return next((r for r in twins if _is_twin(proposal, r)), None), superseded


def _is_twin(proposal: Proposal, row: Memory) -> bool:
    said = proposal.provenance.user_text or ""
    return (
        row.origin != proposal.provenance.origin
        and may_include(reading_of(row.content), proposal.reading)
        and not says_more(proposal.line, row.content, said)
    )


def _tells(proposal: Proposal, row: Neighbour, cosine: float) -> bool:
    """Models and files may put it in any words, other sources in nearly the same."""
    levels = thresholds(proposal.model)
    origin = proposal.provenance.origin
    if origin == Memory.Origin.IMPORT:
        another = names_another(proposal.reading, reading_of(row.content))
        return cosine > levels.tombstone and not another
    if origin in WRITTEN_BY_MODELS:
        said = _said_since(proposal.provenance, row.retired_at)
        more = says_more(proposal.line, row.content, said)
        return cosine > levels.tombstone and not more
    return cosine > levels.duplicate and not differ(
        proposal.reading, reading_of(row.content)
    )


def _told(proposal: Proposal, tombstone: Neighbour) -> bool:
    """Whether the user states the fact in a message after the one that forgets it."""
    if proposal.candidate.taken:
        return True
    retired_at = tombstone.retired_at
    if retired_at is None or proposal.provenance.stated_at <= retired_at:
        return False
    said = _said_since(proposal.provenance, retired_at)
    return bool(said) and not refusal_of(proposal.line, said)


def _said_since(provenance: Provenance, retired_at: datetime | None) -> str:
    if retired_at is None or provenance.stated_at < retired_at:
        return ""
    return provenance.stating


def _contradicted(
    proposal: Proposal, successor: store.Successor | None
) -> Memory | None:
    """What replaced the sentence before the user stated it once more."""
    if successor is None or not successor.contradicts:
        return None
    old = successor.memory
    return old if may_replace(proposal.reading, reading_of(old.content)) else None
