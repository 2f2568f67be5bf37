"""Arithmetic of profile `fused`. Pure: no database, no settings, no clock.

A row is judged by what it means, by the query's words in it (rare ones counting more,
long texts less), by who said it, and by what was said around it. The weights were tuned
on real conversations, see docs/recall.md; none of them is sharp.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, NamedTuple

from memory.recall.thresholds import Thresholds

COSINE = 0.6
KEYWORD = 0.4
SPEAKER = 0.25
"""Worth of being said by the one whom the query names."""
SUBSTANCE = 0.2
"""Worth of saying much, of which a text of SUBSTANTIAL different words has half."""
SUBSTANTIAL = 10
SESSION = 0.4
"""The part of its session's best score that every row gets."""
AROUND = ((-1, 0.75), (1, 0.5), (-2, 0.25), (2, 0.25))
"""Whose words count here too, and for how much: a question explains its answer."""
SATURATION = 0.6
LENGTH = 0.75
MOST = 1.25
"""BM25's k1 and b, and what a word is worth at most in the shortest of texts."""


class Row(NamedTuple):
    """What the database says about one row and one query.

    Bit n of `words` is set where the n-th word of the query is there, or the day that
    it names. `size` counts different words. `cosine` is None where the row's vector is
    not of the query's model. Rows of one session have their `place` in it. `id` is
    whatever the caller knows it by; `stated_at` grows with time.
    """

    id: int
    cosine: float | None
    words: int
    size: int
    spoken: bool
    stated_at: int
    session: object = None
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Scale:
    """The weights of the query's words, and how long a text typically is."""

    weights: tuple[float, ...]
    typical: float


class Scored(NamedTuple):
    """A row, its score, and the share of the query's words in it alone, and in it and
    around it."""

    row: Row
    score: float
    alone: float
    coverage: float


def dilution(size: Any, typical: float) -> Any:
    """BM25's part for the length of a text, or of an array of them: 1 in a typical one."""
    long = 1 - LENGTH + LENGTH * size / max(typical, 1.0)
    return (1 + SATURATION) / (1 + SATURATION * long)


def gain(size: int, typical: float) -> float:
    """What a word is worth in a text of this length."""
    return min(MOST, float(dilution(size, typical)))


def keyword(row: Row, around: Sequence[tuple[Row, float]], scale: Scale) -> float:
    """The weighted share of the query's words in a row; what stands next to it counts
    for less."""
    worth: dict[int, float] = {}
    for other, nearness in ((row, 1.0), *around):
        if other.words:
            here = nearness * gain(other.size, scale.typical)
            for bit in _bits(other.words):
                worth[bit] = max(worth.get(bit, 0.0), here)
    return _share(worth, scale)


def coverage(words: int, scale: Scale) -> float:
    """The weighted share of the query's words, whatever the length: between 0 and 1."""
    return _share(dict.fromkeys(_bits(words), 1.0), scale)


def blend(row: Row, keyword: float) -> float:
    """A row's score on its own. Without a comparable vector its words count in full."""
    meaning = keyword
    if row.cosine is not None:
        meaning = COSINE * row.cosine + KEYWORD * keyword
    substance = SUBSTANCE * row.size / (row.size + SUBSTANTIAL)
    return meaning + SPEAKER * row.spoken + substance


def scored(rows: Sequence[Row], context: Sequence[Row], scale: Scale) -> list[Scored]:
    """The rows, best first, of equal ones the newer first, and of these as they came.
    `context` holds what stands around them, and may hold them too."""
    at = {(row.session, row.place): row for row in context if row.place is not None}
    share = cache(partial(coverage, scale=scale))  # most rows hold the same few words
    judged = []
    best: dict[object, float] = {}
    for row in rows:
        around = _around(row, at)
        words = row.words
        for other, _ in around:
            words |= other.words
        score = blend(row, keyword(row, around, scale) if words else 0.0)
        judged.append((row, score, (share(row.words), share(words))))
        best[row.session] = max(best.get(row.session, 0.0), score)
    lifted = [
        Scored(row, score + SESSION * best[row.session] * (row.session is not None), *s)
        for row, score, s in judged
    ]
    lifted.sort(key=lambda s: (-s.score, -s.row.stated_at))
    return lifted


def relevant(one: Scored, limits: Thresholds) -> bool:
    """Whether a row belongs to the answer of a store that has one (see `silence`): it
    may stand out less than the best, and by what stands around it."""
    if one.row.cosine is None:
        return one.coverage >= limits.floor_alone / 2
    return one.row.cosine >= limits.floor_cosine or one.coverage >= limits.floor_keyword


def _around(row: Row, at: Mapping[tuple[object, int], Row]) -> list[tuple[Row, float]]:
    if row.place is None:
        return []
    found = ((at.get((row.session, row.place + step)), worth) for step, worth in AROUND)
    return [(other, worth) for other, worth in found if other is not None]


def _bits(words: int) -> Iterator[int]:
    while words:
        low = words & -words
        yield low.bit_length() - 1
        words ^= low


def _share(worth: Mapping[int, float], scale: Scale) -> float:
    whole = sum(scale.weights)
    if not worth or not whole:
        return 0.0
    return sum(scale.weights[bit] * value for bit, value in worth.items()) / whole
