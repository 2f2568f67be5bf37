"""Vectors of texts and their PostgreSQL literals."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from meddie.ai import embeddings
from meddie.ai.embeddings import Embedder
from meddie.ai.errors import AIError, Garbled, NoEmbedder, Refused
from meddie.ai.vectors import Vector
from memory.models.embedded import DIMENSIONS, NO_MODEL

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
        return Vectors(NO_MODEL, (np.zeros(DIMENSIONS, np.float32),) * len(texts))
    except AIError as error:
        logger.warning("embedding failed: %s", error.code)
        return Vectors("", None, error.code)


def vector_text(vector: Vector) -> str:
    (filled,) = np.nonzero(vector)
    end = int(filled[-1]) + 1 if len(filled) else 0
    numbers = "%.9g," * end % tuple(vector[:end].tolist())
    return f"[{numbers}{'0,' * (len(vector) - end)}"[:-1] + "]"
