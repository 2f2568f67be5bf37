"""Quick questions depend on the person's notes."""

import pytest

from conversations.quick_questions import quick_questions
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
