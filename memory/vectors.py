"""Texts become vectors, and vectors what PostgreSQL reads.

Embedding is the network: outside of every transaction.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from meddie.ai import embeddings
from meddie.ai.embeddings import Embedder
from meddie.ai.errors import AIError, Garbled, NoEmbedder, Refused
from meddie.ai.vectors import Vector
from memory.models.embedded import DIMENSIONS

logger = logging.getLogger(__name__)

NO_MODEL = "none"
"""Stands in a row where no model has seen the text: never compared by vector."""

REFUSALS = frozenset({Refused.code, Garbled.code})
"""About this text, not about the model: others may still be embedded."""


@dataclass(frozen=True, slots=True)
class Vectors:
    """A vector for each text; none at all, and why, when they could not be had."""

    model: str
    values: tuple[Vector, ...] | None
    error: str = ""


def embed(texts: Sequence[str], embedder: Embedder | None = None) -> Vectors:
    """Embed in one batch. A failure is returned, not raised.

    Without any embedder the vectors are zeros of the model "none", so that facts are
    kept and found by their words until there is one.
    """
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
    """The literal of a vector. Zeros at the end are padding, and put down unread."""
    (filled,) = np.nonzero(vector)
    end = int(filled[-1]) + 1 if len(filled) else 0
    numbers = "%.9g," * end % tuple(vector[:end].tolist())
    return f"[{numbers}{'0,' * (len(vector) - end)}"[:-1] + "]"
