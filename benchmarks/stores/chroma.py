"""chromadb in a folder of its own, with the same embedding model: vectors and no more."""

import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import chromadb
import numpy as np
from chromadb.config import Settings

from benchmarks.stores.bare import MODEL
from meddie.ai.embeddings import Embedder
from meddie.ai.local_embedder import DIMENSIONS

BATCH = 2_000


class Chroma:
    """One collection, the user as metadata."""

    def __init__(self, folder: Path, embedder: Embedder = MODEL) -> None:
        self.embedder = embedder
        client = chromadb.PersistentClient(
            folder / "chroma", settings=Settings(anonymized_telemetry=False)
        )
        self.collection = client.create_collection(
            uuid.uuid4().hex,
            embedding_function=None,
            configuration={"hnsw": {"space": "cosine"}},
        )

    def add(self, user: str, text: str) -> None:
        """Store one text as it is."""
        self._add([user], [text], self.embedder.embed([text]))

    def search(self, user: str, text: str, limit: int) -> list[str]:
        """The texts that it finds."""
        found = self.collection.query(
            query_embeddings=[self.embedder.embed_query(text)[:DIMENSIONS]],
            n_results=limit,
            where={"user": user},
        )
        documents: list[str] = found["documents"][0]
        return documents

    def fill(self, users: Sequence[str], texts: Sequence[str], vectors: Any) -> None:
        """Many texts whose vectors are known."""
        for start in range(0, len(texts), BATCH):
            part = range(start, min(start + BATCH, len(texts)))
            whose = [users[number % len(users)] for number in part]
            self._add(whose, [texts[n] for n in part], [vectors[n] for n in part])

    def _add(self, users: Sequence[str], texts: Sequence[str], vectors: Any) -> None:
        self.collection.add(
            ids=[uuid.uuid4().hex for _ in texts],
            embeddings=[np.asarray(vector)[:DIMENSIONS] for vector in vectors],
            documents=list(texts),
            metadatas=[{"user": user} for user in users],
        )
