"""Where "alike" begins for an embedding model: the stated rule, on made-up facts.

A floor is the lowest value of a raw signal, in hundredths, at which at most 5 % of the
questions without an answer in the store get a row. The gate is the score of a row at
the cosine's floor which shares no word with the question.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from meddie.ai.embeddings import Embedder
from memory.evaluation.everyday import ANSWERED, FACTS, SMALL_TALK, UNANSWERED
from memory.evaluation.locomo import Unit
from memory.evaluation.run import ask
from memory.evaluation.scratch import Store, prepare_filling, scratch
from memory.recall.profiles import CHAT
from memory.recall.query import Query
from memory.recall.search import search

TOLERATED = 0.05
TOLD = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Heard:
    """The best signals that a question has in the store, and those of its answers."""

    cosine: float
    keyword: float
    answers: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Calibration:
    """A model's floors and gate, and what they do on the same questions: the share of
    answers that the cosine's floor keeps, and of unanswerable questions that get a row
    all the same."""

    floor_cosine: float
    floor_alone: float
    gate: float
    kept: float
    intruded: float


def calibrate(embedder: Embedder) -> Calibration:
    """Measure a model; without one, only the words. Leaves nothing behind."""
    units = [Unit(fact, frozenset({str(n)}), TOLD) for n, fact in enumerate(FACTS)]
    filling = prepare_filling(units, "observation", embedder, lambda count: None)
    unanswered = [ask(text, embedder).query for text in UNANSWERED + SMALL_TALK]
    answered = [ask(text, embedder).query for text in ANSWERED]
    with scratch(filling) as store:
        strangers = [_listen(store, query, ()) for query in unanswered]
        friends = [
            _listen(store, query, numbers)
            for query, numbers in zip(answered, ANSWERED.values(), strict=True)
        ]
    floor = lowest_floor([heard.cosine for heard in strangers])
    answers = [cosine for heard in friends for cosine in heard.answers]
    return Calibration(
        floor,
        lowest_floor([heard.keyword for heard in strangers]),
        round(CHAT.cosine_weight * floor, 3),
        sum(cosine >= floor for cosine in answers) / max(len(answers), 1),
        sum(heard.cosine >= floor for heard in strangers) / len(strangers),
    )


def lowest_floor(best: Sequence[float]) -> float:
    """The lowest floor that at most 5 % of these reach."""
    allowed = math.floor(TOLERATED * len(best))
    refused = sorted(best, reverse=True)[allowed]
    return (math.floor(100 * refused) + 1) / 100


def _listen(store: Store, query: Query, numbers: Sequence[int]) -> Heard:
    signals = search(store.scope, query, store.shelf, CHAT).signals
    wanted = {str(number) for number in numbers}
    compared = [(s, s.cosine) for s in signals if s.cosine is not None]
    return Heard(
        max((cosine for _, cosine in compared), default=0.0),
        max((s.keyword for s in signals), default=0.0),
        tuple(c for s, c in compared if store.covers[s.memory_id] & wanted),
    )
