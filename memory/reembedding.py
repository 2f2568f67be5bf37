"""Rows whose vector is of another model get a new one, so that changing the model, or
setting the first key after playing without one, loses no fact."""

import uuid
from collections.abc import Sequence

from django.db.models import Q, QuerySet

from meddie.ai import embeddings
from meddie.ai.embeddings import Embedder
from memory.capture.vectors import NO_MODEL, embed
from memory.models import Memory

BATCH = 64


def stale(model: str) -> QuerySet[Memory]:
    """Rows that want a vector of this model: active ones, and tombstones that still
    have a text."""
    return (
        Memory.objects.exclude(embedding_model=model)
        .filter(Q(active=True) | Q(retired_reason=Memory.RetiredReason.RETRACTED))
        .exclude(content="")
    )


def reembed(
    ids: Sequence[uuid.UUID] | None = None, *, embedder: Embedder | None = None
) -> int:
    """Give a batch of stale rows, or these ones, vectors of the model in use; how many.

    The model is asked outside of any transaction. A failure leaves all as it was: the
    rows are found by their words until the next try.
    """
    embedder = embedder or embeddings.current_embedder()
    if embedder.model.name == NO_MODEL:
        return 0
    rows = stale(embedder.model.name)
    if ids is not None:
        rows = rows.filter(pk__in=ids)
    batch = list(
        rows.only("content", "embedding_model").order_by("-active", "pk")[:BATCH]
    )
    vectors = embed([row.content for row in batch], embedder)
    if not vectors.values:
        return 0
    for row, vector in zip(batch, vectors.values, strict=True):
        row.embedding, row.embedding_model = vector, vectors.model
    return Memory.objects.bulk_update(batch, ["embedding", "embedding_model"])


def reembed_all(*, embedder: Embedder | None = None) -> int:
    """Batch after batch until nothing is stale or the model fails; how many rows."""
    total = 0
    while batch := reembed(embedder=embedder):
        total += batch
    return total
