"""Renaming, deleting, and undoing changes of a person's notes."""

import pytest
from django.urls import reverse

from conversations.models import Conversation, Message, Receipt
from conversations.reply.revise import edit
from conversations.reply.turn import begin
from memory.models import Memory
from people.models import Person, ProfileUpdate
from people.person_list import delete_person, restore_person
from tests.conversations import transcripts
from tests.conversations.turns import noting, write
from tests.factories import MemoryFactory, PersonFactory
from tests.openai_answers import says

HTMX = {"HX-Request": "true"}


@pytest.fixture
def person(home):
    return PersonFactory(space=home, health_notes="- Asthma")


@pytest.fixture
def conversation(ann, home, person):
    return transcripts.start_conversation(ann, home, title="Breathing", person=person)


@pytest.fixture
def line(ann, conversation, person):
    reply = transcripts.exchange(conversation, "I have asthma.", "Noted.")
    update = ProfileUpdate.objects.create(
        person=person,
        author=ann,
        field="health_notes",
        action="append",
        text="Asthma",
        previous_value="",
        new_value="- Asthma",
    )
    return transcripts.say(
        conversation,
        Message.Role.SYSTEM,
        "Saved to Health notes: Asthma",
        profile_update=update,
        answers=reply.answers,
    )


def undo(client, line, **options):
    return client.post(reverse("conversations:undo", args=[line.pk]), **options)


class TestDeletedPerson:
    @pytest.mark.req("B-16")
    def test_lines_hide_the_notes_until_the_person_is_restored(
        self, anns, bobs, conversation, line, person
    ):
        address = f"/chat/{conversation.pk}"
        told, hidden = line.content, "Changed the notes of a deleted person."
        delete_person(person)
        page = anns.get(address).text
        assert hidden in page
        assert told not in page
        assert told not in anns.get(f"{address}/export").text
        restore_person(person)
        page = anns.get(address).text
        assert hidden not in page
        assert told in page

    def test_lines_lose_their_text_when_the_person_is_erased(
        self, anns, conversation, line, person
    ):
        delete_person(person)
        Person.objects.deleted().erase()
        line.refresh_from_db()
        assert (line.content, line.profile_update) == ("", None)
        page = anns.get(f"/chat/{conversation.pk}").text
        assert "Changed the notes of a deleted person." in page
        assert "Undo" not in page


class TestRename:
    def test_rename_changes_the_title(self, anns, conversation):
        answer = anns.post(f"/chat/{conversation.pk}/rename", {"title": "Asthma"})
        assert answer.headers["Location"] == f"/chat/{conversation.pk}"
        conversation.refresh_from_db()
        assert conversation.title == "Asthma"

    def test_rename_refuses_an_empty_title(self, anns, conversation):
        answer = anns.post(f"/chat/{conversation.pk}/rename", {"title": " "})
        assert "This field is required." in answer.content.decode()

    def test_other_users_get_404(self, bobs, conversation):
        path = f"/chat/{conversation.pk}/rename"
        assert bobs.post(path, {"title": "Mine"}).status_code == 404

    def test_rename_opens_in_a_dialog(self, anns, conversation):
        content = anns.get(
            f"/chat/{conversation.pk}/rename", headers=HTMX
        ).content.decode()
        assert "<html" not in content
        assert 'value="Breathing"' in content


@pytest.mark.django_db(transaction=True)
class TestDelete:
    @pytest.mark.req("B-21")
    def test_dialog_says_what_is_deleted_and_kept(self, anns, conversation):
        content = anns.get(f"/chat/{conversation.pk}/delete").content.decode()
        assert "deleted for good" in content
        assert "What Meddie remembers about you stays" in content

    def test_facts_stated_in_it_alone_are_forgotten_if_wanted(
        self, anns, ann, home, conversation
    ):
        other = transcripts.start_conversation(ann, home)
        facts = [
            MemoryFactory(
                user=ann, space=home, source_message=transcripts.say(where, "user", "I")
            )
            for where in (conversation, conversation, other)
        ]
        dialog = anns.get(f"/chat/{conversation.pk}/delete").text
        assert "Also forget what I said here (2 things)" in dialog
        address = f"/chat/{conversation.pk}/delete"
        answer = anns.post(address, {"forget": "1"}, follow=True)
        assert "Deleted for good, and 2 things forgotten:" in answer.text
        left = Memory.objects.exclude(content="").get()
        assert (left, left.active) == (facts[2], True)

    def test_facts_said_again_elsewhere_stay(self, anns, ann, home, openai_server):
        tea = noting(memory_saves=["User likes tea"])
        openai_server.chat.queue(tea, says("Fine."), tea)
        said = begin(ann, home.pk, "I like tea.")
        write(said)
        write(edit(ann, home.pk, said.message.pk, "Never mind."))
        write(begin(ann, home.pk, "I do like tea."))
        address = f"/chat/{said.conversation_id}/delete"
        assert "Also forget" not in anns.get(address).text
        anns.post(address, {"forget": "1"})
        kept = Memory.objects.get()
        assert (kept.content, kept.active) == ("User likes tea", True)

    def test_facts_stay_without_the_wish(self, anns, ann, home, conversation):
        said = transcripts.say(conversation, "user", "I")
        fact = MemoryFactory(user=ann, space=home, source_message=said)
        anns.post(f"/chat/{conversation.pk}/delete")
        fact.refresh_from_db()
        assert fact.active

    def test_nothing_to_forget_is_not_offered(self, anns, conversation):
        assert "Also forget" not in anns.get(f"/chat/{conversation.pk}/delete").text

    def test_deletion_deletes_the_messages(self, anns, conversation, line):
        transcripts.exchange(conversation, "And?", "Half", "streaming")
        answer = anns.post(f"/chat/{conversation.pk}/delete", follow=True)
        assert "Deleted for good: <bdi>Breathing</bdi>" in answer.text
        assert Conversation.objects.count() == Message.objects.count() == 0
        assert Receipt.objects.count() == 0

    def test_other_users_get_404(self, bobs, conversation):
        assert bobs.post(f"/chat/{conversation.pk}/delete").status_code == 404
        assert Conversation.objects.count() == 1


@pytest.mark.req("B-02")
class TestUndo:
    def test_undo_restores_the_notes(self, anns, line, person):
        content = undo(anns, line, headers=HTMX).content.decode()
        person.refresh_from_db()
        assert person.health_notes == ""
        assert "Undone" in content
        assert ">Undo</button>" not in content

    def test_works_without_script(self, anns, line, conversation):
        assert undo(anns, line).headers["Location"] == f"/chat/{conversation.pk}"

    def test_refuses_when_the_notes_have_changed_since(self, anns, line, person):
        person.health_notes = "- Asthma\n- Hay fever"
        person.save()
        content = undo(anns, line, headers=HTMX).content.decode()
        person.refresh_from_db()
        assert person.health_notes == "- Asthma\n- Hay fever"
        assert "cannot be undone here" in content
        page = undo(anns, line, follow=True).content.decode()
        assert "cannot be undone here" in page

    def test_undoing_twice_changes_nothing_more(self, anns, line, person):
        undo(anns, line)
        person.health_notes = "- Asthma"
        person.save()
        undo(anns, line)
        person.refresh_from_db()
        assert person.health_notes == "- Asthma"

    def test_undo_is_refused_after_the_next_message(
        self, anns, conversation, line, person
    ):
        transcripts.exchange(conversation, "And now?", "Hm.")
        assert undo(anns, line).status_code == 404
        person.refresh_from_db()
        assert person.health_notes == "- Asthma"

    def test_other_users_get_404(self, bobs, line):
        assert undo(bobs, line).status_code == 404

    def test_undo_needs_a_change(self, anns, conversation, line):
        other = transcripts.say(conversation, Message.Role.SYSTEM, "Something else")
        assert undo(anns, other).status_code == 404
