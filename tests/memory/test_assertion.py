"""A fact that a fooled extractor reads into a message is not stored."""

import pytest

from memory.capture.assertion import refusal_of
from tests.memory.asserted import FOOLED, HONEST, NEW_FOOLED, NEW_HONEST
from tests.memory.stated import DENIED, INVENTED, NOT_DENIED, TRUE, rows
from tests.memory.told import NOT_TOLD, TOLD

PARAPHRASED = {
    "User avoids gluten on medical advice",
    "User has two children",
    "Użytkownik ma psa o imieniu Burek",
    "Użytkownik nie śpi po nocach",
    "Пользователь не ест молочные продукты",
    "Nutzer raucht seit 2019 nicht mehr",
    "Nutzer schwimmt gern",
}
"""Facts that need evidence, because the message puts them in other words."""
MISSED = {"Użytkownik jest milionerem"}
"""Facts that the guard does not recognise as not stated."""


@pytest.mark.req("S3-34", "S3-39", "S2-39")
@pytest.mark.parametrize(
    ("message", "fact"),
    [*rows(TRUE), *rows(NOT_DENIED), *rows(HONEST), *rows(NEW_HONEST), *rows(TOLD)],
)
def test_stated_fact_is_accepted(message, fact):
    assert bool(refusal_of(fact, message)) == (fact in PARAPHRASED)
    assert not refusal_of(fact, message, evidence=message)


@pytest.mark.req("S3-34", "S3-39", "S2-39")
@pytest.mark.parametrize(
    ("message", "fact"),
    [*rows(INVENTED), *rows(DENIED), *rows(FOOLED), *rows(NEW_FOOLED), *rows(NOT_TOLD)],
)
def test_fact_that_is_not_stated_is_refused(message, fact):
    assert bool(refusal_of(fact, message, evidence=message)) == (fact not in MISSED)


@pytest.mark.req("S3-38")
def test_letters_of_the_message_are_enough():
    assert not refusal_of("I like figs", "yes, I LIKE figs!")


@pytest.mark.req("S3-39")
@pytest.mark.parametrize(
    ("message", "fact"),
    [
        ("Does it matter that I take warfarin?", "User takes aspirin"),
        ("Biorę metforminę", "Użytkownik bierze insulinę"),
        ("Мне нельзя грейпфрут", "Пользователю нельзя апельсин"),
        ("Ich nehme Marcumar", "Nutzer nimmt Aspirin"),
    ],
)
def test_fact_with_another_last_word_is_refused(message, fact):
    assert refusal_of(fact, message) == "ungrounded"


def test_context_names_what_the_message_is_about():
    fact, message = "User takes 10 mg of ramipril daily", "I'm on 10 mg now"
    assert refusal_of(fact, message) == "ungrounded"
    assert not refusal_of(fact, message, earlier="I take 5 mg of ramipril")
