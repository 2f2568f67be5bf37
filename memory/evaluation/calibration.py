"""Thresholds of an embedding model, and what they cost in each pair of languages.

The floor is the highest that costs at most one point of recall@6 with `chat`. Ranking
`strict_semantic` may cost ten points of recall@10, and the threshold of topics two in a
hundred turns.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import takewhile

from meddie.ai.embeddings import Embedder
from memory.evaluation.everyday import LANGUAGES, Everyday, Texts
from memory.evaluation.locomo import Unit
from memory.evaluation.measures import mean
from memory.evaluation.run import prepare_question
from memory.evaluation.scratch import Store, prepare_filling, scratch
from memory.evaluation.topics import TopicPairs, measure_topics
from memory.recall.query import Query
from memory.recall.rankings.chat import CHAT, COSINE
from memory.recall.rankings.ranking import Ranking
from memory.recall.rankings.strict_semantic import STRICT_SEMANTIC
from memory.recall.signals import Signals, measure
from memory.recall.thresholds import DOCUMENT, Thresholds

TOLERATED = 0.01
TOLERATED_STRICT = 0.1
TOLERATED_SHIFTS = 0.02
STATED_AT = datetime(2026, 1, 1, tzinfo=UTC)
Pair = tuple[str, str]
"""The languages of the facts and of the questions."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Signals of a question, and the rows that answer it."""

    signals: Signals
    answers: frozenset[int] = frozenset()

    def shown(self, limits: Thresholds | None, ranking: Ranking = CHAT) -> set[int]:
        """The rows that a ranking shows; without limits those before its gate."""
        rows = ranking.candidates(self.signals)
        scores = ranking.score(self.signals, rows)
        if limits:
            rows = rows[ranking.gate(self.signals, scores, limits)[rows]]
        return set(self.signals.lowest(rows, ranking.limit, -scores.values).tolist())

    def recall(self, limits: Thresholds | None, ranking: Ranking = CHAT) -> float:
        """The share of the answers that is shown."""
        return len(self.answers & self.shown(limits, ranking)) / len(self.answers)


@dataclass(frozen=True, slots=True)
class PairFigures:
    """recall@6 before and after the gate, and rows of an unrelated question."""

    ungated: float
    gated: float
    unrelated: float


@dataclass(frozen=True, slots=True)
class Calibration:
    thresholds: Thresholds
    pairs: dict[Pair, PairFigures]
    topics: TopicPairs


def calibrate(embedder: Embedder) -> Calibration:
    """Measure a model and roll back. Raises EmbeddingFailed."""
    everyday = Everyday.read()
    gold = [numbers for _, numbers in everyday.questions]
    asked = _queries([texts for texts, _ in everyday.questions], embedder)
    unrelated = _queries(everyday.unrelated, embedder)
    friends: dict[Pair, list[Seen]] = {}
    strangers: dict[Pair, list[Seen]] = {}
    for told in LANGUAGES:
        units = [
            Unit(texts[told], frozenset({str(number)}), STATED_AT)
            for number, texts in everyday.facts.items()
        ]
        filling = prepare_filling(units, "observation", embedder, lambda count: None)
        with scratch(filling) as store:
            for language in LANGUAGES:
                pair = told, language
                friends[pair] = [
                    _seen(store, query, numbers)
                    for query, numbers in zip(asked[language], gold, strict=True)
                ]
                strangers[pair] = [_seen(store, query) for query in unrelated[language]]
    return _summary(friends, strangers, measure_topics(embedder))


def _queries(sentences: Sequence[Texts], embedder: Embedder) -> dict[str, list[Query]]:
    """The prepared questions of each language."""
    return {
        language: [prepare_question(one[language], embedder).query for one in sentences]
        for language in LANGUAGES
    }


def _seen(store: Store, query: Query, gold: frozenset[int] = frozenset()) -> Seen:
    signals = measure(store.scope, query, store.shelf, CHAT.columns)
    wanted = set(map(str, gold))
    rows = range(len(signals.ids))
    return Seen(
        signals,
        frozenset(row for row in rows if store.covers[signals.key(row)] & wanted),
    )


def _summary(
    friends: dict[Pair, list[Seen]],
    strangers: dict[Pair, list[Seen]],
    topics: TopicPairs,
) -> Calibration:
    every = [one for pair in friends.values() for one in pair]

    def cost(limits: Thresholds, ranking: Ranking) -> float:
        before, after = (
            mean([one.recall(gate, ranking) for one in every])
            for gate in (None, limits)
        )
        return before - after

    floor = highest(lambda value: cost(_limits(value), CHAT), TOLERATED)
    strict = highest(
        lambda value: cost(replace(DOCUMENT, strict=value), STRICT_SEMANTIC),
        TOLERATED_STRICT,
    )
    topic = highest(topics.left, TOLERATED_SHIFTS)
    limits = replace(_limits(floor), strict=strict, topic=topic)
    return Calibration(
        limits,
        {
            pair: PairFigures(
                ungated=mean([one.recall(None) for one in seen]),
                gated=mean([one.recall(limits) for one in seen]),
                unrelated=mean([len(one.shown(limits)) for one in strangers[pair]]),
            )
            for pair, seen in friends.items()
        },
        topics,
    )


def _limits(floor: float) -> Thresholds:
    """The gate is the score of a row with the floor's cosine and no word."""
    return Thresholds(gate=round(COSINE * floor, 3), floor=floor)


def highest(cost: Callable[[float], float], tolerated: float) -> float:
    """The highest value, in hundredths, up to which the cost is tolerated."""
    values = (hundredth / 100 for hundredth in range(101))
    return max(takewhile(lambda value: cost(value) <= tolerated, values), default=0.0)
