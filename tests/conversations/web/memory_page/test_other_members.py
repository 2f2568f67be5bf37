"""What other members see of a memory, and what their changes do."""

import pytest
from django.utils import timezone

from memory.models import Memory, MemoryLink
from tests.conversations import transcripts
from tests.conversations.web.memory_page.listing import (
    FACT,
    METHODS,
    SHOWN,
    addresses,
    groups,
)
from tests.factories import MemoryFactory, SpaceFactory

pytestmark = pytest.mark.django_db(transaction=True)  # asynchronous views


@pytest.fixture
def lent(fact, bob, home):
    MemoryLink.objects.create(user=bob, space=home, memory=fact)
    return fact


def test_facts_of_other_users_and_spaces_are_not_there(anns, bobs, fact, ann):
    away = SpaceFactory(members=[ann], memory_page=True)
    MemoryFactory(user=ann, space=away, content="User likes secret tea")
    assert groups(bobs) == {}
    assert groups(anns) == {"You": [SHOWN]}
    assert groups(anns, "secret") == {}
    for address in addresses(fact)[2:]:
        for method in METHODS:
            assert getattr(bobs, method)(address).status_code in (404, 405)
    bobs.post("/memory/forget")
    fact.refresh_from_db()
    assert fact.active


def test_shared_memory_is_ones_own_link(anns, bobs, lent):
    assert groups(bobs) == {"You": [SHOWN]}
    bobs.post(f"/memory/{lent.pk}/forget")
    assert (groups(anns), groups(bobs)) == ({"You": [SHOWN]}, {})
    lent.refresh_from_db()
    assert (lent.active, lent.content) == (True, FACT)


def test_conversation_of_the_other_is_not_linked(bobs, lent, ann, home):
    conversation = transcripts.start_conversation(ann, home)
    message = transcripts.say(conversation, "user", "I am allergic.")
    Memory.objects.update(source_message=message)
    assert str(conversation.pk) not in bobs.get("/memory").text


def test_it_does_not_tell_when_or_how_the_other_said_it(anns, bobs, bob, lent):
    told = timezone.now().replace(year=2024, month=2, day=3)
    Memory.objects.update(stated_at=told, source=Memory.Source.MANUAL)
    said = timezone.now().replace(year=2025, month=6, day=7)
    MemoryLink.objects.filter(user=bob).update(created_at=said)
    page = bobs.get("/memory").text
    assert "7 June 2025" in page
    assert "2024" not in page
    assert "written by you" not in page
    page = anns.get("/memory").text
    assert "3 February 2024" in page
    assert "written by you" in page


def test_correction_by_one_leaves_the_other_theirs(anns, bobs, lent):
    bobs.post(f"/memory/{lent.pk}/edit", {"text": "User is allergic to pollen"})
    assert groups(anns) == {"You": [SHOWN]}
    assert groups(bobs) == {"You": ["Is allergic to pollen"]}
    assert SHOWN not in bobs.get("/memory").text


def test_earlier_versions_of_others_are_not_shown(anns, bobs, lent):
    anns.post(f"/memory/{lent.pk}/edit", {"text": "User is allergic to pollen"})
    assert "earlier version" in anns.get("/memory").text
    assert "earlier version" not in bobs.get("/memory").text


def test_space_of_which_one_is_no_longer_a_member_is_gone(anns, ann, fact):
    ann.memberships.all().delete()
    assert anns.get("/memory").status_code == 404
