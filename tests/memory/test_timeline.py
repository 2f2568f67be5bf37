"""The timeline of a memory on its page."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from conversations.models import Receipt
from memory.capture.retraction import forget_memory
from memory.models import Memory
from memory.operators.repairs import MemoryRepairs
from memory.operators.timeline import count_replies, read_timeline
from tests.conversations import transcripts
from tests.factories import MemoryFactory, ProfileFactFactory, UserFactory
from tests.memory.jobs import run_due

pytestmark = pytest.mark.django_db


def told(row):
    return [str(entry.text) for entry in read_timeline(row)]


@pytest.mark.req("B-39")
def test_timeline_tells_of_storing_confirming_and_replacing(tell):
    days = [timezone.now() - timedelta(days=days) for days in (9, 8, 7)]
    tell("User weighs 80 kg", at=days[0])
    old = Memory.objects.get()
    tell("User weighs 80 kg", at=days[1])
    tell("User weighs 82 kg", at=days[2])
    run_due()
    new = Memory.objects.get(content="User weighs 82 kg")
    old.refresh_from_db()
    assert set(told(old)) == {
        "Stored",
        "Confirmed: it was stated again",
        "Replaced by a newer one",
        "Superseded",
    }
    assert [entry.other for entry in read_timeline(new)][-1] == old.pk


def test_timeline_tells_who_forgot(tell, scope):
    tell("User has a dog")
    memory = Memory.objects.get()
    forget_memory(scope, memory.pk)
    memory.refresh_from_db()
    assert set(told(memory)) == {"Stored", "Forgotten by the user", "Retracted"}


def test_timeline_names_the_staff_of_a_repair(tell):
    tell("User has a dog")
    by = UserFactory(is_staff=True, email="operator@example.com")
    memory = Memory.objects.get()
    MemoryRepairs(memory, by).retire()
    MemoryRepairs(memory, by).restore()
    entries = [entry for entry in read_timeline(memory) if entry.by]
    assert [(str(entry.text), entry.by) for entry in entries] == [
        ("Retired by staff", by.email),
        ("Restored by staff", by.email),
    ]


def test_page_links_both_versions_and_counts_replies(client, ann, home, tell):
    tell("User weighs 80 kg", at=timezone.now() - timedelta(days=2))
    old = Memory.objects.get()
    tell("User weighs 82 kg")
    run_due()
    new = Memory.objects.get(active=True)
    conversation = transcripts.start_conversation(ann, home)
    for number, injected in enumerate((True, False)):
        reply = transcripts.exchange(conversation, "Hello", "Hello")
        Receipt.objects.create(
            message=reply,
            kind="memory",
            object_id=new.pk,
            rank=number,
            score=0.5,
            injected=injected,
        )
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    page = client.get(reverse("admin:memory_memory_change", args=[new.pk])).text
    text = re.sub(r"\s+", " ", page)
    assert "retrieved 2 times, 1 times in the prompt" in text
    link = reverse("admin:memory_memory_change", args=[old.pk])
    assert f'<a href="{link}" dir="auto">User weighs 80 kg</a>' in page


@pytest.fixture
def lore(home):
    return MemoryFactory(
        user=None, space=home, audience="space", kind="lore", linked=False
    )


def test_replies_that_showed_lore_are_counted(lore, ann, home):
    conversation = transcripts.start_conversation(ann, home)
    reply = transcripts.exchange(conversation, "Hello", "Hello")
    Receipt.objects.create(
        message=reply, kind="lore", object_id=lore.pk, rank=0, score=0.5
    )
    assert (count_replies(lore).found, count_replies(lore).in_prompt) == (1, 1)


def test_repair_of_lore_without_a_teller_is_told_and_undone(lore):
    by = UserFactory(is_staff=True, email="operator@example.com")
    MemoryRepairs(lore, by).retire()
    assert "Retired by staff" in told(lore)
    assert "undo" in MemoryRepairs(lore, by).allowed()
    MemoryRepairs(lore, UserFactory(is_staff=True)).undo()
    lore.refresh_from_db()
    assert lore.active
    assert "Last repair undone by staff" in told(lore)


def test_profile_facts_have_a_timeline(ann, home):
    fact = ProfileFactFactory(user=ann, space=home)
    assert told(fact) == ["Stored"]


def test_memory_that_was_shown_nowhere_says_so(client, ann, home):
    memory = MemoryFactory(user=ann, space=home)
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    page = client.get(reverse("admin:memory_memory_change", args=[memory.pk]))
    assert "never" in page.text
