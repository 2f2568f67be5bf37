"""Rows whose vector is of another model get a new one, so that changing the model, or
setting the first key after playing without one, loses no fact."""

import uuid
from collections.abc import Sequence
from typing import Any

from django.db.models import Q, QuerySet

from meddie.ai import embeddings
from meddie.ai.embeddings import Embedder
from memory.models import Memory
from memory.vectors import NO_MODEL, REFUSALS, embed

BATCH = 64


def reembed(
    ids: Sequence[uuid.UUID] | None = None, *, embedder: Embedder | None = None
) -> int:
    """Give a batch of stale memories, or these ones, vectors of the model in use: active
    ones, and tombstones that still have a text. How many."""
    kept = Q(active=True) | Q(retired_reason=Memory.RetiredReason.RETRACTED)
    rows = Memory.objects.filter(kept).exclude(content="").order_by("-active", "pk")
    if ids is not None:
        rows = rows.filter(pk__in=ids)
    return reembed_rows(rows, embedder=embedder)


def reembed_all(*, embedder: Embedder | None = None) -> int:
    """Batch after batch until nothing is stale or the model fails; how many rows."""
    total = 0
    while batch := reembed(embedder=embedder):
        total += batch
    return total


def reembed_rows(rows: QuerySet[Any], *, embedder: Embedder | None = None) -> int:
    """Give a batch of those of these rows that another model embedded new vectors.

    The model is asked outside of any transaction. A failure leaves all as it was: the
    rows are found by their words until the next try.
    """
    embedder = embedder or embeddings.current_embedder()
    model = embedder.model.name
    if model == NO_MODEL:
        return 0
    # Not "is another": an index knows what is smaller and what is larger.
    stale = rows.filter(Q(embedding_model__lt=model) | Q(embedding_model__gt=model))
    batch = list(stale.only("content", "embedding_model")[:BATCH])
    embedded = _embedded(batch, embedder)
    if embedded:
        rows.model._default_manager.bulk_update(  # noqa: SLF001 -- Django documents it
            embedded, ["embedding", "embedding_model"]
        )
    return len(embedded)


def _embedded(batch: Sequence[Any], embedder: Embedder) -> list[Any]:
    """Those that got a vector. One text that the model refuses holds up no other."""
    vectors = embed([row.content for row in batch], embedder)
    if vectors.error in REFUSALS and len(batch) > 1:
        return [done for row in batch for done in _embedded([row], embedder)]
    if not vectors.values:
        return []
    for row, vector in zip(batch, vectors.values, strict=True):
        row.embedding, row.embedding_model = vector, vectors.model
    return list(batch)
