# ruff: noqa: RUF001 - Russian letters are meant
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.wording.words import content_tokens, language_of, plain, stem, tokens
from tests.corpus import each_of


@pytest.mark.req("B-38")
def test_words_of_every_script_are_found():
    assert tokens("Źle śpię, 120/80 – Привет_мир don't") == [
        "źle", "śpię", "120", "80", "привет", "мир", "don", "t",
    ]  # fmt: skip


def test_words_that_say_nothing_are_left_out():
    assert content_tokens("What do I know about the ibuprofen? Ibuprofen!") == [
        "ibuprofen"
    ]
    assert content_tokens("Co ja wiem o ibuprofenie i czy to jest lek?") == [
        "wiem", "ibuprofenie", "lek",
    ]  # fmt: skip
    assert content_tokens("Что я знаю об ибупрофене?") == ["знаю", "ибупрофене"]


@each_of(
    ("text", "code"),
    [
        ("You should not take ibuprofen with **naproxen**.", "en"),
        ("Nie bierz ibuprofenu, bo jesteś na niego uczulona.", "pl"),
        ("Если боль не пройдёт, обратитесь к врачу.", "ru"),
        ("Ich würde das nicht mit Milch nehmen.", "de"),
        ("No debe tomar este medicamento con leche.", ""),
        ("Il ne faut pas prendre ce médicament avec du lait.", ""),
        ("Paracetamol, 500 mg", ""),
        ("ينصح الأطباء بالماء", ""),
        ("", ""),
    ],
)
def test_stop_words_show_the_language(text, code):
    assert language_of(text) == code


@pytest.mark.req("B-05")
@each_of(
    ("one", "other"),
    [
        ("ibuprofen", "ibuprofenu"),
        ("ibuprofen", "ibuprofenem"),
        ("allergy", "allergic"),
        ("painting", "paints"),
        ("diabetes", "diabetic"),
        ("walked", "walking"),
        ("babies", "babies"),
        ("Warszawie".lower(), "warszawy"),
    ],
)
def test_inflections_share_their_beginning(one, other):
    shorter, longer = sorted((stem(one), stem(other)), key=len)
    assert longer.startswith(shorter)


@each_of("word", ["bus", "yes", "is", "gas", "120", "b12s"])
def test_short_words_and_numbers_stay(word):
    assert stem(word) == word


@given(
    st.text("abcłżжя0", min_size=1), st.sampled_from(["", "ings", "ed", "owi", "ами"])
)
def test_a_stem_is_a_beginning_and_not_empty(start, suffix):
    word = start + suffix
    assert stem(word)
    assert word.startswith(stem(word))


@given(st.text(st.characters(max_codepoint=127)))
def test_plain_letters_are_the_same_beside_letters_with_marks(text):
    assert plain(f"{text} Łódź ﬁ") == f"{plain(text)} lodz fi"


def test_words_are_stemmed_in_many_threads_at_once():
    words = ["relational", "conditionally", "electricity", "triplicate", "недавно"]
    expected = list(map(stem, words))
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            found = list(threads.map(stem.__wrapped__, words * 500))
    finally:
        sys.setswitchinterval(interval)
    assert found == expected * 500
