"""Scopes past the exact limit are answered through an index, and lose nothing by it."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from django.db import connection
from django.utils import timezone

from meddie.ai import embeddings
from meddie.celery import app
from memory import large_scopes, tasks
from memory.capture.normalise import content_hash
from memory.evaluation.approximation import compare
from memory.models import Memory, MemoryLink
from memory.recall import approximate
from memory.recall.fused_search import fused
from memory.recall.profiles import CHAT, FUSED
from memory.recall.recall import prepare_query, rank_shelf, recall
from memory.recall.search import search
from memory.recall.shelves import MEMORIES
from tests.factories import MemoryFactory
from tests.memory.crowd import settle
from tests.memory.embedders import WIDE, WordEmbedder
from tests.memory.test_plans import explained, of_memories
from tests.memory.test_reference import WORDS_USED

pytestmark = pytest.mark.django_db
ROWS = 300
ASKED = ("ibuprofen headache tea", "mother garden violin chess", "summer", "doctor")


@pytest.fixture(autouse=True)
def low(monkeypatch):
    monkeypatch.setattr(large_scopes, "EXACT_LIMIT", 250)
    monkeypatch.setattr(large_scopes, "BATCH", 120)
    monkeypatch.setattr(approximate, "NEAREST", 60)
    monkeypatch.setattr(approximate, "LATE", 50)
    monkeypatch.setattr(approximate, "SAMPLE", 50)


def fill(user, space, count, seed=0, embedder=None):
    """So many facts of a few words each, linked to the user."""
    embedder = embedder or WordEmbedder()
    pick = np.random.default_rng(seed)
    texts = [
        f"{' '.join(pick.choice(WORDS_USED, 4))} {seed}x{number}"
        for number in range(count)
    ]
    vectors = embedder.embed(texts)
    rows = Memory.objects.bulk_create(
        Memory(
            user=user,
            space=space,
            content=text,
            content_hash=content_hash(text),
            embedding=vector,
            embedding_model=embedder.model.name,
        )
        for text, vector in zip(texts, vectors, strict=True)
    )
    MemoryLink.objects.bulk_create(
        MemoryLink(user=user, space=space, memory=row) for row in rows
    )
    return rows


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


def test_retired_rows_leave_it_and_so_does_a_scope_that_shrank(crowded, scope):
    rows = list(Memory.objects.visible_to(scope).values_list("pk", flat=True))
    retired = {"active": False, "retired_reason": "archived"}
    Memory.objects.filter(pk__in=rows[:10]).update(**retired, retired_at=timezone.now())
    assert large_scopes.mark_large_scopes() == 10
    assert Memory.objects.filter(ann=True).count() == ROWS - 10
    Memory.objects.filter(pk__in=rows[:200]).delete()
    assert large_scopes.mark_large_scopes() == ROWS - 200
    assert not Memory.objects.filter(ann=True).exists()


def known_to_the_planner():
    """How many rows it believes to be in the index, and what was set for the table."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT i.reltuples, m.reloptions FROM pg_class i, pg_class m"
            " WHERE i.relname = 'memories_scope_ann' AND m.relname = 'memories'"
        )
        return cursor.fetchone()


def test_the_planner_is_told_of_a_scope_that_comes_or_goes(ann, home):
    rows = fill(ann, home, ROWS)
    large_scopes.mark_large_scopes()
    assert known_to_the_planner()[0] == ROWS
    fill(ann, home, 20, seed=4)
    assert large_scopes.mark_large_scopes() == 20
    assert known_to_the_planner()[0] == ROWS, "of a few rows more autovacuum tells it"
    Memory.objects.filter(pk__in=[row.pk for row in rows]).delete()
    large_scopes.mark_large_scopes()
    assert known_to_the_planner()[0] == 0


def test_the_planner_knows_how_large_the_scope_is(ann, bob, home, office, scope):
    """Else it would sort what the index has in order."""
    for user, space, count in ((ann, home, ROWS), (ann, office, 240), (bob, home, 240)):
        fill(user, space, count, seed=count)
    large_scopes.mark_large_scopes()
    own = Memory.objects.filter(user=ann, space=home, ann=True).order_by().values("pk")
    plan = json.loads(own.explain(format="json"))[0]["Plan"]
    assert plan["Plan Rows"] == pytest.approx(ROWS, rel=0.1)


def test_one_users_changes_are_vacuumed_however_many_rows_others_have():
    _, options = known_to_the_planner()
    assert "autovacuum_vacuum_scale_factor=0.02" in options
    assert "autovacuum_analyze_scale_factor=0.02" in options


def test_the_clock_lets_them_in(ann, home):
    rung = {entry["task"] for entry in app.conf.beat_schedule.values()}
    assert tasks.mark_large_scopes.name in rung
    fill(ann, home, 251)
    assert tasks.mark_large_scopes() == 251


@pytest.mark.parametrize("model", ["narrow", "wide"])
@pytest.mark.parametrize("profile", [CHAT, FUSED], ids=lambda profile: profile.name)
def test_the_best_ten_are_those_of_an_exact_scan(ann, home, scope, profile, model):
    embedder = WordEmbedder(WIDE) if model == "wide" else WordEmbedder()
    fill(ann, home, ROWS, embedder=embedder)
    large_scopes.mark_large_scopes()
    loss = compare(scope, [asked(text, embedder) for text in ASKED], profile)
    assert loss.retried == 0
    assert loss.recall >= 0.99


@pytest.mark.parametrize("profile", [CHAT, FUSED], ids=lambda profile: profile.name)
def test_a_scope_below_the_limit_is_gone_through(ann, home, scope, profile):
    fill(ann, home, 200)
    large_scopes.mark_large_scopes()
    loss = compare(scope, [asked(text) for text in ASKED], profile)
    assert (loss.recall, loss.retried) == (1.0, len(ASKED))


def test_nearer_rows_of_others_and_of_another_space_are_not_among_them(
    crowded, ann, bob, home, office, scope
):
    for user, space in ((bob, home), (ann, office)):
        Memory.objects.filter(user=user, space=space).update(ann=True)
        MemoryFactory(user=user, space=space, content=ASKED[0], ann=True)
    own = {str(m.pk) for m in Memory.objects.visible_to(scope)}
    _, few = approximate.narrowed(scope, asked(ASKED[0]), MEMORIES)
    assert set(few.bound["among"]) <= own
    found = recall(scope, asked(ASKED[0]), profile="fused").items
    assert found
    assert {str(item.memory_id) for item in found} <= own


def test_a_fact_is_found_before_it_is_in_the_index(crowded, ann, home, scope):
    told = MemoryFactory(user=ann, space=home, content="needles summer tea")
    query = asked("needles summer tea")
    assert approximate.narrowed(scope, query, MEMORIES) is not None
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


@pytest.mark.parametrize(
    "why", ["too few", "another model", "too many late", "no vector"]
)
def test_what_is_less_than_certain_is_gone_through(
    crowded, ann, home, scope, monkeypatch, why
):
    query = asked(ASKED[0])
    if why == "too few":
        monkeypatch.setattr(approximate, "NEAREST", ROWS + 1)
    elif why == "another model":
        Memory.objects.filter(user=ann, ann=True).update(embedding_model="older words")
    elif why == "too many late":
        fill(ann, home, 50, seed=3)
    else:
        query = replace(query, vector=None)
    assert approximate.narrowed(scope, query, MEMORIES) is None
    assert len(rank_shelf(scope, query, MEMORIES, CHAT, gated=False)[0]) >= 10


def test_words_alone_are_enough_to_be_a_candidate(crowded, ann, home, scope):
    """However far its vector is."""
    other = WordEmbedder()
    row = MemoryFactory(user=ann, space=home, content="Penicillin", ann=True)
    Memory.objects.filter(pk=row.pk).update(embedding=-other.embed(["penicillin"])[0])
    _, few = approximate.narrowed(scope, asked("penicillin"), MEMORIES)
    assert str(row.pk) in few.bound["among"]


def test_a_long_message_is_sought_by_its_rarest_words(crowded, scope):
    query = asked(" ".join([*WORDS_USED, "penicillin"]))
    narrowed, _ = approximate.narrowed(scope, query, MEMORIES)
    assert len(narrowed.terms) == 12


@pytest.mark.parametrize("pages", ["4", "1.1"], ids=["disks", "ssd"])
def test_the_statement_goes_by_the_index_and_reads_little_else(crowded, scope, pages):
    settle(5_000, per_scope=25)
    query = asked(ASKED[0])
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL random_page_cost = {pages}")
    plan = explained(
        approximate.candidates(MEMORIES, query.terms),
        approximate.candidate_values(scope, query, MEMORIES),
    )
    for node in of_memories(plan):
        assert node["Node Type"] != "Seq Scan"
        assert node.get("Rows Removed by Filter", 0) <= ROWS
    assert plan["Actual Rows"] == 1


def test_what_is_usual_in_it_is_measured_on_a_sample(crowded, scope):
    query, few = approximate.narrowed(scope, asked(ASKED[1]), MEMORIES)
    assert few.counted is not None
    assert len(few.bound["among"]) > approximate.SAMPLE
    found = search(scope, query, few, CHAT)
    assert found.background.compared == len(few.counted.sample) == approximate.SAMPLE
    assert fused(scope, query, few, gated=False, limit=9)[2] == found.background
    weights = few.counted.weights
    assert weights == pytest.approx(usual_weights(scope, query), abs=1e-9)


def usual_weights(scope, query):
    """Counted over all of the scope."""
    rows = Memory.objects.visible_to(scope)
    held = [
        rows.extra(where=["content_tsv @@ %s::tsquery"], params=[t.tsquery]).count()
        for t in query.terms
    ]
    return [math.log(1 + ROWS / (1 + count)) for count in held]


def test_without_words_it_goes_by_meaning(crowded, scope):
    query = replace(asked(ASKED[0]), terms=())
    _, few = approximate.narrowed(scope, query, MEMORIES)
    assert len(few.bound["among"]) >= 60
    items, _ = rank_shelf(scope, query, MEMORIES, FUSED, gated=False)
    assert len(items) >= 10


def test_without_a_model_all_is_gone_through(crowded, scope):
    query = prepare_query("violin", embedder=embeddings.none())
    assert recall(scope, query, profile="fused").items
