"""What keeps recall quick, said without seconds: how often the database is asked, and
that vectors in full, which lie in TOAST, are read for the few best rows at most."""

import numpy as np
import pytest
from django.db import connection

from memory.models import Memory
from memory.recall.recall import prepare_query, recall
from memory.vectors import vector_text
from tests.factories import MemoryFactory
from tests.memory.embedders import WIDE, WordEmbedder

pytestmark = pytest.mark.django_db
ROWS = 150
WORDS = ["tea", "coffee", "mother", "garden", "violin", "chess", "summer", "doctor"]
FETCHED = """SELECT pg_stat_get_xact_blocks_fetched(reltoastrelid)
  FROM pg_class WHERE oid = 'memories'::regclass"""


def toast_pages():
    """Pages of TOAST that this transaction has looked at."""
    with connection.cursor() as cursor:
        cursor.execute(FETCHED)
        return cursor.fetchone()[0]


@pytest.fixture
def query(ann, home):
    return asked_of_many(ann, home, WordEmbedder())


def asked_of_many(user, space, embedder):
    """A question, and many rows to find its answer in."""
    pick = np.random.default_rng(1)
    for number in range(ROWS):
        content = f"{' '.join(pick.choice(WORDS, 3))} number {number}"
        MemoryFactory(user=user, space=space, content=content, embedder=embedder)
    return prepare_query("Does mother play chess in the garden?", embedder=embedder)


@pytest.mark.parametrize(("profile", "statements"), [("chat", 2), ("fused", 2)])
def test_a_recall_asks_the_database_a_few_times_only(
    query, scope, profile, statements, django_assert_max_num_queries
):
    with django_assert_max_num_queries(statements):
        found = recall(scope, query, profile=profile)
    assert found.items


@pytest.mark.parametrize("profile", ["chat", "fused"])
def test_no_padded_vector_is_read_in_full(query, scope, profile):
    before = toast_pages()
    assert recall(scope, query, profile=profile).items
    assert toast_pages() == before


def test_wide_vectors_are_read_for_the_best_only(ann, home, scope, monkeypatch):
    query = asked_of_many(ann, home, WordEmbedder(WIDE))
    before = toast_pages()
    list(Memory.objects.visible_to(scope).values_list("embedding", flat=True))
    everything = toast_pages() - before
    monkeypatch.setattr("memory.recall.asking.FULL_SCAN", 1)
    monkeypatch.setattr("memory.recall.search.REMEASURED", 10)

    before = toast_pages()
    assert recall(scope, query, profile="chat").items
    assert 0 < toast_pages() - before < everything / 2


def test_a_vector_is_written_out_with_its_padding():
    vector = np.array([0.5, 0, -0.25, 0, 0], np.float32)
    assert vector_text(vector) == "[0.5,0,-0.25,0,0]"
    assert vector_text(vector[3:]) == "[0,0]"
