"""Judge sentences of any language by a classifier fitted to `examples/<class>.txt`.

Per class a support vector machine with an RBF kernel over the vectors of the bundled
encoder, fitted by `make judgement` (decision 39). Without the encoder nothing is judged.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from math import ceil
from pathlib import Path

import numpy as np
import numpy.typing as npt

from meddie.ai import embeddings, local_embedder
from meddie.ai.errors import NoEmbedder

EXAMPLES = Path(__file__).parent / "examples"
FITTED = Path(__file__).parent / "fitted.npz"
MARGINS = {
    "medical": 0.15,
    "crisis": 0.0,
    "order": 0.0,
    "override": 0.0,
    "overview": 0.25,
    "topic_change": 0.25,
    "forget": -0.15,
    "confirm": 0.25,
    "recalling": -0.25,
}
"""By class, the score that a sentence exceeds. A lower one finds and flags more."""
STEP = 127  # of a number of a stored vector
MOST_SENTENCES = 1000
LONGEST_SENTENCE, PIECE = 300, 100  # characters
KEPT = 2048  # judgements
ENDING = re.compile(r"(?<![.!?…])[.!?…]++(?=\s|\Z)|[。！？؟]++|\n")  # noqa: RUF001

Matrix = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Judged:
    """A text with its score for each class, and the classes that it belongs to."""

    text: str
    scores: Mapping[str, float]

    @property
    def classes(self) -> frozenset[str]:
        return frozenset(c for c, score in self.scores.items() if score > MARGINS[c])


def judge(texts: Sequence[str]) -> list[Judged]:
    """Judge each text as one sentence; without the encoder as nothing.

    New texts are encoded in one batch, and what was judged last is known.
    """
    if not texts:
        return []
    try:
        vectors_of(texts)
    except NoEmbedder:
        return [Judged(text, {}) for text in texts]
    return [_judged(text) for text in texts]


@lru_cache(maxsize=KEPT)
def _judged(text: str) -> Judged:
    (values,) = scores(vectors_of([text]), _fitted())
    return Judged(text, dict(zip(MARGINS, map(float, values), strict=True)))


def belongs(text: str, name: str) -> bool:
    """Whether the text as a whole is of the class."""
    return bool(text.strip()) and name in judge([text.strip()])[0].classes


def sentence_places(text: str) -> list[tuple[int, int]]:
    """Where the sentences of a text begin and end.

    Long ones are divided between words, and neighbours of very many are joined: the
    encoder reads little of a long sentence.
    """
    ends = [*(found.end() for found in ENDING.finditer(text)), len(text)]
    ends = [cut for pair in pairwise([0, *ends]) for cut in _divided(text, *pair)]
    places = [
        (end - len(sentence.lstrip()), end - len(sentence) + len(sentence.rstrip()))
        for start, end in pairwise([0, *ends])
        if any(map(str.isalnum, sentence := text[start:end]))
    ]
    together = ceil(len(places) / MOST_SENTENCES)
    groups = [places[n : n + together] for n in range(0, len(places), together or 1)]
    return [(group[0][0], group[-1][1]) for group in groups]


def _divided(text: str, start: int, end: int) -> Iterator[int]:
    """The end; of a long sentence also places before it, between words."""
    if end - start > LONGEST_SENTENCE:
        while end - start > PIECE:
            space = text.rfind(" ", start + 1, start + PIECE)
            start = space if space > start else start + PIECE
            yield start
    yield end


def judge_sentences(text: str) -> list[tuple[tuple[int, int], Judged]]:
    """Judge a text sentence by sentence, each with its place."""
    places = sentence_places(text)
    return list(
        zip(places, judge([text[start:end] for start, end in places]), strict=True)
    )


def nearest_examples(text: str, count: int = 5) -> Iterator[tuple[float, str, str]]:
    """The examples that are most like the text: cosine, example and its classes."""
    try:
        likeness = _fitted().examples @ vectors_of([text])[0]
    except NoEmbedder:
        return
    labels = read_examples()
    texts = list(labels)
    for place in np.argsort(-likeness)[:count]:
        example = texts[place]
        yield float(likeness[place]), example, ", ".join(sorted(labels[example]))


def read_examples() -> dict[str, set[str]]:
    """The examples in a fixed order, with the classes of each."""
    labels: dict[str, set[str]] = {}
    for file in sorted(EXAMPLES.glob("*.txt")):
        for line in file.read_text().splitlines():
            labels.setdefault(line, set()).add(file.stem)
    return labels


def vectors_of(texts: Sequence[str]) -> Matrix:
    """Unit vectors of shape (texts, 512). Raises NoEmbedder."""
    if not local_embedder.installed():
        raise NoEmbedder
    # The encoder reads capitals as other words.
    read = [text.lower() if text.isupper() else text for text in texts]
    padded = embeddings.local().embed_queries(read)
    return np.reshape(padded, (len(texts), -1))[:, : local_embedder.DIMENSIONS]


@dataclass(frozen=True, slots=True)
class Fitted:
    """Unit vectors of the examples, and a weight of each for each class."""

    examples: Matrix
    weights: Matrix  # (examples, classes)
    biases: Matrix
    gamma: float


def scores(vectors: Matrix, fitted: Fitted) -> Matrix:
    """The decision function of each class, of shape (texts, classes)."""
    distances = 2 - 2 * vectors @ fitted.examples.T
    kernel = np.exp(-fitted.gamma * distances)
    values: Matrix = kernel @ fitted.weights + fitted.biases
    return values


def to_bytes(vectors: Matrix) -> npt.NDArray[np.int8]:
    """Vectors as they are stored: a byte for each number."""
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    bytes_: npt.NDArray[np.int8] = np.rint(vectors / largest * STEP).astype(np.int8)
    return bytes_


def from_bytes(stored: npt.NDArray[np.int8]) -> Matrix:
    vectors = stored.astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


@cache
def _fitted() -> Fitted:
    with np.load(FITTED) as file:
        return Fitted(
            from_bytes(file["examples"]),
            file["weights"],
            file["biases"],
            float(file["gamma"]),
        )
