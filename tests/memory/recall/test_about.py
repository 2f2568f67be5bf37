"""A message that is about nothing known brings nothing, by each ranking.

`everyday_apart.json` was written before the gate and not used to choose it.
"""

import json
from operator import contains
from pathlib import Path

import pytest

from benchmarks import evaluation
from meddie.ai import embeddings
from meddie.ai.local_embedder import NAME
from memory.facts.commit import commit
from memory.facts.prepare import prepare_facts
from memory.recall.query import order_score
from memory.recall.recall import prepare_query, recall
from memory.recall.thresholds import thresholds
from memory.subjects import NO_HOUSEHOLD
from memory.values import Candidate
from tests.memory.conftest import said
from tests.memory.recall.found import texts

pytestmark = [pytest.mark.django_db, pytest.mark.req("S2-04")]

EVERYDAY = Path(evaluation.__file__).with_name("everyday_apart.json")


@pytest.mark.parametrize("language", ["en", "es"])
def test_most_unrelated_questions_bring_nothing(monkeypatch, scope, language):
    monkeypatch.setattr(embeddings, "current_embedder", embeddings.local)
    everyday = json.loads(EVERYDAY.read_text())
    facts = [fact[language] for fact in everyday["facts"]]
    prepared = prepare_facts(
        [Candidate(fact) for fact in facts], NO_HOUSEHOLD, most=len(facts)
    )
    commit(scope, prepared, said())
    questions, unrelated = (
        [prepare_query(text[language]) for text in everyday[part]]
        for part in ("questions", "unrelated")
    )
    for ranking in ("chat", "fused", "strict_semantic"):
        found, brought = (
            [texts(recall(scope, query, ranking=ranking)) for query in queries]
            for queries in (questions, unrelated)
        )
        answered = sum(map(contains, found, facts))
        # The questions are asked in the order of the facts that answer them.
        assert answered >= len(facts) / 2, ranking
        assert sum(map(bool, brought)) <= 2 / 3 * len(unrelated), ranking


@pytest.mark.parametrize(
    ("personal", "impersonal"),
    [
        ("Can I eat walnuts?", "Write a poem about walnuts"),
        ("Czy mogę jeść orzechy?", "Napisz wiersz o orzechach"),
        ("Можно мне есть орехи?", "Напиши стихотворение про орехи"),
        ("Darf ich Nüsse essen?", "Schreib ein Gedicht über Nüsse"),
    ],
    ids=("en", "pl", "ru", "de"),
)
def test_an_order_needs_a_nearer_fact_than_a_question_about_oneself(
    personal, impersonal
):
    limits = thresholds(NAME)
    bars = [
        limits.for_message(order_score(text)).about for text in (personal, impersonal)
    ]
    assert bars[0] < bars[1]
    # What is said of oneself counts beside an order.
    both = limits.for_message(order_score(f"{impersonal}. {personal}"))
    assert both.about == pytest.approx(bars[0], abs=0.1)
    assert both.about < bars[1]
