"""Judge sentences of any language by a classifier fitted to `examples/<class>.txt`.

Per class a support vector machine with an RBF kernel over the vectors of the bundled
encoder, fitted by `make judgement` (decision 39). Without the encoder nothing is judged.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import chain, pairwise
from math import ceil
from pathlib import Path

import numpy as np
import numpy.typing as npt

from meddie.ai import embeddings, local_embedder
from meddie.ai.errors import NoEmbedder
from meddie.ai.vectors import WIDTH
from memory.judgement.replaced_names import with_child
from memory.wording.splitting import sentence_places, split_clauses

EXAMPLES_FOLDER = Path(__file__).parent / "examples"
FITTED = Path(__file__).parent / "fitted.npz"
MARGINS = {
    "medical": 0.15,
    "crisis": 0.05,
    "order": -0.04,
    "override": 0.0,
    "overview": 0.25,
    "topic_change": 0.15,
    "forget": -0.15,
    "ended": -0.2,
    "confirm": 0.25,
    "recalling": -0.25,
    "past": -0.05,
    "safety": 0.0,
    "statement": 0.05,
    "greeting": -0.3,
    "thanks": -0.3,
    "feeling": -0.2,
    "capability": -0.3,
    "forget_all": 0.0,
    "allergy": -0.3,
    "medicine": -0.3,
    "condition": -0.3,
    "operation": -0.3,
    "appointment": -0.2,
    "may_i": -0.1,
    "general": -0.2,
    "closing": -0.3,
    "off_record": -0.25,
    "name": 0.0,
}
"""By class, the score that a sentence exceeds. A lower one finds and flags more.

They come from cross-validation of the examples and from LoCoMo's turns (docs/judgement.md). A
missed `forget` or `recalling` costs more than a false one, a false `overview` or `confirm`
more than a missed one.
"""
LESS_FOR_PART = 0.2
"""How far a clause or a pair exceeds the margin of an emergency, by the same rule."""
EMERGENCIES = ("medical", "crisis")
HEALTH_CLASSES = ("allergy", "medicine", "condition", "operation")
LARGEST_BYTE = 127  # of a number of a stored vector
MOST_SENTENCES = 1000
LONGEST_SENTENCE, PIECE = 300, 100  # characters
SHORT_SENTENCE = 60  # characters of a sentence that is judged with its neighbour
LEAST_CLAUSE = 15  # bytes; a letter of Chinese has three
BATCH = 256  # vectors whose scores are computed at once

Matrix = npt.NDArray[np.float32]
JUDGED = embeddings.QueryCache()
"""Scores by text."""


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
    known = {text: found for text in texts if (found := JUDGED.get(text)) is not None}
    new = [text for text in dict.fromkeys(texts) if text not in known]
    try:
        vectors = vectors_of(new)
    except NoEmbedder:
        return [Judged(text, {}) for text in texts]
    for start in range(0, len(new), BATCH):
        values = scores(vectors[start : start + BATCH], _fitted())
        for text, found in zip(new[start : start + BATCH], values, strict=True):
            known[text] = JUDGED.put(text, found)
    return [
        Judged(text, dict(zip(MARGINS, map(float, known[text]), strict=True)))
        for text in texts
    ]


def belongs(text: str, name: str) -> bool:
    """Whether the text as a whole is of the class."""
    return bool(text.strip()) and name in judge([text.strip()])[0].classes


def judged_places(text: str) -> list[tuple[int, int]]:
    """Where the pieces of a text that are judged begin and end: most are sentences.

    Long ones are divided between words, and neighbours of very many are joined: the
    encoder reads little of a long sentence.
    """
    places = [
        (begin + (text[begin] == " "), end)
        for sentence in sentence_places(text)
        for begin, end in pairwise([sentence[0], *_divided(text, *sentence)])
    ]
    together = ceil(len(places) / MOST_SENTENCES)
    groups = [places[n : n + together] for n in range(0, len(places), together or 1)]
    return [(group[0][0], group[-1][1]) for group in groups]


def _divided(
    text: str, start: int, end: int, longest: int = LONGEST_SENTENCE
) -> Iterator[int]:
    """The end; of a long sentence also places before it, between words."""
    if end - start > longest:
        while end - start > PIECE:
            space = text.rfind(" ", start + 1, start + PIECE)
            start = space if space > start else start + PIECE
            yield start
    yield end


def judge_sentences(text: str) -> list[tuple[tuple[int, int], Judged]]:
    """Judge a text sentence by sentence, each with its place."""
    places = judged_places(text)
    return list(
        zip(places, judge([text[start:end] for start, end in places]), strict=True)
    )


def judge_closely(text: str) -> list[tuple[tuple[int, int], Judged]]:
    """Judge sentences, for emergencies also by their clauses, in pairs and without names.

    A long sentence dilutes an emergency, and short ones share it: "I have chest pain. My
    arm is numb." A pair counts if neither sentence is an emergency alone.
    """
    places = judged_places(text)
    sentences = [text[start:end] for start, end in places]
    clauses = [_clauses(sentence) for sentence in sentences]
    pairs = {
        number: text[a:d]
        for number, ((a, b), (c, d)) in enumerate(pairwise(places))
        if max(b - a, d - c) <= SHORT_SENTENCE
    }
    parts = dict.fromkeys([*chain(*clauses), *pairs.values()])
    judged = judge([*sentences, *parts])
    found = {judgement.text: judgement for judgement in judged}
    closely = [
        _with_parts(judgement, [found[clause] for clause in own])
        for judgement, own in zip(judged, clauses, strict=False)
    ]
    for number, pair in pairs.items():
        both = closely[number : number + 2]
        if all(judgement.classes.isdisjoint(EMERGENCIES) for judgement in both):
            closely[number : number + 2] = [
                _with_parts(judgement, [found[pair]]) for judgement in both
            ]
    return list(zip(places, closely, strict=True))


def _clauses(sentence: str) -> list[str]:
    """The clauses of a sentence that has several, a long one divided, and all again
    without names."""
    clauses = [
        clause[start:end].strip()
        for clause in split_clauses(sentence)
        for start, end in pairwise([0, *_divided(clause, 0, len(clause), PIECE)])
    ]
    long = [clause for clause in clauses if len(clause.encode()) >= LEAST_CLAUSE]
    parts = long if len(clauses) > 1 else []
    return [*parts, *filter(None, map(with_child, [sentence, *parts]))]


def _with_parts(whole: Judged, parts: Sequence[Judged]) -> Judged:
    best = {
        name: max([score, *(part.scores[name] - LESS_FOR_PART for part in parts)])
        for name, score in whole.scores.items()
        if name in EMERGENCIES
    }
    return Judged(whole.text, {**whole.scores, **best})


def nearest_examples(text: str, count: int = 5) -> Iterator[tuple[float, str, str]]:
    """The examples that are most like the text: cosine, example and its classes.

    None after a change of the examples, until `make judgement` has run.
    """
    if not is_fitted():
        return
    labels = read_examples()
    try:
        likeness = _fitted().examples @ vectors_of([text])[0]
    except NoEmbedder:
        return
    texts = list(labels)
    for place in np.argsort(-likeness)[:count]:
        example = texts[place]
        yield float(likeness[place]), example, ", ".join(sorted(labels[example]))


def read_examples() -> dict[str, set[str]]:
    """The examples in a fixed order, with the classes of each."""
    labels: dict[str, set[str]] = {}
    for file in sorted(EXAMPLES_FOLDER.glob("*.txt")):
        for line in file.read_text().splitlines():
            labels.setdefault(line, set()).add(file.stem)
    return labels


def digest(labels: Mapping[str, set[str]]) -> str:
    """A hash of the examples, in their order and with their classes."""
    listed = [[text, *sorted(classes)] for text, classes in labels.items()]
    return sha256(json.dumps(listed).encode()).hexdigest()


def is_fitted() -> bool:
    """Whether `make judgement` has run since the examples changed."""
    return digest(read_examples()) == _fitted().digest


def vectors_of(texts: Sequence[str]) -> Matrix:
    """Unit vectors of shape (texts, 512). Raises NoEmbedder."""
    if not local_embedder.installed():
        raise NoEmbedder
    # The encoder reads capitals as other words.
    read = [text.lower() if text.isupper() else text for text in texts]
    padded = np.reshape(embeddings.local().embed_queries(read), (len(texts), WIDTH))
    return padded[:, : local_embedder.DIMENSIONS]


@dataclass(frozen=True, slots=True)
class Fitted:
    """Unit vectors of the examples, and a weight of each for each class."""

    examples: Matrix
    weights: Matrix  # (examples, classes)
    biases: Matrix
    gamma: float
    digest: str  # of the examples


def scores(vectors: Matrix, fitted: Fitted) -> Matrix:
    """The decision function of each class, of shape (texts, classes)."""
    distances = 2 - 2 * vectors @ fitted.examples.T
    kernel = np.exp(-fitted.gamma * distances)
    values: Matrix = kernel @ fitted.weights + fitted.biases
    return values


def to_bytes(vectors: Matrix) -> npt.NDArray[np.int8]:
    """Vectors as they are stored: a byte for each number."""
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    bytes_: npt.NDArray[np.int8] = np.rint(vectors / largest * LARGEST_BYTE).astype(
        np.int8
    )
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
            str(file["digest"]),
        )
