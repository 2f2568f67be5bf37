"""Whatever the planner believes, a search reads its own scope and loses no row of it.

`MEDDIE_PLAN_ROWS` makes the table as large as one likes: 50,000 by hand, less in CI.
"""

import json
import os
from dataclasses import replace

import numpy as np
import pytest
from django.db import connection

from memory.models import Memory
from memory.recall import approximate, asking, sql
from memory.recall.fused_search import fused
from memory.recall.profiles import CHAT, FUSED
from memory.recall.query import Query, terms
from memory.recall.recall import rank_shelf
from memory.recall.shelves import MEMORIES
from tests.memory.crowd import leave, settle

pytestmark = pytest.mark.django_db
ROWS = int(os.environ.get("MEDDIE_PLAN_ROWS", "5000"))
PER_SCOPE = 25
QUESTION = "Which note was number seven, and what about number nine?"


@pytest.fixture(scope="module")
def crowd(django_db_setup, django_db_blocker):
    """Very many rows in very many scopes, with statistics; gone afterwards."""
    with django_db_blocker.unblock():
        scopes = settle(ROWS, PER_SCOPE)
        yield scopes[7]
        leave()


@pytest.fixture(params=["4", "1.1"], ids=["disks", "ssd"])
def pages(request, crowd):
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL random_page_cost = {request.param}")
    return crowd


def question():
    vector = np.zeros(1536, np.float32)
    vector[:384] = np.random.default_rng(3).normal(size=384)
    vector /= np.linalg.norm(vector)
    return Query(
        QUESTION, terms(QUESTION), overview=False, vector=vector, model="random"
    )


def explained(statement, values):
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}", values)
        (found,) = cursor.fetchone()
    plan = json.loads(found) if isinstance(found, str) else found
    return plan[0]["Plan"]


def nodes(plan):
    yield plan
    for child in plan.get("Plans", ()):
        yield from nodes(child)


def of_memories(plan):
    return [node for node in nodes(plan) if node.get("Relation Name") == "memories"]


SMALL = approximate.if_small(MEMORIES)
COLUMNS = {"chat": sql.BARE, "fused": sql.IN_CONTEXT}


@pytest.mark.parametrize("profile", list(COLUMNS))
def test_a_search_reads_its_own_scope_and_little_else(pages, profile):
    query = question()
    values = asking.values(pages, query, query.terms, MEMORIES)
    statement = sql.measure(SMALL, query.terms, "narrow", COLUMNS[profile])
    plan = explained(statement, values)
    removed = sum(n.get("Rows Removed by Filter", 0) for n in of_memories(plan))
    assert removed <= PER_SCOPE
    assert of_memories(plan)
    assert not [n for n in of_memories(plan) if n["Node Type"] == "Seq Scan"]


@pytest.mark.parametrize("newer", [False, True])
def test_texts_are_read_from_their_own_scope_too(pages, newer):
    keys = Memory.objects.visible_to(pages).values_list("pk", flat=True)[:10]
    values = asking.owner(pages, MEMORIES) | {"ids": list(keys), "apart": 0.2}
    plan = explained(sql.texts(MEMORIES, newer=newer), values)
    for node in of_memories(plan):
        assert node["Node Type"] == "Index Scan"
        assert node["Actual Rows"] * node["Actual Loops"] == 10
        assert node.get("Rows Removed by Filter", 0) <= PER_SCOPE


@pytest.mark.parametrize("many", [10, PER_SCOPE, 3 * PER_SCOPE])
@pytest.mark.parametrize("profile", [CHAT, FUSED], ids=lambda profile: profile.name)
def test_no_row_of_the_scope_is_lost(pages, profile, many):
    own = set(Memory.objects.visible_to(pages).values_list("pk", flat=True))
    for query in (question(), replace(question(), terms=())):
        items, _ = rank_shelf(pages, query, MEMORIES, profile, gated=False, limit=many)
        found = {item.memory_id for item in items}
        assert found <= own
        assert len(found) == len(items) == min(many, PER_SCOPE)


def test_the_best_of_the_scope_are_those_of_an_exact_scan(pages):
    query = replace(question(), terms=())
    rows = [m.embedding for m in Memory.objects.visible_to(pages)]
    exact = sorted((v @ query.vector / np.linalg.norm(v) for v in rows), reverse=True)
    found, _ = rank_shelf(pages, query, MEMORIES, CHAT, gated=False)
    assert [item.cosine for item in found[:10]] == pytest.approx(exact[:10], abs=1e-4)


def test_fused_reads_what_it_ranks_from_the_same_scope(pages):
    items, _, _ = fused(pages, question(), MEMORIES, gated=False, limit=20)
    assert all(item.text.startswith("Note number") for item in items)
