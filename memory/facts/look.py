"""What is known of a sentence, read once under the scope's lock."""

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from memory.facts import store
from memory.facts.decide import Known
from memory.facts.kind import Stated
from memory.facts.neighbours import Neighbour, Neighbours, Probe, find_neighbours
from memory.models import Memory
from memory.models.embedded import NO_MODEL
from memory.reasons import Reason
from memory.recall.thresholds import thresholds
from memory.values import CONTENT_LIMIT, Provenance
from memory.wording.evidence import refusal_of, says_more
from memory.wording.reading import reading_of
from memory.wording.same_fact import (
    are_apart,
    differ,
    extends,
    may_include,
    may_replace,
    names_another,
    same_words,
)
from memory.wording.subject_labels import shown_text

WRITTEN_BY_MODELS = frozenset({Memory.Origin.INLINE, Memory.Origin.BACKGROUND})


def look(stated: Stated) -> Known:
    """Read what a sentence is compared with."""
    near = near_rows(stated)
    same, why_same = _same(stated, near)
    forgotten = (t for t in tombstones(stated, near) if not _told(stated, t))
    tombstone = next(forgotten, None)
    keys = [neighbour.id for neighbour in (near.same, same, tombstone) if neighbour]
    rows = store.load_rows(stated.scope, keys)
    twin, named = _others(stated, near)
    row = rows[near.same.id] if near.same else None
    successor = store.find_successor(stated.scope, row) if row else None
    is_newer = named is not None and named.stated_at > stated.at
    old = named or _contradicted(stated, successor)
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
            or extends(reading_of(successor.memory.content), stated.reading)
        ),
        old=old if old and old.stated_at < stated.at else None,
    )


def near_rows(stated: Stated) -> Neighbours:
    """The row of the same text, and similar ones that may be about the same one."""
    vector = None if stated.model == NO_MODEL else stated.proposal.vector
    probe = Probe(stated.content_hash, vector, stated.model)
    found = find_neighbours(stated.scope, probe)
    about = stated.candidate.subject
    near = [pair for pair in found.near if not are_apart(pair[0].about_if_read, about)]
    return Neighbours(found.same, near)


def told_apart(stated: Stated) -> Stated:
    """With whom it is about in front, where a fact about another has the same words."""
    about = stated.candidate.subject
    if about is None or about.unsure or about.is_user:
        return stated
    row = store.same_text(stated.scope, stated.content_hash)
    line = f"{about.text}: {stated.line}"
    is_other = row and row.active and are_apart(row.about_if_read, about)
    if not is_other or len(line) > CONTENT_LIMIT or stated.line.startswith(about.text):
        return stated
    candidate = replace(stated.candidate, text=line)
    proposal = replace(stated.proposal, candidate=candidate, line=line)
    return replace(stated, proposal=proposal)


def tombstones(stated: Stated, near: Neighbours | None = None) -> list[Neighbour]:
    """Retracted memories that the fact may tell again; of an erased text the same one."""
    near = near or near_rows(stated)
    found = [
        row
        for row, cosine in near.near
        if row.retracted and row.content and _tells(stated, row, cosine)
    ]
    same = near.same
    if same is None or not same.retracted:
        return found
    is_other = are_apart(same.about_if_read, stated.candidate.subject)
    return found if is_other else [same, *found]


def _same(stated: Stated, near: Neighbours) -> tuple[Neighbour | None, Reason]:
    """An active row in the same or nearly the same words."""
    same = near.same
    if same is not None and same.active and same.linked:
        return same, Reason.DUPLICATE
    limit = thresholds(stated.model).duplicate
    for row, cosine in near.near:
        alike = row.active and not row.same and cosine > limit
        if alike and _says_same(stated.line, row.content):
            return row, Reason.NEAR_DUPLICATE
    return None, Reason.DUPLICATE


def _says_same(line: str, known: str) -> bool:
    """Also without the user: an import says "Is allergic to walnuts"."""
    shown = (reading_of(shown_text(text)) for text in (line, known))
    return same_words(reading_of(line), reading_of(known)) or same_words(*shown)


def _others(stated: Stated, near: Neighbours) -> tuple[Memory | None, Memory | None]:
    """What another origin stored of the message; what the candidate says it supersedes."""
    least = thresholds(stated.model).tombstone
    alike = [row.id for row, cosine in near.near if cosine > least]
    named, message = stated.candidate.supersedes, stated.provenance.message_id
    keys: list[UUID] = [*(alike if message else []), *filter(None, [named])]
    rows = store.read_active(stated.scope, keys) if keys else []
    about = stated.candidate.subject
    rows = [row for row in rows if not are_apart(row.about_if_read, about)]
    superseded = next((r for r in rows if r.pk == named), None)
    if superseded and superseded.content_hash == stated.content_hash:
        superseded = None
    twins = (r for r in rows if r.pk in alike and r.source_message_id == message)
    return next((r for r in twins if _is_twin(stated, r)), None), superseded


def _is_twin(stated: Stated, row: Memory) -> bool:
    said = stated.provenance.user_text or ""
    return (
        row.origin != stated.provenance.origin
        and may_include(reading_of(row.content), stated.reading)
        and not says_more(stated.line, row.content, said)
    )


def _tells(stated: Stated, row: Neighbour, cosine: float) -> bool:
    """Models and files may put it in any words, other sources in nearly the same."""
    levels = thresholds(stated.model)
    origin = stated.provenance.origin
    if origin == Memory.Origin.IMPORT:
        another = names_another(stated.reading, reading_of(row.content))
        return cosine > levels.tombstone and not another
    if origin in WRITTEN_BY_MODELS:
        said = _said_since(stated.provenance, row.retired_at)
        more = says_more(stated.line, row.content, said)
        return cosine > levels.tombstone and not more
    return cosine > levels.duplicate and not differ(
        stated.reading, reading_of(row.content)
    )


def _told(stated: Stated, tombstone: Neighbour) -> bool:
    """Whether the user states the fact in a message after the one that forgets it."""
    if stated.candidate.taken:
        return True
    retired_at = tombstone.retired_at
    if retired_at is None or stated.at <= retired_at:
        return False
    said = _said_since(stated.provenance, retired_at)
    return bool(said) and not refusal_of(stated.line, said)


def _said_since(provenance: Provenance, retired_at: datetime | None) -> str:
    if retired_at is None or provenance.stated_at < retired_at:
        return ""
    return provenance.stating


def _contradicted(stated: Stated, successor: store.Successor | None) -> Memory | None:
    """What replaced the sentence before the user stated it once more."""
    if successor is None or not successor.contradicts:
        return None
    old = successor.memory
    if are_apart(old.about_if_read, stated.candidate.subject):
        return None
    return old if may_replace(stated.reading, reading_of(old.content)) else None
