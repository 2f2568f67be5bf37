"""An embedder that embeds nothing twice, for parts that do not time the model."""

from collections.abc import Sequence

from meddie.ai.embeddings import Embedder, EmbeddingModel
from meddie.ai.vectors import Vector


class Remembering:
    """Keeps every vector it has seen."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self.known: dict[str, Vector] = {}
        self.asked: dict[str, Vector] = {}

    @property
    def model(self) -> EmbeddingModel:
        return self.embedder.model

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector a text, in their order."""
        new = sorted({text for text in texts if text not in self.known}, key=len)
        self.known |= zip(new, self.embedder.embed(new), strict=True) if new else {}
        return [self.known[text] for text in texts]

    def embed_query(self, text: str) -> Vector:
        """The same for one text."""
        if text not in self.asked:
            self.asked[text] = self.embedder.embed_query(text)
        return self.asked[text]

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        """The same for several."""
        return [self.embed_query(text) for text in texts]
