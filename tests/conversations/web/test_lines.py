"""Buttons of the lines under a reply: undo, forget, forget all, open notes."""

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from conversations.models import Message
from conversations.reply import confirmations
from conversations.reply.append_messages import append_line
from memory.models import Memory
from tests.conversations import transcripts
from tests.factories import MemoryFactory, PersonFactory

HTMX = {"HX-Request": "true"}
YES = {"answer": "yes"}
FACT = "User takes ramipril"
TOLD = "Takes ramipril"
Kind = Message.LineKind


@pytest.fixture
def person(home):
    return PersonFactory(space=home)


@pytest.fixture
def conversation(ann, home, person):
    return transcripts.start_conversation(ann, home, title="Pills", person=person)


@pytest.fixture
def memory(ann, home):
    return MemoryFactory(user=ann, space=home, content=FACT)


@pytest.fixture
def bobs_memory(bob, home):
    return MemoryFactory(user=bob, space=home, content="User is Bob")


@pytest.fixture
def line(conversation):
    """Store a line about memories."""

    def line(kind, *memories, text=""):
        reply = transcripts.exchange(conversation, "I take ramipril.", "All right.")
        with transaction.atomic():
            keys = [memory.pk for memory in memories]
            return append_line(reply, text, keys, line_kind=kind)

    return line


def press(client, name, line, data=None, **options):
    url = reverse(f"conversations:{name}", args=[line.pk])
    return client.post(url, data or {}, **options)


def show(client, conversation):
    return client.get(f"/chat/{conversation.pk}").text


def retract(memory, told=None):
    """Retract a memory, at the time of the message that a line is about."""
    at = told.answers.created_at if told else memory.updated_at
    Memory.objects.filter(pk=memory.pk).update(
        active=False, retired_reason="retracted", retired_at=at
    )
    memory.links.all().delete()


class TestUndo:
    def test_a_stored_memory_is_taken_back(self, anns, line, memory, conversation):
        told = line(Kind.REMEMBERED, memory)
        assert f"Remembered: {TOLD}" in show(anns, conversation)
        content = press(anns, "undo", told, headers=HTMX).text
        assert "Forgotten: 1 memory" in content
        assert "Undo" not in content
        assert TOLD not in content
        memory.refresh_from_db()
        assert memory.retired_reason == "retracted"

    def test_a_forgotten_memory_is_restored(self, anns, line, memory, conversation):
        told = line(Kind.FORGOTTEN, memory)
        retract(memory, told)
        assert f"Forgotten: {TOLD}" in show(anns, conversation)
        content = press(anns, "undo", told, headers=HTMX).text
        assert f"Remembered: {TOLD}" in content
        assert "Undo" not in content
        memory.refresh_from_db()
        assert memory.active
        assert memory.links.count() == 1

    def test_no_undo_beside_a_fact_that_was_forgotten_since(
        self, anns, line, memory, conversation, ann
    ):
        other = MemoryFactory(
            user=ann, space=conversation.space, content="Lives in Oslo"
        )
        told = line(Kind.REMEMBERED, memory, other)
        assert ">Undo<" in show(anns, conversation)
        retract(memory)
        assert "Forgotten: 1 memory" in show(anns, conversation)
        assert ">Undo<" not in show(anns, conversation)
        press(anns, "undo", told)
        other.refresh_from_db()
        assert other.active

    @pytest.mark.parametrize("kind", [Kind.REMEMBERED, Kind.FORGOTTEN])
    def test_undoing_twice_is_harmless(self, anns, line, memory, kind):
        told = line(kind, memory)
        if kind == Kind.FORGOTTEN:
            retract(memory, told)
        first, second = (press(anns, "undo", told, headers=HTMX) for _ in range(2))
        assert first.text == second.text

    def test_a_memory_that_changed_since_says_so(self, anns, line, memory):
        told = line(Kind.REMEMBERED, memory)
        Memory.objects.update(
            active=False, retired_reason="superseded", retired_at=memory.updated_at
        )
        content = press(anns, "undo", told, headers=HTMX).text
        assert "This memory has changed since" in content
        page = press(anns, "undo", told, follow=True).text
        assert "This memory has changed since" in page

    def test_an_erased_memory_cannot_be_restored(self, anns, line, memory):
        told = line(Kind.FORGOTTEN, memory)
        retract(memory, told)
        Memory.objects.update(content="")
        content = press(anns, "undo", told, headers=HTMX).text
        assert "Forgotten: 1 memory" in content
        assert "This memory has changed since" in content

    def test_a_memory_forgotten_again_stays_forgotten(self, anns, line, memory):
        told = line(Kind.FORGOTTEN, memory)
        retract(memory)
        content = press(anns, "undo", told, headers=HTMX).text
        assert "This memory has changed since" in content
        memory.refresh_from_db()
        assert memory.retired_reason == "retracted"

    def test_it_ends_with_the_next_message(self, anns, line, memory, conversation):
        told = line(Kind.REMEMBERED, memory)
        transcripts.exchange(conversation, "And?", "Yes.")
        assert press(anns, "undo", told).status_code == 404
        memory.refresh_from_db()
        assert memory.active


class TestForget:
    @pytest.fixture
    def offer(self, line, memory):
        return line(Kind.NOT_REMEMBERED, memory, text="Not remembered: pills")

    def test_an_offered_memory_is_forgotten(self, anns, offer, memory, conversation):
        page = show(anns, conversation)
        assert "Not remembered: pills" in page
        assert f"Forget “{TOLD}”" in page
        chosen = {"memory": str(memory.pk)}
        content = press(anns, "forget", offer, chosen, headers=HTMX).text
        assert "Forgotten: 1 memory" in content
        assert TOLD not in content
        memory.refresh_from_db()
        assert memory.retired_reason == "retracted"
        assert press(anns, "forget", offer, chosen, headers=HTMX).text == content

    def test_only_offered_memories_are_forgotten(
        self, anns, ann, home, offer, bobs_memory
    ):
        other = MemoryFactory(user=ann, space=home)
        for key in (other.pk, bobs_memory.pk, "", "x"):
            answer = press(anns, "forget", offer, {"memory": str(key)})
            assert answer.status_code == 404
        assert Memory.objects.filter(active=True).count() == 3

    def test_a_forged_reference_reaches_no_memory_of_others(
        self, anns, line, bobs_memory
    ):
        for kind in (Kind.NOT_REMEMBERED, Kind.REMEMBERED):
            told = line(kind, bobs_memory)
            press(anns, "forget", told, {"memory": str(bobs_memory.pk)})
            press(anns, "undo", told)
        bobs_memory.refresh_from_db()
        assert bobs_memory.active

    def test_all_are_forgotten_at_once(self, anns, line, memory, bobs_memory):
        asked = line(Kind.FORGET_ALL, text="Forget the only memory?")
        content = press(anns, "answer", asked, YES, headers=HTMX).text
        assert "Forgotten: 1 memory" in content
        assert "Forget all" not in content
        active = Memory.objects.filter(active=True)
        assert list(active) == [bobs_memory]
        assert press(anns, "answer", asked, YES).status_code == 404

    def test_a_second_press_at_the_same_time_changes_nothing(self, ann, line, memory):
        asked = line(Kind.FORGET_ALL, text="Forget the only memory?")
        first, second = (Message.objects.with_changes().get(pk=asked.pk) for _ in "12")
        for one in (first, second):
            confirmations.answer_line(one, ann, agrees=True)
        asked.refresh_from_db()
        assert asked.content == "Forgotten: 1 memory"

    def test_all_are_kept_after_the_next_message(
        self, anns, line, memory, conversation
    ):
        asked = line(Kind.FORGET_ALL, text="Forget the only memory?")
        transcripts.exchange(conversation, "And?", "Yes.")
        assert press(anns, "answer", asked, YES).status_code == 404
        memory.refresh_from_db()
        assert memory.active

    def test_works_without_script(self, anns, offer, memory, conversation):
        answer = press(anns, "forget", offer, {"memory": str(memory.pk)})
        assert answer.headers["Location"] == f"/chat/{conversation.pk}"


@pytest.mark.req("B-19")
@pytest.mark.parametrize("kind", list(Kind))
def test_others_get_404(bobs, line, memory, kind):
    told = line(kind, memory, text="Some text")
    chosen = {"memory": str(memory.pk)} | YES
    for name in ("undo", "forget", "answer"):
        assert press(bobs, name, told, chosen).status_code == 404
        assert press(Client(), name, told, chosen).status_code == 302
    memory.refresh_from_db()
    assert memory.active


def test_buttons_need_their_token(ann, line, memory):
    client = Client(enforce_csrf_checks=True)
    client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
    told = line(Kind.REMEMBERED, memory)
    assert press(client, "undo", told).status_code == 403
    memory.refresh_from_db()
    assert memory.active


def test_a_removal_without_its_line_leads_to_the_notes(
    anns, line, conversation, person
):
    line(Kind.NOT_REMOVED, text="Not in the notes: ramipril")
    page = show(anns, conversation)
    assert "Not in the notes: ramipril" in page
    assert f'href="/people/{person.pk}">Open notes' in page


def test_lines_are_in_the_language_of_the_page(anns, ann, line, memory, conversation):
    line(Kind.REMEMBERED, memory)
    ann.locale = "pl"
    ann.save()
    page = show(anns, conversation)
    assert f"Zapamiętano: {TOLD}" in page
    assert "Cofnij" in page
