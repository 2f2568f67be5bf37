"""Fill a store, ask every question, and record the results."""

import time
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime

from benchmarks.evaluation.locomo import Question, Sample, UnitKind, foreign
from benchmarks.evaluation.measures import DEPTH, Answered, Measurements, injected
from benchmarks.evaluation.scratch import (
    EmbeddingFailed,
    Progress,
    Store,
    prepare_filling,
    scratch,
)
from meddie.ai.embeddings import Embedder
from memory.recall.query import Query
from memory.recall.rankings.ranking import Ranking
from memory.recall.recall import prepare_query
from memory.recall.shelf_search import rank_shelf
from memory.values import Recalled


@dataclass(frozen=True, slots=True)
class PreparedQuestion:
    """A prepared question, and how long its embedding took."""

    query: Query
    milliseconds: float


def evaluate(
    samples: list[Sample],
    kind: UnitKind,
    ranking: Ranking,
    embedder: Embedder,
    progress: Progress,
) -> Measurements:
    """Measure every sample in a store of its own. Raises EmbeddingFailed."""
    outcome = Measurements()
    asked = []
    for sample in samples:
        asked.append(
            [
                prepare_question(q.text, embedder, sample.speakers, _end(sample))
                for q in sample.questions
            ]
        )
        progress(len(sample.questions))
    for number, sample in enumerate(samples):
        filling = prepare_filling(sample.units, kind, embedder, progress)
        with scratch(filling) as store:
            outcome.decisions += store.decisions
            for question, one in zip(sample.questions, asked[number], strict=True):
                _answer(store, question, one, ranking, outcome)
                progress(1)
            for q in foreign(samples, sample):
                query = prepare_question(
                    q.text, embedder, sample.speakers, _end(sample)
                ).query
                items = _rank(store, query, ranking)
                outcome.intruded.append(injected([item.text for item in items]))
    return outcome


def _end(sample: Sample) -> datetime:
    """When its questions are asked, for "in May" and "last week"."""
    return max(unit.stated_at for unit in sample.units)


def prepare_question(
    text: str,
    embedder: Embedder,
    names: Collection[str] = (),
    now: datetime | None = None,
) -> PreparedQuestion:
    """Prepare a question as a turn does. Raises EmbeddingFailed."""
    began = time.perf_counter()
    query = prepare_query(text, embedder=embedder, names=names, now=now)
    if query.failed:
        raise EmbeddingFailed(text)
    # A turn answers an overview question without a search; here it is searched.
    query = replace(query, overview=False)
    return PreparedQuestion(query, 1000 * (time.perf_counter() - began))


def _rank(
    store: Store, query: Query, ranking: Ranking, *, gated: bool = True
) -> list[Recalled]:
    limit = ranking.limit if gated else DEPTH
    return rank_shelf(
        store.scope, query, store.shelf, ranking, gated=gated, limit=limit
    )[0]


def _answer(
    store: Store,
    question: Question,
    one: PreparedQuestion,
    ranking: Ranking,
    outcome: Measurements,
) -> None:
    began = time.perf_counter()
    kept = _rank(store, one.query, ranking)
    milliseconds = 1000 * (time.perf_counter() - began)
    outcome.search.append(milliseconds)
    outcome.total.append(milliseconds + one.milliseconds)
    outcome.brought.append(injected([item.text for item in kept]))
    every = _rank(store, one.query, ranking, gated=False)
    for items, answers in ((every, outcome.answered), (kept, outcome.gated)):
        results = tuple(store.covers[item.memory_id] for item in items)
        answers.append(Answered(question.category, question.evidence, results))
