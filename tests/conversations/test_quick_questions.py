"""Quick questions depend on the person's notes."""

import pytest

from conversations.web.chat_page import first_steps, question_after, quick_questions
from tests.factories import PersonFactory, UserFactory

pytestmark = pytest.mark.req("B-14")


@pytest.mark.parametrize(
    ("notes", "third"),
    [
        ({}, "pay attention"),
        ({"health_notes": "Asthma"}, "health history"),
        ({"medications": "A"}, "pay attention"),
        ({"medications": "A", "supplements": "B", "health_notes": "C"}, "interactions"),
    ],
)
def test_the_third_question_follows_the_notes(notes, third):
    user = UserFactory.build()
    own = quick_questions(PersonFactory.build(user=user, **notes), user)
    others = quick_questions(PersonFactory.build(name="Helena", **notes), user)
    assert len({*own, *others}) == 6
    assert third in own[2]
    assert third in others[2]


def test_other_people_are_named():
    helena = PersonFactory.build(name="Helena 100%", supplements="A", medications="B")
    assert quick_questions(helena, UserFactory.build()) == [
        "How is Helena 100% doing overall?",
        "What should Helena 100% watch out for?",
        "Any interactions between Helena 100%'s supplements and medications?",
    ]


def test_questions_are_suggested_without_a_person():
    assert len(quick_questions(None, UserFactory.build())) == 3


def test_first_steps_tell_and_then_ask():
    tells = first_steps([])
    assert tells == [
        "I'm allergic to ibuprofen",
        "My mother has type 2 diabetes",
        "I no longer eat meat",
    ]
    assert first_steps(tells[:1])[0] == "May I take Nurofen?"
    assert first_steps([tells[0], "May I take Nurofen?"]) == tells[1:]
    assert question_after(tells[0]) == "May I take Nurofen?"
    assert question_after("Hello") == ""
