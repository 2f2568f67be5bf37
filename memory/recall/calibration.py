"""Find the thresholds of an embedding model on the bundled everyday set.

The floor may cost one point of recall@6 with `chat`, the best cosine three with it,
`strict_semantic` ten of recall@10, `episodes` 15 in a hundred messages their own summary,
and the threshold of topics two in a hundred turns.
"""

import json
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any

import numpy as np
from django.db import transaction

from meddie.ai import embeddings
from meddie.ai.embeddings import Embedder
from meddie.ai.vectors import Vector
from meddie.jobs.job import Outage
from memory.models import CalibrationJob, Memory, MemoryLink
from memory.recall.query import Query, order_score, terms
from memory.recall.rankings.chat import CHAT, COSINE
from memory.recall.rankings.ranking import Ranking
from memory.recall.rankings.strict_semantic import STRICT_SEMANTIC
from memory.recall.shelves import MEMORIES
from memory.recall.signals import Signals, measure
from memory.recall.thresholds import BUILT_IN, UNMEASURED, Thresholds, measured
from people.models import Membership, Space, User
from people.scope import Scope, scope_for

EVERYDAY = Path(__file__).with_name("everyday.json")
TOPICS = Path(__file__).with_name("topics.json")
TOLERATED = 0.01
TOLERATED_ABOUT = 0.03
TOLERATED_STRICT = 0.1
TOLERATED_EPISODES = 0.15
TOLERATED_SHIFTS = 0.02
# Where the thresholds of two facts are between the cosine of any two and 1, by the pairs
# of benchmarks/recall.md.
DUPLICATE, ALIKE, TOMBSTONE = 0.81, 0.75, 0.5
Pair = tuple[str, str]
"""The languages of the facts and of the questions."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Signals of a question, and the rows that answer it."""

    signals: Signals
    answers: frozenset[int]
    # The question's score of the class `order`.
    order: float

    def shown(self, limits: Thresholds | None, ranking: Ranking = CHAT) -> set[int]:
        """Without limits those before the gate."""
        rows = ranking.candidates(self.signals)
        scores = ranking.score(self.signals, rows)
        if limits:
            limits = limits.for_message(self.order)
            rows = rows[ranking.gate(self.signals, scores, limits)[rows]]
        return set(self.signals.lowest(rows, ranking.limit, -scores.values).tolist())

    def recall(self, limits: Thresholds | None, ranking: Ranking = CHAT) -> float:
        return len(self.answers & self.shown(limits, ranking)) / len(self.answers)


@dataclass(frozen=True, slots=True)
class PairFigures:
    """recall@6 before and after the gate; rows of an unrelated question.

    `silent`: the share of unrelated questions without a row.
    """

    ungated: float
    gated: float
    unrelated: float
    silent: float


@dataclass(frozen=True, slots=True)
class TopicPairs:
    """The higher cosine of each two messages in a row with a summary.

    `each`: of every message with the summary of its own topic.
    """

    each: Vector
    same: Vector
    other: Vector

    def left(self, threshold: float) -> float:
        """The share of turns that would leave a topic which goes on."""
        return float(np.mean(self.same < threshold))

    def noticed(self, threshold: float) -> float:
        """The share of turns with another topic that would begin an episode."""
        return float(np.mean(self.other < threshold))


@dataclass(frozen=True, slots=True)
class Calibration:
    thresholds: Thresholds
    pairs: dict[Pair, PairFigures]
    topics: TopicPairs


def calibrate(embedder: Embedder) -> Calibration:
    """Measure a model (decision 28) and roll back. Raises AIError."""
    everyday = json.loads(EVERYDAY.read_text(encoding="utf-8"))
    languages = everyday["unrelated"][0].keys()
    answered: dict[Pair, list[Seen]] = {}
    unrelated: dict[Pair, list[Seen]] = {}
    asked, others = (
        {language: _queries(sentences, language, embedder) for language in languages}
        for sentences in (everyday["questions"], everyday["unrelated"])
    )
    any_two: list[float] = []
    for told in languages:
        facts = {fact["id"]: fact[told] for fact in everyday["facts"]}
        vectors = embedder.embed(list(facts.values()))
        cosines = np.stack(vectors) @ np.stack(vectors).T
        any_two += list(cosines[np.triu_indices(len(vectors), 1)])
        with scratch_scope("calibration") as (_, scope):
            ids = _store(scope, facts, vectors, embedder.model.name)
            for language in languages:
                answered[told, language] = [
                    _seen(scope, query, {ids[number] for number in question["gold"]})
                    for query, question in asked[language]
                ]
                unrelated[told, language] = [
                    _seen(scope, query, set()) for query, _ in others[language]
                ]
    topics = _measure_topics(embedder)
    return _summary(answered, unrelated, topics, float(np.median(any_two)))


def request_calibration(model: str) -> None:
    """Have the current model measured in the background, once, and no former one."""
    former = CalibrationJob.objects.exclude(model=model)
    former.exclude(state=CalibrationJob.State.DONE).delete()
    if model not in BUILT_IN:
        CalibrationJob.objects.get_or_create(
            model=model, defaults={"kind": CalibrationJob.MEASURE}
        )


def measure_model(job: CalibrationJob) -> None:
    """Store the thresholds of a model. Raises AIError and Outage."""
    embedder = embeddings.current_embedder()
    if embedder.model.name != job.model:
        raise Outage("other_model")
    job.thresholds = asdict(calibrate(embedder).thresholds)
    job.succeed()
    measured.cache_clear()


@contextmanager
def scratch_scope(channel: str) -> Iterator[tuple[User, Scope]]:
    """A new user in a new space, rolled back at the end."""
    with transaction.atomic():
        try:
            name = uuid.uuid4().hex
            user = User.objects.create_user(f"{name}@{channel}.invalid")
            space = Space.objects.create(name=f"{channel} {name}")
            Membership.objects.create(user=user, space=space)
            yield user, scope_for(user, space.pk, channel=channel)
        finally:
            transaction.set_rollback(True)


def _queries(
    sentences: Sequence[dict[str, Any]], language: str, embedder: Embedder
) -> list[tuple[Query, dict[str, Any]]]:
    texts = [sentence[language] for sentence in sentences]
    vectors, model = embedder.embed(texts), embedder.model.name
    queries = [
        Query(text, terms(text), vector=vector, model=model, order=order_score(text))
        for text, vector in zip(texts, vectors, strict=True)
    ]
    return list(zip(queries, sentences, strict=True))


def _store(
    scope: Scope, facts: Mapping[int, str], vectors: Sequence[Vector], model: str
) -> dict[int, uuid.UUID]:
    of_scope: dict[str, Any] = {"user_id": scope.user_id, "space_id": scope.space_id}
    rows = {}
    for (number, text), vector in zip(facts.items(), vectors, strict=True):
        row = Memory(content=text, content_hash=str(number), **of_scope)
        row.vector, row.embedding_model = vector, model
        rows[number] = row
    Memory.objects.bulk_create(rows.values())
    MemoryLink.objects.bulk_create(
        MemoryLink(memory=row, **of_scope) for row in rows.values()
    )
    return {number: row.pk for number, row in rows.items()}


def _seen(scope: Scope, query: Query, gold: set[uuid.UUID]) -> Seen:
    signals = measure(scope, query, MEMORIES, CHAT.columns)
    rows = range(len(signals.ids))
    answers = frozenset(row for row in rows if signals.key(row) in gold)
    return Seen(signals, answers, query.order)


def _measure_topics(embedder: Embedder) -> TopicPairs:
    topics = json.loads(TOPICS.read_text(encoding="utf-8"))
    each: list[float] = []
    same: list[float] = []
    other: list[float] = []
    for language in topics[0]:
        told = [topic[language] for topic in topics]
        summaries = embedder.embed([topic["summary"] for topic in told])
        for number, topic in enumerate(told):
            messages = np.stack(embedder.embed(topic["messages"]))
            for place, summary in enumerate(summaries):
                pairs, cosines = same if place == number else other, messages @ summary
                pairs += [max(pair) for pair in pairwise(cosines)]
                each += list(cosines) if place == number else []
    return TopicPairs(np.array(each), np.array(same), np.array(other))


def _summary(
    answered: Mapping[Pair, Sequence[Seen]],
    unrelated: Mapping[Pair, Sequence[Seen]],
    topics: TopicPairs,
    any_two: float,
) -> Calibration:
    every = [question for pair in answered.values() for question in pair]

    def cost(limits: Thresholds, ranking: Ranking) -> float:
        before, after = (
            _mean([question.recall(gate, ranking) for question in every])
            for gate in (None, limits)
        )
        return before - after

    floor = highest(lambda value: cost(_limits(value), CHAT), TOLERATED)
    strict = highest(
        lambda value: cost(replace(UNMEASURED, strict=value), STRICT_SEMANTIC),
        TOLERATED_STRICT,
    )
    topic = highest(topics.left, TOLERATED_SHIFTS)
    episode = highest(
        lambda value: float(np.mean(topics.each < value)), TOLERATED_EPISODES
    )
    duplicate, alike, tombstone = (
        round(any_two + share * (1 - any_two), 2)
        for share in (DUPLICATE, ALIKE, TOMBSTONE)
    )
    limits = replace(
        _limits(floor),
        strict=strict,
        episode=episode,
        topic=topic,
        duplicate=duplicate,
        alike=alike,
        tombstone=tombstone,
    )
    about = highest(
        lambda value: cost(replace(limits, about=value), CHAT), TOLERATED_ABOUT
    )
    limits = replace(limits, about=about)
    shown = {
        pair: [len(question.shown(limits)) for question in seen]
        for pair, seen in unrelated.items()
    }
    return Calibration(
        limits,
        {
            pair: PairFigures(
                ungated=_mean([question.recall(None) for question in seen]),
                gated=_mean([question.recall(limits) for question in seen]),
                unrelated=_mean(shown[pair]),
                silent=_mean([rows == 0 for rows in shown[pair]]),
            )
            for pair, seen in answered.items()
        },
        topics,
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _limits(floor: float) -> Thresholds:
    """The gate is the score of a row with the floor's cosine and no word."""
    return Thresholds(gate=round(COSINE * floor, 3), floor=floor)


def highest(cost: Callable[[float], float], tolerated: float) -> float:
    values = (hundredth / 100 for hundredth in range(101))
    return max(takewhile(lambda value: cost(value) <= tolerated, values), default=0.0)
