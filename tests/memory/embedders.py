"""Embedders to test with: honest about words, quick, and able to fail."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from meddie.ai.embeddings import EmbeddingModel
from meddie.ai.errors import AIError
from meddie.ai.vectors import Vector, fit_width
from memory.models.embedded import NEAR_DIMENSIONS
from memory.wording.words import tokens

WORDS = EmbeddingModel("words", NEAR_DIMENSIONS)
WIDE = EmbeddingModel("wide words", 1536)


def word_vector(word: str, dimensions: int) -> Vector:
    """The same unit vector for the same word, at every time."""
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8])
    vector = np.random.default_rng(seed).normal(size=dimensions)
    return (vector / np.linalg.norm(vector)).astype(np.float32)


@dataclass
class WordEmbedder:
    """The sum of a text's words: texts are alike as far as they share them.

    `failure` is raised instead of an answer while it is set.
    """

    model: EmbeddingModel = WORDS
    failure: AIError | None = None
    asked: list[str] = field(default_factory=list)

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.asked.extend(texts)
        if self.failure is not None:
            raise self.failure
        return fit_width(np.array([self._sum(text) for text in texts]))

    def embed_query(self, text: str) -> Vector:
        return self.embed([text])[0]

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        return self.embed(texts)

    def _sum(self, text: str) -> Vector:
        words = tokens(text) or ["nothing"]
        return np.sum([word_vector(w, self.model.dimensions) for w in words], axis=0)
