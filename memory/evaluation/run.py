"""Fill a store, ask it every question, and see what comes first."""

import time
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from meddie.ai.embeddings import Embedder
from memory.evaluation.everyday import HELD_OUT, SMALL_TALK
from memory.evaluation.locomo import Question, Sample, UnitKind, foreign
from memory.evaluation.measures import DEPTH, Answered, Injected, injected
from memory.evaluation.scratch import (
    EmbeddingFailed,
    Progress,
    Store,
    prepare_filling,
    scratch,
)
from memory.recall.profiles import Profile
from memory.recall.query import Query
from memory.recall.recall import prepare_query, rank_shelf
from memory.values import Recalled


@dataclass(slots=True)
class Outcome:
    """What was seen. Times are in milliseconds, one a question.

    `answered` is the ranking as it is; `gated` what the profile's gate and limit leave
    of it. `brought` says how much a prompt got for these, `intruded` for questions about
    other conversations, `chatted` for small talk whose phrases are known, `held_out` for
    other small talk.
    """

    answered: list[Answered] = field(default_factory=list)
    gated: list[Answered] = field(default_factory=list)
    decisions: Counter[str] = field(default_factory=Counter)
    search: list[float] = field(default_factory=list)
    total: list[float] = field(default_factory=list)
    brought: list[Injected] = field(default_factory=list)
    intruded: list[Injected] = field(default_factory=list)
    chatted: list[Injected] = field(default_factory=list)
    held_out: list[Injected] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question made ready, and how long its embedding took."""

    query: Query
    milliseconds: float


def evaluate(
    samples: list[Sample],
    kind: UnitKind,
    profile: Profile,
    embedder: Embedder,
    progress: Progress,
) -> Outcome:
    """Every sample in a store of its own."""
    outcome = Outcome()
    known, unknown = (
        [ask(text, embedder).query for text in phrases]
        for phrases in (SMALL_TALK, HELD_OUT)
    )
    asked = []
    for sample in samples:
        asked.append([ask(q.text, embedder, sample.speakers) for q in sample.questions])
        progress(len(sample.questions))
    for number, sample in enumerate(samples):
        filling = prepare_filling(sample.units, kind, embedder, progress)
        with scratch(filling) as store:
            outcome.decisions += store.decisions
            for question, one in zip(sample.questions, asked[number], strict=True):
                _answer(store, question, one, profile, outcome)
                progress(1)
            for q in foreign(samples, sample):
                query = ask(q.text, embedder, sample.speakers).query
                outcome.intruded.append(_injected(_kept(store, query, profile)))
            for queries, seen in (
                (known, outcome.chatted),
                (unknown, outcome.held_out),
            ):
                seen.extend(_injected(_kept(store, q, profile)) for q in queries)
    return outcome


def ask(text: str, embedder: Embedder, names: Collection[str] = ()) -> Asked:
    """Make a question ready, as a turn would. An embedder that fails ends it all."""
    began = time.perf_counter()
    query = prepare_query(text, embedder=embedder, names=names)
    if query.failed:
        raise EmbeddingFailed(text)
    # A question about everything is answered without a search; here it is searched.
    query = replace(query, overview=False)
    return Asked(query, 1000 * (time.perf_counter() - began))


def _kept(store: Store, query: Query, profile: Profile) -> list[Recalled]:
    """What a prompt would get."""
    shelf, limit = store.shelf, profile.limit
    return rank_shelf(store.scope, query, shelf, profile, limit=limit)[0]


def _injected(items: Sequence[Recalled]) -> Injected:
    return injected([item.text for item in items])


def _answer(
    store: Store, question: Question, one: Asked, profile: Profile, outcome: Outcome
) -> None:
    began = time.perf_counter()
    kept = _kept(store, one.query, profile)
    milliseconds = 1000 * (time.perf_counter() - began)
    outcome.search.append(milliseconds)
    outcome.total.append(milliseconds + one.milliseconds)
    outcome.brought.append(_injected(kept))
    every, _ = rank_shelf(
        store.scope, one.query, store.shelf, profile, gated=False, limit=DEPTH
    )
    for items, answers in ((every, outcome.answered), (kept, outcome.gated)):
        results = tuple(store.covers[item.memory_id] for item in items)
        answers.append(Answered(question.category, question.evidence, results))
