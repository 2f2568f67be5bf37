"""A search reads its own scope and loses no row of it, however large the table is.

`MEDDIE_PLAN_ROWS` sets the size of the table: 50,000 by hand, less in CI.
"""

import json
import os
from dataclasses import replace

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory.models import Memory, MemoryLink
from memory.operators.snapshot_text import FACTS_EACH, read_snapshot
from memory.recall import sql
from memory.recall.query import Query, terms
from memory.recall.rankings.chat import CHAT
from memory.recall.rankings.fused import FUSED
from memory.recall.rankings.ranked import RANKED
from memory.recall.recall import newest
from memory.recall.shelf_search import rank_shelf
from memory.recall.shelves import MEMORIES
from people.models import Membership
from tests.memory.crowd import leave, settle

pytestmark = pytest.mark.django_db
RANKINGS = [CHAT, FUSED, RANKED]
ROWS = int(os.environ.get("MEDDIE_PLAN_ROWS", "5000"))
PER_SCOPE = 25
QUESTION = "Which note was number seven, and what about number nine?"


@pytest.fixture(scope="module")
def crowd(django_db_setup, django_db_blocker):
    """One of very many scopes with rows and statistics."""
    with django_db_blocker.unblock():
        scopes = settle(ROWS, PER_SCOPE)
        yield scopes[7]
        leave()


@pytest.fixture
def query():
    vector = np.zeros(1536, np.float32)
    vector[:512] = np.random.default_rng(3).normal(size=512)
    vector /= np.linalg.norm(vector)
    return Query(
        QUESTION, terms(QUESTION), overview=False, vector=vector, model="random"
    )


def nodes(plan):
    yield plan
    for child in plan.get("Plans", ()):
        yield from nodes(child)


@pytest.mark.parametrize("page_cost", ["4", "1.1"], ids=["disks", "ssd"])
@pytest.mark.parametrize("ranking", RANKINGS, ids=lambda ranking: ranking.name)
def test_a_search_reads_its_own_scope_and_little_else(crowd, query, ranking, page_cost):
    columns = (*sql.BASIC, *ranking.columns)
    part = sql.measured_part(query, MEMORIES, columns)
    values = {**sql.query_values(crowd, query), **part.values}
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL random_page_cost = {page_cost}")
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {part.statement}", values)
        (found,) = cursor.fetchone()
    plan = (json.loads(found) if isinstance(found, str) else found)[0]["Plan"]
    read = [node for node in nodes(plan) if node.get("Relation Name") == "memories"]
    assert read
    assert sum(node.get("Rows Removed by Filter", 0) for node in read) <= PER_SCOPE
    assert not [node for node in read if node["Node Type"] == "Seq Scan"]


@pytest.fixture
def large(crowd):
    """A scope with all rows of the table."""
    owner = {"user": crowd.user_id, "space": crowd.space_id}
    for model in (Memory, MemoryLink):
        model.objects.update(**owner)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE memories")
        cursor.execute("ANALYZE memory_memorylink")
    return crowd


@pytest.mark.parametrize("page_cost", ["4", "1.1"], ids=["disks", "ssd"])
def test_newest_facts_are_read_from_an_index(large, page_cost):
    with CaptureQueriesContext(connection) as captured:
        assert len(newest(large, 20)) == 20
    (query,) = captured
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL random_page_cost = {page_cost}")
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {query['sql']}")
        (found,) = cursor.fetchone()
    plan = (json.loads(found) if isinstance(found, str) else found)[0]["Plan"]
    tables = [node for node in nodes(plan) if "Relation Name" in node]
    assert {node["Relation Name"] for node in tables} == {
        "memories",
        "memory_memorylink",
    }
    assert sum(node["Actual Rows"] * node["Actual Loops"] for node in tables) <= 2 * 20


@pytest.mark.req("B-36")
def test_snapshot_reads_the_newest_facts_of_a_member_from_an_index(large):
    Membership.objects.create(user_id=large.user_id, space_id=large.space_id)
    with CaptureQueriesContext(connection) as captured:
        ((_user, facts),) = read_snapshot(large.space_id).people
    assert len(facts) == FACTS_EACH
    read = 0
    for query in captured:
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {query['sql']}")
            (found,) = cursor.fetchone()
        plan = (json.loads(found) if isinstance(found, str) else found)[0]["Plan"]
        rows = [n for n in nodes(plan) if n.get("Relation Name") == "memories"]
        read += sum(node["Actual Rows"] * node["Actual Loops"] for node in rows)
    assert 0 < read <= 4 * FACTS_EACH


@pytest.mark.parametrize("count", [10, PER_SCOPE, 3 * PER_SCOPE])
@pytest.mark.parametrize("ranking", RANKINGS, ids=lambda ranking: ranking.name)
def test_no_row_of_the_scope_is_lost(crowd, query, ranking, count):
    own = set(Memory.objects.visible_to(crowd).values_list("pk", flat=True))
    for asked in (query, replace(query, terms=())):
        items, _ = rank_shelf(crowd, asked, MEMORIES, ranking, gated=False, limit=count)
        found = {item.memory_id for item in items}
        assert found <= own
        assert len(found) == len(items) == min(count, PER_SCOPE)


@pytest.mark.req("S3-10")
def test_the_best_of_the_scope_are_those_of_an_exact_scan(crowd, query):
    asked = replace(query, terms=())
    rows = [m.vector for m in Memory.objects.visible_to(crowd)]
    exact = sorted((v @ query.vector / np.linalg.norm(v) for v in rows), reverse=True)
    found, _ = rank_shelf(crowd, asked, MEMORIES, CHAT, gated=False)
    assert [item.cosine for item in found[:10]] == pytest.approx(exact[:10], abs=1e-4)
