"""Quick questions depend on the person's notes."""

import pytest

from conversations.quick_questions import first_steps, question_after, quick_questions
from tests.factories import PersonFactory

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
    questions = quick_questions(PersonFactory.build(**notes))
    assert len(questions) == len(set(questions)) == 3
    assert third in questions[2]


def test_questions_are_suggested_without_a_person():
    assert len(quick_questions(None)) == 3


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
