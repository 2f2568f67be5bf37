"""Old texts lose the sentences that state a retired fact, or repeat a known one."""

from datetime import timedelta

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from memory.wording.retelling import StatementIndex, without_known, without_retired

NOW = timezone.now()
TOWNS = ["Kielce", "Sopot", "Lublin", "Opole", "Radom", "Poznań", "Gdynia", "Olsztyn"]
FACTS = [
    *(f"User lives in {town}" for town in TOWNS),
    *(f"User's sister works in {town}" for town in TOWNS),
    *(f"User never liked {town}" for town in TOWNS),
]
SENTENCES = [
    *(f"I live in {town}, by the way." for town in TOWNS),
    *(f"My sister works in {town}." for town in TOWNS),
    *(f"{town} is rainy." for town in TOWNS),
    "What should I cook?",
]


def index(*facts, until=NOW):
    return StatementIndex(dict.fromkeys(facts, until))


@given(
    st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=4),
    st.lists(st.sampled_from(FACTS), min_size=1, max_size=6, unique=True),
)
def test_many_facts_remove_what_each_removes(sentences, facts):
    text = " ".join(sentences)
    one_by_one = text
    for fact in facts:
        one_by_one = without_retired(one_by_one, index(fact))
    assert without_retired(text, index(*facts)) == one_by_one


@pytest.mark.parametrize(("town", "rest"), [("Kielce", "Is soup good?"), ("Sopot", "")])
def test_only_sentences_that_state_it_are_left_out(town, rest):
    text = f"I live in {town}. Is soup good?"
    kept = without_retired(text, index("User lives in Kielce"))
    assert kept == (rest or text)


def test_statements_after_the_fact_was_retired_are_kept():
    facts = index("User lives in Kielce")
    text = "I live in Kielce."
    assert without_retired(text, facts, NOW - timedelta(hours=1)) == ""
    assert without_retired(text, facts, NOW + timedelta(hours=1)) == text


def test_sentences_that_say_more_than_a_known_fact_are_kept():
    facts = index("User lives in Kielce near the market", until=None)
    assert without_known("I live in Kielce. Soup?", facts) == "Soup?"
    assert without_known("I live in Kielce near the park.", facts)


@pytest.mark.parametrize(
    ("sentence", "known"),
    [
        ("I am allergic to ibuprofen, my mother has diabetes.", True),
        ("I am allergic to ibuprofen and my mother has gout.", False),
        ("I am not allergic to ibuprofen and my mother has diabetes.", False),
        ("I am allergic to ibuprofen, but I took it in Oslo.", False),
    ],
)
def test_a_sentence_goes_if_each_of_its_parts_is_a_known_fact(sentence, known):
    facts = index(
        "User is allergic to ibuprofen", "User's mother has diabetes", until=None
    )
    assert without_known(sentence, facts) == ("" if known else sentence)
