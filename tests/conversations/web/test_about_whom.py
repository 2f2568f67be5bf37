"""Whom a kept fact is about is asked under the reply, and answered there."""

import pytest
from django.db import transaction
from django.urls import reverse

from conversations.models import Message
from conversations.reply import about_whom, change_lines, confirmations
from conversations.telegram.deliver import choice_buttons
from meddie.ai import offline
from memory import service
from memory.models import Memory
from memory.subjects import NO_HOUSEHOLD, UNSURE
from memory.values import Candidate, Provenance
from people.scope import scope_for
from tests.conversations import transcripts
from tests.conversations.turns import ask, write
from tests.factories import MembershipFactory, MemoryFactory, PersonFactory

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
TEXT = "She takes montelukast 5 mg every evening"
Kind = Message.LineKind


@pytest.fixture
def mia(home):
    return PersonFactory(space=home, name="Mia")


@pytest.fixture
def line(ann, home, mia):
    """A line under a reply that asks about one fact; Ann's mother is known."""
    owner = {"user": ann, "space": home}
    MemoryFactory(**owner, content="Mother takes ramipril", subject="mother")
    conversation = transcripts.start_conversation(ann, home)
    reply = transcripts.exchange(conversation, TEXT, "Thank you.")
    scope = scope_for(ann, home.pk, channel="web")
    prepared = service.prepare_facts([Candidate(TEXT, subject=UNSURE)], NO_HOUSEHOLD)
    said = Provenance("page", reply.created_at, user_text=TEXT, stating=TEXT)
    with transaction.atomic():
        decisions = service.remember(scope, prepared, said)
        about_whom.ask_about(scope, reply, decisions)
    return Message.objects.with_changes().get(line_kind=Kind.ASKS_ABOUT)


def read(line):
    return Message.objects.with_changes().get(pk=line.pk)


def fact():
    return Memory.objects.get(content__contains="montelukast")


def labels(line):
    return [choice.label for choice in about_whom.about_choices(read(line))]


def press(client, line, value):
    url = reverse("conversations:answer", args=[line.pk])
    return client.post(url, {"about": value}, headers=HTMX)


def test_line_offers_the_user_people_relatives_and_later(line, anns):
    assert change_lines.sentence(line) == f"About whom? {TEXT}"
    assert labels(line) == ["You", "Mia", "Your mother", "Later"]
    page = anns.get(f"/chat/{line.conversation_id}").text
    assert all(f">{label}</button>" in page for label in labels(line))
    assert confirmations.waits(line)


def test_button_moves_the_fact_and_another_one_mends_it(line, anns, mia):
    told = press(anns, line, "1").text
    assert f"Mia: {TEXT}" in told
    assert fact().person == mia
    assert not confirmations.waits(read(line))
    press(anns, line, "0")
    assert fact().subject == ""


def test_later_leaves_the_fact_unsure_and_asks_no_more(line, anns):
    assert "You can say on the memory page" in press(anns, line, about_whom.LATER).text
    assert fact().about.unsure
    assert labels(line) == []


@pytest.mark.parametrize("value", ["9", "-1", "Mia", ""])
def test_unknown_choice_is_not_found(line, anns, value):
    assert press(anns, line, value).status_code == 404
    assert fact().about.unsure


def test_other_members_cannot_answer(line, bobs):
    assert press(bobs, line, "0").status_code == 404


def test_line_of_a_forgotten_fact_asks_nothing(line, ann, home):
    service.forget(scope_for(ann, home.pk, channel="web"), [fact().pk])
    assert labels(line) == []
    assert TEXT not in change_lines.sentence(read(line))


def test_telegram_has_a_button_for_each_choice(line):
    buttons = choice_buttons(line)
    assert [button.text for button in buttons] == labels(line)
    assert all(len(button.data.encode()) <= 64 for button in buttons)


def test_facts_of_others_about_their_relatives_are_not_offered(line, bob, home):
    MemoryFactory(user=bob, space=home, content="Uncle", subject="uncle Bo")
    assert "uncle" not in str(labels(line))


class TestInWords:
    pytestmark = pytest.mark.django_db(transaction=True)

    @pytest.fixture
    def member(self, monkeypatch):
        monkeypatch.setattr(offline, "PACE", 0)
        member = MembershipFactory()
        PersonFactory(space=member.space, name="Mia")
        return member

    @pytest.mark.parametrize(
        ("answer", "subject"),
        [
            ("Mia", "Mia"),
            ("about my mother", "mother"),
            ("It's me", ""),
            ("o mamie", "mother"),
            ("meine Mutter", "mother"),
        ],
    )
    def test_next_message_names_the_subject(self, member, answer, subject):
        first = ask(member, f"{TEXT}.")
        write(first)
        assert fact().about.unsure
        turn = ask(member, answer, conversation_id=first.conversation_id)
        settled = ("All right.", "Dobrze.", "In Ordnung.")
        assert write(turn).content.startswith(settled)
        assert fact().subject == subject
        assert Memory.objects.count() == 1
        kept = Message.objects.with_changes().filter(answers=turn.message)
        line = kept.get(line_kind=Message.LineKind.ASKS_ABOUT)
        assert TEXT in change_lines.sentence(line)

    @pytest.mark.parametrize("said", ["What is ferritin?", "Mia has asthma.", "no"])
    def test_other_message_leaves_it_unsure(self, member, said):
        first = ask(member, f"{TEXT}.")
        write(first)
        write(ask(member, said, conversation_id=first.conversation_id))
        assert fact().about.unsure
