"""Embed texts with the provider or, without a key, locally. Thread-safe."""

import json
import re
import time
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Lock
from typing import Any, Protocol, TypeVar

from django.conf import settings

from meddie.ai import client, local_embedder, provider_answers, tokens, vectors
from meddie.ai.client import read_body
from meddie.ai.errors import AIError, Garbled, NoEmbedder, Refused
from meddie.ai.vectors import Vector

R = TypeVar("R")
DIMENSIONS = {
    "mistral-embed": 1024,
    "nomic-embed-text": 768,
    "mxbai-embed-large": 1024,
    "bge-m3": 1024,
    "all-minilm": 384,
}


@dataclass(frozen=True)
class EmbeddingModel:
    """Vectors are comparable only within one model."""

    name: str
    dimensions: int


class Embedder(Protocol):
    @property
    def model(self) -> EmbeddingModel: ...

    def embed(self, texts: Sequence[str]) -> list[Vector]: ...

    def embed_query(self, text: str) -> Vector: ...

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]: ...


@dataclass(frozen=True)
class QueryCache:
    """The vectors of the last `size` queries."""

    size: int = 2048
    _vectors: OrderedDict[str, Vector] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def get(self, text: str) -> Vector | None:
        with self._lock:
            if text in self._vectors:
                self._vectors.move_to_end(text)
            return self._vectors.get(text)

    def put(self, text: str, vector: Vector) -> Vector:
        """Return a copy: a row keeps its whole batch in memory."""
        vector = vector.copy()
        vector.setflags(write=False)
        with self._lock:
            self._vectors[text] = vector
            self._vectors.move_to_end(text)
            while len(self._vectors) > self.size:
                self._vectors.popitem(last=False)
        return vector


@dataclass(frozen=True)
class _Cached(ABC):
    model: EmbeddingModel
    queries: QueryCache = field(default_factory=QueryCache, compare=False)

    @abstractmethod
    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector per text, in their order. Raises AIError."""

    def embed_query(self, text: str) -> Vector:
        return self.embed_queries([text])[0]

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        """The same of several texts, of which those that are new are one batch."""
        vectors: dict[str, Vector] = {}
        for text in texts:
            if (known := self.queries.get(text)) is not None:
                vectors[text] = known
        new = [text for text in dict.fromkeys(texts) if text not in vectors]
        if new:
            for text, vector in zip(new, self.embed(new), strict=True):
                vectors[text] = self.queries.put(text, vector)
        return [vectors[text] for text in texts]


@dataclass(frozen=True)
class LocalEmbedder(_Cached):
    model: EmbeddingModel = EmbeddingModel(
        local_embedder.NAME, local_embedder.DIMENSIONS
    )

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return vectors.fit_width(local_embedder.encode(_cut(texts)))


@dataclass(frozen=True)
class NoEmbedding(_Cached):
    model: EmbeddingModel = EmbeddingModel("none", 0)

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        raise NoEmbedder


@dataclass(frozen=True, kw_only=True)
class ProviderEmbedder(_Cached):
    endpoint: client.Endpoint

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [
            vector
            for batch in _batches(_cut(texts))
            for vector in vectors.fit_width(self._answer(batch))
        ]

    def _answer(self, batch: list[str]) -> list[list[float]]:
        asked = {"input": batch, **_options(self.model.name)}

        def read(body: bytes) -> list[list[float]]:
            return provider_answers.read_vectors(body, len(batch))

        return _asked(self.endpoint, asked, client.LIMITS.embed, read)


def relay(fields: dict[str, Any]) -> dict[str, Any]:
    """The provider's own answer to a request for vectors. Raises AIError."""

    def read(body: bytes) -> dict[str, Any]:
        found = json.loads(body)
        if not isinstance(found, dict):
            raise Garbled
        return found

    endpoint, seconds = client.Endpoint.for_embeddings(), client.LIMITS.complete
    return _asked(endpoint, fields, seconds, read)


def _asked(
    endpoint: client.Endpoint,
    fields: dict[str, Any],
    seconds: float,
    read: Callable[[bytes], R],
) -> R:
    began = time.monotonic()
    attempt = 0
    while True:
        attempt += 1
        left = max(seconds - (time.monotonic() - began), 0.1)
        try:
            sdk = client.sync_client(endpoint).embeddings.with_streaming_response
            # Fields that the SDK does not know are sent, too.
            with sdk.create(
                input=fields["input"],
                model=fields["model"],
                encoding_format=fields["encoding_format"],
                extra_body=fields,
                timeout=client.timeout(left),
            ) as answer:
                return read(read_body(answer.iter_bytes(), time.monotonic() + left))
        except client.failures() as error:
            failure = client.translated(error)
        except AIError as error:
            failure = error
        elapsed = time.monotonic() - began
        pause = failure.pause(attempt, elapsed, client.EMBEDDING_PATIENCE)
        if pause is None:
            raise failure
        time.sleep(pause)


def _options(model: str) -> dict[str, Any]:
    """Ask OpenAI's third generation for the database's width."""
    options: dict[str, Any] = {"model": model, "encoding_format": "float"}
    if re.search(r"(^|/)text-embedding-3-", model):
        options["dimensions"] = vectors.WIDTH
    return options


@lru_cache(maxsize=1)
def local() -> LocalEmbedder:
    return LocalEmbedder()


def none() -> Embedder:
    return NoEmbedding()


def provider() -> Embedder:
    return _of_provider(client.Endpoint.for_embeddings(), settings.EMBEDDING_MODEL)


EMBEDDERS: dict[str, Callable[[], Embedder]] = {
    "local": local,
    "none": none,
    "provider": provider,
}


def current_embedder() -> Embedder:
    """The embedder that the settings name, whether it works or not."""
    if (
        settings.EMBEDDING_MODEL != local_embedder.NAME
        and settings.EMBEDDING_API_KEY.strip()
    ):
        return provider()
    return local() if local_embedder.installed() else none()


def current_model() -> EmbeddingModel:
    return current_embedder().model


def load_model() -> None:
    """Load the bundled encoder if it is there: it judges also with another embedder."""
    if local_embedder.installed():
        with suppress(NoEmbedder):  # it does not load
            local_embedder.model()


@lru_cache(maxsize=4)
def _of_provider(endpoint: client.Endpoint, name: str) -> ProviderEmbedder:
    model = EmbeddingModel(name, DIMENSIONS.get(name, vectors.WIDTH))
    return ProviderEmbedder(model=model, endpoint=endpoint)


def _cut(texts: Sequence[str]) -> list[str]:
    # OpenAI's limit in tokens; a token has at least one byte.
    short = [tokens.cut(text, 8191) for text in texts]
    if not all(text.strip() for text in short):
        raise Refused("a blank text cannot be embedded")
    return short


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        length = len(text.encode())
        if batch and (len(batch) == 256 or size + length > 250_000):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += length
    if batch:
        yield batch
