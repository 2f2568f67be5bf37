"""Vectors of texts and their PostgreSQL literals."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from meddie.ai import embeddings
from meddie.ai.embeddings import Embedder
from meddie.ai.errors import AIError, Garbled, NoEmbedder, Refused
from meddie.ai.vectors import Vector
from memory.models.embedded import NEAR_DIMENSIONS, NO_MODEL, NO_VECTOR, is_wide

logger = logging.getLogger(__name__)

# Errors of one text. Other texts may still be embedded.
REFUSALS = frozenset({Refused.code, Garbled.code})


@dataclass(frozen=True, slots=True)
class Vectors:
    """`values` is None after an error."""

    model: str
    values: tuple[Vector, ...] | None
    error: str = ""


def embed_texts(texts: Sequence[str], embedder: Embedder | None = None) -> Vectors:
    """Embed in one batch. A failure is returned; without an embedder, zeros."""
    if not texts:
        return Vectors("", ())
    try:
        embedder = embedder or embeddings.current_embedder()
        return Vectors(embedder.model.name, tuple(embedder.embed(texts)))
    except NoEmbedder:
        return Vectors(NO_MODEL, (NO_VECTOR,) * len(texts))
    except AIError as error:
        logger.warning("embedding failed: %s", error.code)
        return Vectors("", None, error.code)


def vector_values(vector: Vector) -> dict[str, str | None]:
    """To compare rows with: their short copies, and all of a wide vector."""
    whole = vector_text(vector) if is_wide(vector) else None
    return {"near": vector_text(vector[:NEAR_DIMENSIONS]), "vector": whole}


def vector_text(vector: Vector) -> str:
    return f"[{'%.9g,' * len(vector) % tuple(vector.tolist())}"[:-1] + "]"
