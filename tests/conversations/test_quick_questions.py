"""Quick questions depend on the person's notes."""

import pytest

from conversations.web.chat_page import (
    first_steps,
    quick_questions,
    statements,
    step_after,
)
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


def test_without_a_model_only_what_memory_answers_is_suggested():
    user, helena = UserFactory.build(), PersonFactory.build(name="Helena")
    own = quick_questions(None, user, connected=False)
    others = quick_questions(helena, user, connected=False)
    assert own[0] == "Which medicines do I take?"
    assert others[0] == "Which medicines does Helena take?"
    assert all("Helena" in question for question in others)


def test_statements_are_filled_in_and_not_sent():
    dose, diabetes = first_steps([])
    assert {dose, diabetes} <= set(statements())
    assert step_after(dose) not in statements()


def test_first_steps_tell_then_ask_and_then_correct():
    dose, diabetes = first_steps([])
    assert dose == "I take 20 mg of atorvastatin"
    question = step_after(dose)
    assert first_steps([dose]) == [question, diabetes]
    correction = step_after(question)
    assert first_steps([dose, question]) == [correction, diabetes]
    assert first_steps([dose, question, correction]) == [diabetes]
    assert step_after(correction) == step_after("Hello") == ""
