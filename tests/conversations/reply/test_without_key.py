"""Turns that the offline stand-in answers, with the real prompts."""

import pytest

from conversations.new_conversation import Start
from meddie.ai import offline
from memory.models import Memory
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
            "Użytkownik mówi: „Mam alergię na orzechy”",
        ),
        (
            "Меня зовут Анна.",
            "Что ты обо мне знаешь?",
            "Пользователь говорит: «Меня зовут Анна»",
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


def test_conversation_without_memory_notes_nothing(member):
    answer = say(member, "I am allergic to nuts.", start=Start(remember=False))

    assert "I note nothing in this conversation." in answer
    assert not Memory.objects.exists()
