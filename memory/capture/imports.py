"""Facts from outside, stored in batches under the rules of `remember`."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from django.db import transaction

from meddie.ai.embeddings import Embedder
from memory.capture import store
from memory.capture.remember import (
    Prepared,
    commit,
    finish_commit,
    prepare_facts,
    settle,
)
from memory.models import Memory
from memory.values import Candidate, Decision, Provenance
from people.scope import Scope

BATCH = 100  # facts per call of the embedder and per transaction
StatedFact = tuple[Candidate, datetime]


def import_facts(
    scope: Scope, facts: Sequence[StatedFact], *, embedder: Embedder | None = None
) -> Iterator[Decision]:
    for start in range(0, len(facts), BATCH):
        batch = facts[start : start + BATCH]
        candidates = [candidate for candidate, _ in batch]
        prepared = prepare_facts(candidates, embedder=embedder, most=BATCH)
        yield from commit_batch(scope, prepared, [stated_at for _, stated_at in batch])


def commit_batch(
    scope: Scope, prepared: Prepared, dates: Sequence[datetime]
) -> list[Decision]:
    """Store facts; without vectors each becomes a job."""
    facts = [
        (item, Provenance(Memory.Origin.IMPORT, stated_at))
        for item, stated_at in zip(prepared.items, dates, strict=True)
    ]
    if prepared.error or not scope.writes or scope.user_id is None:
        return [
            decision
            for item, provenance in facts
            for decision in commit(
                scope, Prepared((item,), prepared.model, prepared.error), provenance
            )
        ]
    with transaction.atomic():
        store.lock(scope)
        decisions = [
            settle(scope, item, prepared.model, provenance)
            for item, provenance in facts
        ]
        finish_commit(scope, facts[0][1], decisions)
    return decisions
