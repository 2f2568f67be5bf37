"""New vectors for rows whose vector is missing or of another model."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Q, QuerySet

from meddie.ai import embeddings
from meddie.ai.embeddings import Embedder
from memory.models.embedded import NO_MODEL, embedded_tables
from memory.vectors import REFUSALS, embed_texts

BATCH = 64


def reembed_all(*, embedder: Embedder | None = None) -> int:
    """Embed until nothing is stale or the model fails; return how many."""
    total = 0
    for table in embedded_tables():
        while batch := reembed_rows(table.to_embed(), embedder=embedder):
            total += batch
    return total


def reembed_rows(rows: QuerySet[Any], *, embedder: Embedder | None = None) -> int:
    """Embed a batch outside of transactions; return how many, 0 if the model fails."""
    embedder = embedder or embeddings.current_embedder()
    model = embedder.model.name
    if model == NO_MODEL:
        return 0
    stale = stale_rows(rows, model)
    batch = list(stale.only("content", "embedding_model")[:BATCH])
    embedded = _embedded(batch, embedder)
    if embedded:
        rows.model._default_manager.bulk_update(  # noqa: SLF001 -- Django documents it
            embedded, [*rows.model.VECTORS, "embedding_model"]
        )
    return len(embedded)


def stale_rows(rows: QuerySet[Any], model: str) -> QuerySet[Any]:
    """Those without a vector of that model."""
    # An index serves < and >, but not "is not equal".
    return rows.filter(Q(embedding_model__lt=model) | Q(embedding_model__gt=model))


def _embedded(batch: Sequence[Any], embedder: Embedder) -> list[Any]:
    """A refused text does not stop the others."""
    vectors = embed_texts([row.content for row in batch], embedder)
    if vectors.error in REFUSALS and len(batch) > 1:
        return [done for row in batch for done in _embedded([row], embedder)]
    if not vectors.values:
        return []
    for row, vector in zip(batch, vectors.values, strict=True):
        row.vector, row.embedding_model = vector, vectors.model
    return list(batch)
