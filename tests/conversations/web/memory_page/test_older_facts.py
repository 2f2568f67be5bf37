"""The memory page tells whom older facts were found to be about."""

import pytest
from django.urls import reverse

from memory.facts.older import read_older_subjects
from memory.models import Memory
from tests.factories import MemoryFactory

pytestmark = pytest.mark.django_db(transaction=True)  # asynchronous views


@pytest.fixture
def read(ann, bob, home):
    for text in ("I have hay fever", "My mother has asthma", "My mother is 80"):
        MemoryFactory(user=ann, space=home, content=text, subject=None)
    MemoryFactory(user=bob, space=home, content="My aunt has asthma", subject=None)
    read_older_subjects()


def page(client):
    return client.get(reverse("memory_page:index")).text


def settle(client, answer):
    address = reverse("memory_page:settle_older")
    return client.post(address, {"answer": answer}, follow=True).text


def test_page_tells_how_many_and_of_whom(read, anns):
    text = page(anns)
    assert "Meddie has read 3 older facts for whom they are about." in text
    assert "Your mother: 2 · You: 1" in text
    assert "aunt" not in text


def test_undo_makes_them_unsure(read, anns, ann):
    text = settle(anns, "undo")
    assert "Meddie is not sure any more whom 3 things are about." in text
    assert "older facts" not in text
    assert set(Memory.objects.filter(user=ann).values_list("subject", flat=True)) == {
        "?"
    }


def test_page_tells_it_until_the_user_has_seen_it(read, anns, bobs):
    settle(anns, "keep")
    assert "older fact" not in page(anns)
    assert "Meddie has read 1 older fact for whom it is about." in page(bobs)
