"""Facts from outside, stored in batches under the rules of `remember`."""

from collections.abc import Iterator, Sequence, Set
from contextlib import nullcontext
from dataclasses import replace

from django.db import transaction
from django.utils import timezone

from meddie.ai.embeddings import Embedder
from meddie.text import one_line
from memory.facts import store
from memory.facts.commit import settle
from memory.facts.profile_facts import (
    normalised_key,
    sentence_about_health,
    settle_profile,
)
from memory.facts.remember import (
    commit,
    finish_commit,
    prepare_facts,
)
from memory.models import Memory
from memory.values import (
    Candidate,
    Decision,
    ImportedFact,
    Prepared,
    ProfileCandidate,
    Provenance,
)
from memory.wording.guards import without_date
from people.scope import Scope

BATCH = 100  # facts per call of the embedder and per transaction
Batch = tuple[Prepared, Sequence[Provenance]]


def import_facts(
    scope: Scope,
    facts: Sequence[ImportedFact],
    *,
    embedder: Embedder | None = None,
    dry_run: bool = False,
    taken: Set[str] = frozenset(),
) -> Iterator[Decision]:
    """Profile facts first. A dry run embeds everything first and is rolled back.

    Of texts of decisions that are `taken` the user says now that they hold.
    """
    facts = [_as_stored(fact, taken) for fact in facts]
    batches = _prepared(facts, embedder)
    if dry_run:
        batches = iter(list(batches))
    with transaction.atomic() if dry_run else nullcontext():
        for fact in facts:
            if isinstance(fact.candidate, ProfileCandidate):
                yield _commit_profile(scope, fact.candidate, fact.provenance)
        for prepared, provenances in batches:
            yield from commit_batch(scope, prepared, provenances)
        if dry_run:
            transaction.set_rollback(True)


def _as_stored(fact: ImportedFact, taken: Set[str]) -> ImportedFact:
    candidate = fact.candidate
    if isinstance(candidate, ProfileCandidate):
        candidate = sentence_about_health(candidate) or candidate
    if _text(candidate) not in taken:
        return replace(fact, candidate=candidate)
    if isinstance(candidate, Candidate):
        candidate = replace(candidate, taken=True)
    return replace(fact, candidate=candidate, stated_at=timezone.now())


def _text(candidate: Candidate | ProfileCandidate) -> str:
    """As decisions have it."""
    if isinstance(candidate, ProfileCandidate):
        return one_line(f"{normalised_key(str(candidate.key))}: {candidate.value}")
    return one_line(str(without_date(candidate.text)))


def _prepared(
    facts: Sequence[ImportedFact], embedder: Embedder | None
) -> Iterator[Batch]:
    lines = [
        (fact.candidate, fact.provenance)
        for fact in facts
        if isinstance(fact.candidate, Candidate)
    ]
    for start in range(0, len(lines), BATCH):
        candidates, provenances = zip(*lines[start : start + BATCH], strict=True)
        yield prepare_facts(candidates, embedder=embedder, most=BATCH), provenances


def _commit_profile(
    scope: Scope, candidate: ProfileCandidate, provenance: Provenance
) -> Decision:
    prepared = Prepared(profile=(candidate,))
    if not scope.writes or scope.user_id is None:
        (decision,) = commit(scope, prepared, provenance)
        return decision
    with transaction.atomic():
        store.lock(scope)
        (decision,) = settle_profile(scope, [candidate], provenance)
        finish_commit(scope, _imported(provenance), [decision])
    return decision


def commit_batch(
    scope: Scope, prepared: Prepared, provenances: Sequence[Provenance]
) -> list[Decision]:
    """Store facts; without vectors each becomes a job."""
    facts = list(zip(prepared.items, provenances, strict=True))
    if prepared.error or not scope.writes or scope.user_id is None:
        return [
            decision
            for item, provenance in facts
            for decision in commit(
                scope,
                Prepared((item,), prepared.model, prepared.error),
                _imported(provenance),
            )
        ]
    with transaction.atomic():
        store.lock(scope)
        decisions = [
            settle(scope, item, prepared.model, provenance)
            for item, provenance in facts
        ]
        finish_commit(scope, _imported(facts[0][1]), decisions)
    return decisions


def _imported(provenance: Provenance) -> Provenance:
    """The run is an import, also of facts with another origin."""
    return replace(provenance, origin=Memory.Origin.IMPORT)
