import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.recall.query import (
    TERMS_CONSIDERED,
    TEXT_LIMIT,
    Query,
    beginning_and_end,
    excerpt,
    is_overview,
    matching,
    terms,
)
from tests.corpus import each_of


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("I had surgery. What do you know about me?", True),
        ("Please forget everything you know about me.", False),
        ("What do you know about ibuprofen?", False),
        ("", False),
    ],
)
def test_overview_question_may_be_one_of_several_sentences(text, asks):
    assert is_overview(text) is asks


def words(text):
    return [term.word for term in terms(text)]


@pytest.mark.req("B-05")
def test_terms_are_the_content_words_once_each():
    assert words("What about my Ibuprofen, and ibuprofen again?") == ["ibuprofen"]
    assert words("How are you?") == []
    assert words("Czy mogę brać ibuprofenu?") == ["moge", "brac", "ibuprofenu"]


def test_beginning_and_end_of_a_long_message_are_read():
    assert beginning_and_end("Is tea good? " + "word " * 4000).startswith(
        "Is tea good? word"
    )
    assert beginning_and_end("word " * 4000 + "Is tea good?").endswith(
        "word Is tea good?"
    )
    assert len(beginning_and_end("x" * 20_000)) == TEXT_LIMIT + 1
    assert beginning_and_end("x" * TEXT_LIMIT) == "x" * TEXT_LIMIT


def test_only_the_longest_of_many_words_are_considered():
    text = " ".join(f"w{'x' * n}" for n in range(2, 60))
    assert len(terms(text)) == TERMS_CONSIDERED
    assert terms(text)[-1].word == f"w{'x' * 59}"


@each_of(
    ("word", "tsquery"),
    [
        ("ibuprofenu", "'ibuprofen':*"),
        ("allergy", "'allerg':*"),
        ("dogs", "('dogs' | 'dog' | 'doge' | 'doges')"),
        ("cat", "('cat' | 'cats' | 'cate' | 'cates')"),
        ("120", "'120'"),
        ("b12", "'b12'"),
    ],
)
def test_long_words_are_found_by_their_beginning(word, tsquery):
    assert matching(word) == tsquery


@given(st.text(st.sampled_from("'\\:*&|!() ab1ż") | st.characters(), max_size=300))
def test_any_message_makes_safe_terms(text):
    for term in terms(text):
        assert "\\" not in term.tsquery
        inner = term.tsquery.strip("()")
        assert all(part.strip(":*").strip("'").isalnum() for part in inner.split(" | "))


def test_excerpt_is_around_the_sentences_with_most_words_of_the_query():
    walks = [f"On day {n} we walked to the sea." for n in range(60)]
    walks[40] = "The surgeon in Gdynia is called Petronela."
    asked = Query("surgeon", terms("What is the surgeon in Gdynia called?"))
    found = excerpt(" ".join(walks), asked, 300)
    assert walks[40] in found
    assert walks[39] in found
    assert walks[41] in found
    assert len(found) <= 304
    assert excerpt(" ".join(walks), Query(), 300).startswith(walks[0])
    assert excerpt(walks[40], asked, 300) == walks[40]


def test_excerpt_of_a_text_without_sentences_has_its_words():
    rows = ", ".join(f"tea {n}" for n in range(500))
    assert "tea 347" in excerpt(rows, Query("347", terms("Which is 347?")), 200)
