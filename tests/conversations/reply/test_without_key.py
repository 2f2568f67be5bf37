"""Turns that the offline stand-in answers, with the real prompts."""

import pytest

from conversations.new_conversation import Start
from meddie.ai import offline
from memory.models import Memory, ProfileFact
from tests.conversations.turns import ask, write
from tests.factories import MembershipFactory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def member(monkeypatch):
    monkeypatch.setattr(offline, "PACE", 0)
    return MembershipFactory()


def say(member, text, **options):
    return write(ask(member, text, **options)).content


@pytest.mark.req("B-07")
@pytest.mark.parametrize(
    ("statement", "question", "fact"),
    [
        (
            "I am allergic to ibuprofen.",
            "What do you know about me?",
            "You are allergic to ibuprofen",
        ),
        (
            "Mam alergię na orzechy.",
            "Co o mnie wiesz?",
            "„Mam alergię na orzechy”",
        ),
        (
            "У меня аллергия на орехи.",
            "Что ты обо мне знаешь?",
            "«У меня аллергия на орехи»",
        ),
    ],
    ids=["English", "Polish", "Russian"],
)
def test_a_statement_is_listed_in_the_next_conversation_until_it_is_forgotten(
    member, statement, question, fact
):
    say(member, statement)
    assert f"- {fact}\n" in say(member, question)

    asked = ask(member, "Forget everything.")
    write(asked)
    assert Memory.objects.filter(active=True).exists()
    say(member, "Yes", conversation_id=asked.conversation_id)

    assert not Memory.objects.filter(active=True).exists()
    assert fact not in say(member, question)


@pytest.mark.req("S4-17")
@pytest.mark.parametrize(
    ("statement", "line", "shown", "wish"),
    [
        ("My name is Alex.", "name: Alex", "Name: Alex", "Forget my name."),
        ("Nazywam się Luk.", "name: Luk", "Name: Luk", "Zapomnij, że nazywam się Luk."),
        (
            "Меня зовут Анна.",
            "name: Анна",
            "Name: Анна",
            "Забудь, что меня зовут Анна.",
        ),
        (
            "I prefer short answers.",
            "answer_style: short answers",
            "Answer style: short answers",
            "Forget short answers.",
        ),
    ],
)
def test_profile_fact_is_told_until_it_is_forgotten(
    member, statement, line, shown, wish
):
    say(member, statement)
    [fact] = ProfileFact.objects.active()
    assert fact.content == line
    told = say(member, "What do you know about me?").replace("\\", "")
    assert f"- {shown}\n" in told
    say(member, wish)
    assert not ProfileFact.objects.active().exists()


def test_overview_counts_and_names_all_in_the_language_of_the_question(member):
    say(member, "Mam na imię Anna. Mam alergię na penicylinę i mieszkam w Krakowie.")
    told = say(member, "Co o mnie wiesz?")
    for line in (
        "- Imię: Anna",
        "- „Mam alergię na penicylinę”",
        "- „mieszkam w Krakowie”",
        "Razem faktów: 3",
    ):
        assert line in told.splitlines()


def test_conversation_without_memory_notes_nothing(member):
    answer = say(member, "I am allergic to nuts.", start=Start(remember=False))

    assert "I keep nothing from this conversation." in answer
    assert not Memory.objects.exists()
