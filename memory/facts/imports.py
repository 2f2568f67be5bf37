"""Facts from outside, stored in batches under the rules of `remember`."""

from collections.abc import Iterator, Sequence, Set
from contextlib import nullcontext
from dataclasses import replace

from django.db import transaction
from django.utils import timezone

from meddie.ai.embeddings import Embedder
from meddie.text import one_line
from memory.facts.commit import commit
from memory.facts.kinds import KINDS
from memory.facts.prepare import prepare_facts
from memory.facts.profile_keys import sentence_about_health
from memory.household import household
from memory.models import Memory
from memory.subjects import Household, Subject
from memory.values import (
    AnyCandidate,
    Candidate,
    Decision,
    ImportedFact,
    Prepared,
    ProfileCandidate,
    Provenance,
)
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
    """Kind by kind. A dry run embeds everything first and is rolled back.

    Of texts of decisions that are `taken` the user says now that they hold.
    """
    facts = [_as_stored(fact, taken) for fact in facts]
    order = list(KINDS)
    facts.sort(key=lambda fact: order.index(fact.candidate.of_kind))
    batches = _prepared(scope, facts, embedder)
    if dry_run:
        batches = iter(list(batches))
    with transaction.atomic() if dry_run else nullcontext():
        for prepared, provenances in batches:
            yield from commit_batch(scope, prepared, provenances)
        if dry_run:
            transaction.set_rollback(True)


def _as_stored(fact: ImportedFact, taken: Set[str]) -> ImportedFact:
    candidate = fact.candidate
    if isinstance(candidate, ProfileCandidate):
        candidate = sentence_about_health(candidate) or candidate
    if KINDS[candidate.of_kind].line(candidate) not in taken:
        return replace(fact, candidate=candidate)
    if isinstance(candidate, Candidate):
        candidate = replace(candidate, taken=True)
    return replace(fact, candidate=candidate, stated_at=timezone.now())


def _prepared(
    scope: Scope, facts: Sequence[ImportedFact], embedder: Embedder | None
) -> Iterator[Batch]:
    for start in range(0, len(facts), BATCH):
        batch = facts[start : start + BATCH]
        known = household(scope)
        candidates = [_with_subject(fact.candidate, known) for fact in batch]
        prepared = prepare_facts(candidates, known, embedder=embedder, most=BATCH)
        yield prepared, [fact.provenance for fact in batch]


def _with_subject(candidate: AnyCandidate, known: Household) -> AnyCandidate:
    """Of an exported name the Person or relative of the space who has it."""
    if not isinstance(candidate, Candidate) or candidate.subject is None:
        return candidate
    named = Subject.read(one_line(candidate.subject.text))
    return replace(candidate, subject=known.resolved(named))


def commit_batch(
    scope: Scope, prepared: Prepared, provenances: Sequence[Provenance]
) -> list[Decision]:
    """Store facts; the run is an import, also of facts with another origin."""
    run = replace(provenances[0], origin=Memory.Origin.IMPORT)
    return commit(scope, prepared, run, provenances)
