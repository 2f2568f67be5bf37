"""mem0 over the same PostgreSQL and the same embedding model, without its language model."""

import json
import os
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
from mem0 import Memory
from mem0.embeddings.base import EmbeddingBase
from mem0.utils.lemmatization import lemmatize_for_bm25

from benchmarks.stores.bare import MODEL
from meddie.ai.embeddings import Embedder
from meddie.ai.local_embedder import DIMENSIONS


class SameModel(EmbeddingBase):
    """The model that everybody uses here."""

    def __init__(self, embedder: Embedder) -> None:
        super().__init__()
        self.embedder = embedder

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        asked = memory_action == "search"
        model = self.embedder
        vector = model.embed_query(text) if asked else model.embed([text])[0]
        narrow: list[float] = vector[:DIMENSIONS].tolist()
        return narrow


class Mem0:
    """Its own `add` and `search`. Nothing of it asks a model or the network."""

    def __init__(self, folder: Path, embedder: Embedder = MODEL) -> None:
        self.table = f"mem0_{uuid.uuid4().hex[:8]}"
        key = {"api_key": "unused"}
        store = {
            "connection_string": os.environ["DATABASE_URL"],
            "collection_name": self.table,
            "embedding_model_dims": DIMENSIONS,
        }
        self.memory = Memory.from_config(
            {
                "vector_store": {"provider": "pgvector", "config": store},
                "llm": {"provider": "openai", "config": key},
                "embedder": {"provider": "openai", "config": key},
                "history_db_path": str(folder / "history.db"),
            }
        )
        self.memory.embedding_model = SameModel(embedder)
        self.memory.vector_store._ensure_collection()  # noqa: SLF001 -- as its insert does

    def add(self, user: str, text: str) -> None:
        """Store one text as it is."""
        self.memory.add(text, user_id=user, infer=False)

    def search(self, user: str, text: str, limit: int) -> list[str]:
        """The texts that it finds."""
        found = self.memory.search(text, top_k=limit, filters={"user_id": user})
        return [one["memory"] for one in found["results"]]

    def fill(self, users: Sequence[str], texts: Sequence[str], vectors: Any) -> None:
        """Rows as its `add` writes them, copied in before its index is built."""
        with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
            connection.execute(f"DROP INDEX {self.table}_hnsw_idx")
            with (
                connection.cursor() as cursor,
                cursor.copy(f"COPY {self.table} (id, vector, payload) FROM STDIN") as c,
            ):
                for number, text in enumerate(texts):
                    row = _payload(users[number % len(users)], text)
                    vector = np.asarray(vectors[number])[:DIMENSIONS].tolist()
                    c.write_row((uuid.uuid4(), str(vector), json.dumps(row)))
            connection.execute("SET maintenance_work_mem = '1GB'")
            connection.execute(
                f"CREATE INDEX {self.table}_hnsw_idx ON {self.table}"
                " USING hnsw (vector vector_cosine_ops)"
            )
            connection.execute(f"VACUUM ANALYZE {self.table}")


def _payload(user: str, text: str) -> dict[str, str]:
    lemmatized = lemmatize_for_bm25(text)
    return {
        "user_id": user,
        "role": "user",
        "data": text,
        "hash": "",
        "created_at": "2026-01-01T00:00:00+00:00",
        "updated_at": "2026-01-01T00:00:00+00:00",
        "text_lemmatized": lemmatized,
    }
