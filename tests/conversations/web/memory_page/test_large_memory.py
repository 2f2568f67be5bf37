"""The memory page of a user with many facts, and beside a slow provider."""

from contextlib import contextmanager

import pytest
from django.db import connection
from django.utils import timezone

from conversations.web.memory_page.fact_page import Wanted, find_entry, read_fact_page
from people.scope import retraction_scope
from tests.factories import MemoryFactory, PersonFactory
from tests.openai_answers import Answer

pytestmark = pytest.mark.django_db(transaction=True)  # asynchronous views


@pytest.fixture
def books(ann, home):
    return [
        MemoryFactory(user=ann, space=home, content=f"User has book {number}")
        for number in range(30)
    ]


@contextmanager
def rows_read():
    counted = []

    def count(execute, sql, params, many, context):
        result = execute(sql, params, many, context)
        counted.append(context["cursor"].rowcount)
        return result

    with connection.execute_wrapper(count):
        yield counted


def test_page_needs_a_fixed_number_of_queries(ann, home, books):
    with rows_read() as counted:
        read_fact_page(ann, retraction_scope(ann.pk, home.pk), Wanted())
    assert len(counted) <= 15


def test_one_fact_is_read_by_its_key(ann, home, books):
    with rows_read() as counted:
        entry = find_entry(ann, retraction_scope(ann.pk, home.pk), books[7].pk)
    assert entry.text == "Has book 7"
    assert sum(counted) < 10


def test_page_has_the_newest_facts_in_their_groups(anns, ann, home):
    leo = PersonFactory(space=home, name="Leo Green")
    told = timezone.now().replace(year=2025)
    for number in range(50):
        text = f"User has book {number}"
        MemoryFactory(user=ann, space=home, content=text, stated_at=told)
    text = "Leo has a peanut allergy"
    MemoryFactory(user=ann, space=home, content=text, subject="Leo", person=leo)
    listing = anns.get("/memory").context["listing"]
    assert [(g.name, len(g.entries)) for g in listing.groups] == [
        ("You", 49),
        ("Leo Green", 1),
    ]


def connections_in_use():
    stats = connection.pool.get_stats()
    return stats["pool_size"] - stats["pool_available"]


def test_no_connection_is_held_while_the_provider_embeds(anns, books, openai_server):
    connection.close()
    at_rest = connections_in_use()  # threads of other tests may have some
    held = []

    def embed(_body):
        held.append(connections_in_use())
        return Answer()

    openai_server.embeddings.default = embed
    anns.get("/memory?q=a book about the sea")
    anns.post(f"/memory/{books[0].pk}/edit", {"text": "User has a book of the sea"})
    assert held == [at_rest, at_rest]
