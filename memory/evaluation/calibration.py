"""Where "alike" begins for an embedding model: the stated rule, on made-up facts.

A floor is the lowest value of a signal, in hundredths, at which at most 5 % of the
questions without an answer in the store get a row. The gate is the score of a row at
the cosine's floor which shares no word with the question. The floor's growth is what
the best row of these questions loses, on average, when a random half of the store is
taken away. The step to a further row is the largest, in hundredths, at which no question
loses an answer.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from meddie.ai.embeddings import Embedder
from memory.evaluation.everyday import ANSWERED, FACTS, UNANSWERED
from memory.evaluation.locomo import Unit
from memory.evaluation.measures import mean
from memory.evaluation.run import ask
from memory.evaluation.scratch import Store, prepare_filling, scratch
from memory.recall import silence
from memory.recall.profiles import CHAT
from memory.recall.query import Query
from memory.recall.search import Found, ranked, search
from memory.recall.thresholds import DOCUMENT, Thresholds

TOLERATED = 0.05
TOLD = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Heard:
    """What a question finds in the store, and which of that are its answers."""

    found: Found
    answers: tuple[int, ...] = ()

    def cosine(self) -> float:
        """The best cosine of all."""
        return max((cosine or 0.0 for cosine, _ in self._signals()), default=0.0)

    def alone(self) -> float:
        """How far the best row stands out by its words only."""
        background = self.found.background
        return max(
            (silence.alone(keyword, background) for _, keyword in self._signals()),
            default=0.0,
        )

    def _signals(self) -> list[tuple[float | None, float]]:
        cosine, keywords = self.found.measured.cosine, self.found.keywords
        return [(cosine(row), float(keywords[row])) for row in self.found.rows.tolist()]

    def rises(self, limits: Thresholds) -> list[float]:
        """How far the rows stand out, the best first."""
        found = (
            silence.rise(cosine, keyword, self.found.background, limits)
            for cosine, keyword in self._signals()
            if cosine is not None
        )
        return sorted(found, reverse=True) or [0.0]

    def rise(self, limits: Thresholds) -> float:
        """How far the best row stands out."""
        return self.rises(limits)[0]

    def kept(self) -> list[float]:
        """The cosines of the answers."""
        return [self.found.measured.cosine(row) or 0.0 for row in self.answers]

    def steps(self, limits: Thresholds) -> list[float]:
        """For each answer behind the first row, the largest step that lets it pass."""
        kept = ranked(self.found, CHAT, limits, CHAT.limit)
        above = self.rise(limits) - limits.floor_rise
        return [
            above / place
            for place, (row, _) in enumerate(kept)
            if place and above > 0 and row in self.answers
        ]


@dataclass(frozen=True, slots=True)
class Calibration:
    """A model's thresholds, and what they do on the same questions: the share of
    answers that the cosine's floor keeps, of questions with an answer that get any row,
    and of questions without one that get a row all the same."""

    thresholds: Thresholds
    kept: float
    answered: float
    intruded: float


def calibrate(embedder: Embedder) -> Calibration:
    """Measure a model; without one, only the words. Leaves nothing behind."""
    units = [Unit(fact, frozenset({str(n)}), TOLD) for n, fact in enumerate(FACTS)]
    filling = prepare_filling(units, "observation", embedder, lambda count: None)
    unanswered = [ask(text, embedder).query for text in UNANSWERED]
    answered = [ask(text, embedder).query for text in ANSWERED]
    with scratch(filling) as store:
        strangers = [_listen(store, query, ()) for query in unanswered]
        friends = [
            _listen(store, query, numbers)
            for query, numbers in zip(answered, ANSWERED.values(), strict=True)
        ]
    return _summary(strangers, friends)


def _summary(strangers: Sequence[Heard], friends: Sequence[Heard]) -> Calibration:
    floor = lowest_floor([heard.cosine() for heard in strangers])
    limits = replace(
        DOCUMENT,
        gate=round(CHAT.cosine_weight * floor, 3),
        floor_cosine=floor,
        floor_alone=lowest_floor([heard.alone() for heard in strangers]),
        unrelated=_usual([heard.found for heard in strangers]),
    )
    rises = [heard.rise(limits) for heard in strangers]
    limits = replace(
        limits,
        floor_rise=lowest_floor(rises),
        floor_growth=round(mean([by_chance(h.rises(limits)) for h in strangers]), 2),
    )
    steps = [step for heard in friends for step in heard.steps(limits)]
    limits = replace(limits, floor_step=largest_step(steps))
    answers = [cosine for heard in friends for cosine in heard.kept()]
    return Calibration(
        limits,
        _share([cosine >= floor for cosine in answers]),
        _share([heard.rise(limits) >= limits.floor_rise for heard in friends]),
        _share([rise >= limits.floor_rise for rise in rises]),
    )


def _usual(found: Sequence[Found]) -> float:
    """The usual cosine of a fact and a question that it does not answer."""
    compared = sum(one.background.compared for one in found)
    return round(sum(one.background.cosines for one in found) / max(compared, 1), 2)


def _share(true: Sequence[bool]) -> float:
    return sum(true) / max(len(true), 1)


def lowest_floor(best: Sequence[float]) -> float:
    """The lowest floor that at most 5 % of these reach."""
    allowed = math.floor(TOLERATED * len(best))
    refused = sorted(best, reverse=True)[allowed]
    return (math.floor(100 * refused) + 1) / 100


def by_chance(rises: Sequence[float]) -> float:
    """How much further the best of these, in falling order, rises than that of a random
    half of them does on average."""
    left, half, expected, missed = len(rises), max(1, len(rises) // 2), 0.0, 1.0
    for one in rises[: left - half + 1]:
        expected += missed * half / left * one
        missed *= 1 - half / left
        left -= 1
    return rises[0] - expected


def largest_step(steps: Sequence[float]) -> float:
    """The largest step, in hundredths, that exceeds none of these; at least a hundredth."""
    return max(1, math.floor(100 * min(steps, default=0.0))) / 100


def _listen(store: Store, query: Query, numbers: Sequence[int]) -> Heard:
    found = search(store.scope, query, store.shelf, CHAT)
    wanted = {str(number) for number in numbers}
    key = found.measured.key
    answers = (r for r in found.rows.tolist() if store.covers[key(r)] & wanted)
    return Heard(found, tuple(answers))
