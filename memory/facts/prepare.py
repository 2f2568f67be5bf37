"""Make proposals of candidates: normalise, guard and embed them, without the database."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from meddie.ai.embeddings import Embedder
from memory.facts.kinds import KINDS
from memory.facts.profile_keys import sentence_about_health
from memory.reasons import Reason
from memory.subjects import UNSURE, Household
from memory.values import (
    MEMORY_KIND,
    AnyCandidate,
    Candidate,
    Prepared,
    ProfileCandidate,
    Proposal,
)
from memory.vectors import embed_texts
from memory.wording.guards import MAX_PER_REPLY
from memory.wording.reading import reading_of
from memory.wording.subject_labels import labelled
from memory.wording.subjects import (
    mentions_another,
    mentions_user,
    parts_of_subjects,
    subject_of,
)
from memory.wording.words import plain


def prepare_facts(
    candidates: Sequence[AnyCandidate],
    household: Household,
    *,
    embedder: Embedder | None = None,
    most: int = MAX_PER_REPLY,
) -> Prepared:
    """As `service.prepare_facts`."""
    proposals: list[Proposal] = []
    accepted = Counter[str]()
    for told in candidates:
        candidate = _with_subject(_as_told(told, household), household)
        proposal = KINDS[candidate.of_kind].proposal(candidate)
        limit = most if proposal.kind == MEMORY_KIND else max(most, MAX_PER_REPLY)
        if accepted[proposal.kind] >= limit and not candidate.withheld:
            proposal = replace(proposal, refusal=Reason.TOO_MANY)
        accepted[proposal.kind] += proposal.refusal is None
        proposals.append(proposal)
    return with_vectors(proposals, embedder)


def with_vectors(proposals: Sequence[Proposal], embedder: Embedder | None) -> Prepared:
    """Embed what is accepted in one batch."""
    embedded = [
        proposal.key
        for proposal in proposals
        if proposal.refusal is None and KINDS[proposal.kind].is_embedded
    ]
    lines = [proposal.line for proposal in proposals if proposal.key in embedded]
    vectors = embed_texts(lines, embedder)
    if vectors.values is None:
        return Prepared(tuple(proposals), "", vectors.error)
    of_key = dict(zip(embedded, vectors.values, strict=True))
    ready = (
        replace(proposal, vector=of_key.get(proposal.key)) for proposal in proposals
    )
    return Prepared(tuple(ready), vectors.model)


def _with_subject(candidate: AnyCandidate, household: Household) -> AnyCandidate:
    """With whom a sentence is about, and in a text that says so."""
    if not isinstance(candidate, Candidate) or not isinstance(candidate.text, str):
        return candidate
    subject = candidate.subject
    if subject is None:
        subject = subject_of(candidate.text, household)
    text = labelled(candidate.text, subject)
    return replace(candidate, text=text, subject=subject)


def _as_told(candidate: AnyCandidate, household: Household) -> AnyCandidate:
    """A value about health is a sentence, of whom the message told it."""
    if not isinstance(candidate, ProfileCandidate):
        return candidate
    said = household.said
    sentence = sentence_about_health(candidate)
    if sentence is None:
        is_own = not said or mentions_user(said, household)
        is_own = is_own or subject_of(said, household).is_user
        withheld = candidate.withheld or (None if is_own else Reason.ABOUT_ANOTHER)
        return replace(candidate, withheld=withheld)
    telling = [
        part
        for whole in reading_of(said).sentences
        for part in parts_of_subjects(whole, household)
        if plain(str(candidate.value)) in plain(part)
    ]
    if telling:
        return replace(sentence, subject=subject_of(telling[0], household))
    unclear = mentions_another(said, household)
    return replace(sentence, subject=UNSURE) if unclear else sentence
