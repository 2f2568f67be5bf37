import hashlib
import unicodedata

import pytest
from hypothesis import given

from meddie.text import one_line
from memory.wording.guards import without_date
from memory.wording.same_fact import content_hash
from tests.corpus import each_of
from tests.drawn import unruly_texts


@pytest.mark.req("S0-27")
def test_trimmed_and_lowered_text_is_the_same_fact():
    assert content_hash("User is vegetarian") == content_hash(" user is Vegetarian ")


@pytest.mark.req("S0-27")
def test_the_hash_is_sha256_of_the_lowered_line():
    expected = hashlib.sha256(b"user is vegetarian").hexdigest()
    assert content_hash("User  is\nVegetarian") == expected


def test_composed_and_decomposed_letters_are_the_same_fact():
    composed = "Użytkownik śpi źle"
    assert content_hash(unicodedata.normalize("NFD", composed)) == content_hash(
        composed
    )


def test_different_words_are_different_facts():
    assert content_hash("User is vegan") != content_hash("User is vegetarian")


@each_of(
    ("text", "fact"),
    [
        ("User is vegan (stated 2026-08-01)", "User is vegan"),
        ("User is vegan (stated 2026-08-01).", "User is vegan"),
        ("User is vegan (stated 2099-01-01) (stated 2098-01-01)", "User is vegan"),
        ("User is vegan (stated 2099-01-01). (stated 2098-01-01).", "User is vegan"),
        ("(stated 2026-08-01)", ""),
        ("User (stated 2026-08-01) is vegan", "User (stated 2026-08-01) is vegan"),
        ("User was born (12 May 1980)", "User was born (12 May 1980)"),
        (None, None),
    ],
)
def test_dates_that_a_prompt_adds_are_cut_off(text, fact):
    assert without_date(text) == fact


@pytest.mark.req("B-18")
@each_of(
    ("text", "line"),
    [
        ("  two\n\tlines \r\n here ", "two lines here"),
        ("a\u2028b\x85c", "a b c"),
        ("nul\x00 bell\x07 escape\x1b[31m", "nul bell escape[31m"),
        ("zero\u200bwidth \ufeffmark", "zerowidth mark"),
        ("\u202eright to left\u202c", "right to left"),
        ("lone \ud800 surrogate", "lone \ufffd surrogate"),
        ("family \U0001f468\u200d\U0001f469\u200d\U0001f467", None),
        ("", ""),
    ],
)
def test_a_fact_is_one_visible_line(text, line):
    assert one_line(text) == (text if line is None else line)


@given(unruly_texts)
def test_normalising_twice_changes_nothing(text):
    assert one_line(one_line(text)) == one_line(text)


@given(unruly_texts)
def test_normalised_text_can_be_stored_and_is_one_line(text):
    line = one_line(text)
    line.encode()
    assert line == line.strip()
    assert not any(unicodedata.category(c) in {"Cc", "Zl", "Zp", "Cs"} for c in line)


@given(unruly_texts)
def test_a_line_has_the_hash_of_its_text(text):
    assert content_hash(one_line(text)) == content_hash(text)
