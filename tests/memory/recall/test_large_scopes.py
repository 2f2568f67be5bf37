"""Scopes past the exact limit are answered through an index, and lose nothing by it."""

import math
from dataclasses import replace

import numpy as np
import pytest
from django.db import connection
from django.utils import timezone

from benchmarks.large import compare
from meddie.ai import embeddings
from meddie.celery import app
from memory import tasks
from memory.models import Memory
from memory.recall import large_scopes
from memory.recall.query import TERM_LIMIT
from memory.recall.rankings.chat import CHAT
from memory.recall.rankings.fused import FUSED
from memory.recall.recall import prepare_query, recall
from memory.recall.shelf_search import rank_shelf
from memory.recall.shelves import MEMORIES
from memory.recall.signals import measure
from tests.factories import MemoryFactory
from tests.memory.crowd import WORDS_USED, fill
from tests.memory.embedders import WIDE, WordEmbedder

pytestmark = pytest.mark.django_db
ROWS = 300
ASKED = ("ibuprofen headache tea", "mother garden violin chess", "summer", "doctor")


@pytest.fixture(autouse=True)
def low(monkeypatch):
    monkeypatch.setattr(large_scopes, "EXACT_LIMIT", 250)
    monkeypatch.setattr(large_scopes, "BATCH", 120)
    monkeypatch.setattr(large_scopes, "MOST_NEAREST", 60)
    monkeypatch.setattr(large_scopes, "SAMPLE", 50)


@pytest.fixture
def crowded(ann, bob, home, office):
    """Ann's home is large; her office and Bob's memory are small and full of the same."""
    fill(ann, home, ROWS)
    fill(ann, office, 30, seed=1)
    fill(bob, home, 30, seed=2)
    assert large_scopes.mark_large_scopes() == ROWS
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE memories")


def asked(text, embedder=None):
    return prepare_query(text, embedder=embedder or WordEmbedder())


@pytest.mark.req("S0-25")
def test_only_rows_of_large_scopes_are_in_the_index(crowded, scope):
    marked = Memory.objects.filter(ann=True)
    assert marked.count() == ROWS
    assert set(marked.values_list("user_id", "space_id")) == {
        (scope.user_id, scope.space_id)
    }
    assert large_scopes.mark_large_scopes() == 0


def test_retired_rows_and_shrunken_scopes_leave_the_index(crowded, scope):
    rows = list(Memory.objects.visible_to(scope).values_list("pk", flat=True))
    retired = {"active": False, "retired_reason": "archived"}
    Memory.objects.filter(pk__in=rows[:10]).update(**retired, retired_at=timezone.now())
    assert large_scopes.mark_large_scopes() == 10
    assert Memory.objects.filter(ann=True).count() == ROWS - 10
    Memory.objects.filter(pk__in=rows[:200]).delete()
    assert large_scopes.mark_large_scopes() == ROWS - 200
    assert not Memory.objects.filter(ann=True).exists()


def known_to_the_planner():
    """How many rows it believes to be in the index."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT reltuples FROM pg_class WHERE relname = 'memories_scope_ann'"
        )
        return cursor.fetchone()[0]


def test_statistics_are_updated_when_a_scope_enters_or_leaves_the_index(ann, home):
    rows = fill(ann, home, ROWS)
    large_scopes.mark_large_scopes()
    assert known_to_the_planner() == ROWS
    fill(ann, home, 20, seed=4)
    assert large_scopes.mark_large_scopes() == 20
    assert known_to_the_planner() == ROWS, "of a few rows more autovacuum tells it"
    Memory.objects.filter(pk__in=[row.pk for row in rows]).delete()
    large_scopes.mark_large_scopes()
    assert known_to_the_planner() == 0


def test_a_periodic_task_marks_large_scopes(ann, home):
    scheduled = {entry["task"] for entry in app.conf.beat_schedule.values()}
    assert tasks.mark_large_scopes.name in scheduled
    fill(ann, home, 251)
    assert tasks.mark_large_scopes() == 251


@pytest.mark.parametrize("model", ["narrow", "wide"])
@pytest.mark.parametrize("ranking", [CHAT, FUSED], ids=lambda ranking: ranking.name)
def test_the_best_ten_are_those_of_an_exact_scan(ann, home, scope, ranking, model):
    embedder = WordEmbedder(WIDE) if model == "wide" else WordEmbedder()
    fill(ann, home, ROWS, embedder=embedder)
    large_scopes.mark_large_scopes()
    loss = compare(scope, [asked(text, embedder) for text in ASKED], ranking)
    assert loss.retried == 0
    assert loss.recall >= 0.99


@pytest.mark.parametrize("ranking", [CHAT, FUSED], ids=lambda ranking: ranking.name)
def test_a_scope_below_the_limit_is_scanned_exactly(ann, home, scope, ranking):
    fill(ann, home, 200)
    large_scopes.mark_large_scopes()
    loss = compare(scope, [asked(text) for text in ASKED], ranking)
    assert (loss.recall, loss.retried) == (1.0, len(ASKED))


def test_candidates_are_never_rows_of_other_users_or_spaces(
    crowded, ann, bob, home, office, scope
):
    for user, space in ((bob, home), (ann, office)):
        Memory.objects.filter(user=user, space=space).update(ann=True)
        MemoryFactory(user=user, space=space, content=ASKED[0], ann=True)
    own = {m.pk for m in Memory.objects.visible_to(scope)}
    few = large_scopes.narrowed(scope, asked(ASKED[0]), MEMORIES)
    assert set(few.bound["chosen"]) <= own
    found = recall(scope, asked(ASKED[0]), ranking="fused").items
    assert found
    assert {item.memory_id for item in found} <= own


def test_a_fact_is_found_before_it_is_in_the_index(crowded, ann, home, scope):
    told = MemoryFactory(user=ann, space=home, content="needles summer tea")
    query = asked("needles summer tea")
    assert large_scopes.narrowed(scope, query, MEMORIES).counted is not None
    assert recall(scope, query).items[0].memory_id == told.pk


def test_an_unlinked_and_a_retired_row_are_not_found(crowded, ann, home, scope):
    text = "needles summer tea"
    gone = MemoryFactory(user=ann, space=home, content=text, ann=True, linked=False)
    retired = MemoryFactory(
        user=ann,
        space=home,
        content=f"{text} violin",
        ann=True,
        active=False,
        retired_reason="archived",
        retired_at=timezone.now(),
    )
    found = recall(scope, asked(text), limit=60).items
    assert found
    assert {gone.pk, retired.pk}.isdisjoint(item.memory_id for item in found)


@pytest.mark.parametrize("why", ["too few", "another model"])
def test_an_uncertain_index_answer_leads_to_an_exact_scan(
    crowded, ann, home, scope, monkeypatch, why
):
    query = asked(ASKED[0])
    if why == "too few":
        monkeypatch.setattr(large_scopes, "MOST_NEAREST", ROWS + 1)
    else:
        Memory.objects.filter(user=ann, ann=True).update(embedding_model="older words")
    assert large_scopes.narrowed(scope, query, MEMORIES).counted is None
    assert len(rank_shelf(scope, query, MEMORIES, CHAT, gated=False)[0]) >= 10


def test_a_row_can_be_a_candidate_by_its_words_alone(crowded, ann, home, scope):
    """However far its vector is."""
    other = WordEmbedder()
    row = MemoryFactory(user=ann, space=home, content="Penicillin", ann=True)
    row.vector = -other.embed(["penicillin"])[0]
    row.save()
    few = large_scopes.narrowed(scope, asked("penicillin"), MEMORIES)
    assert row.pk in few.bound["chosen"]


def test_a_long_message_is_searched_by_its_rarest_words(crowded, scope):
    query = asked(" ".join([*WORDS_USED, "penicillin"]))
    few = large_scopes.narrowed(scope, query, MEMORIES)
    signals = measure(scope, query, few, CHAT.columns)
    rarest = sorted(few.counted.weights)[-TERM_LIMIT:]
    assert sorted(signals.weights) == rarest


def test_usual_length_is_measured_on_a_sample_and_rarity_on_all_rows(crowded, scope):
    query = asked(ASKED[1])
    few = large_scopes.narrowed(scope, query, MEMORIES)
    weights = few.counted.weights
    assert weights == pytest.approx(usual_weights(scope, query), abs=1e-9)
    sizes = measure(scope, query, replace(MEMORIES, own=""), FUSED.columns).sizes
    assert few.counted.usual == pytest.approx(np.exp(np.log(sizes).mean()), rel=0.05)
    assert measure(scope, query, few, FUSED.columns).usual == few.counted.usual


def usual_weights(scope, query):
    """Counted over all of the scope."""
    rows = Memory.objects.visible_to(scope)
    held = [
        rows.extra(where=["content_tsv @@ %s::tsquery"], params=[t.tsquery]).count()
        for t in query.terms
    ]
    return [math.log(1 + ROWS / (1 + count)) for count in held]


def test_a_large_scope_answers_a_query_without_words(crowded, scope):
    query = replace(asked(ASKED[0]), terms=())
    few = large_scopes.narrowed(scope, query, MEMORIES)
    assert len(few.bound["chosen"]) >= 60
    items, _ = rank_shelf(scope, query, MEMORIES, FUSED, gated=False)
    assert len(items) >= 10


@pytest.mark.parametrize("ranking", ["chat", "fused"])
def test_a_large_scope_keeps_memories_of_the_last_reply(
    crowded, scope, others, ranking
):
    far = MemoryFactory(user_id=scope.user_id, space_id=scope.space_id, content="Zinc")
    large_scopes.mark_large_scopes()
    query = replace(asked("unheard of"), carried=frozenset({far.pk}))
    assert [item.memory_id for item in recall(scope, query, ranking=ranking).items] == [
        far.pk
    ]
    for other in others:
        assert recall(other, query, ranking=ranking).items == ()


def test_a_large_scope_answers_a_query_without_a_vector(crowded, scope):
    query = prepare_query("violin", embedder=embeddings.none())
    assert not measure(scope, query, MEMORIES, CHAT.columns).large
    assert recall(scope, query, ranking="fused").items
