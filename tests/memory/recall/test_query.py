# ruff: noqa: RUF001 - Russian letters are meant
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.recall.dates import DatePart, date_parts
from memory.recall.query import (
    TERMS_CONSIDERED,
    TEXT_LIMIT,
    beginning_and_end,
    is_overview,
    matching,
    terms,
)
from memory.words import tokens


@pytest.mark.parametrize(
    "text",
    [
        "What do you know about me?",
        "what do you know about me",
        "What do you remember?",
        "What do you remember about me so far?",
        "What have you learned about me?",
        "What else do you know about me?",
        "So, what did you remember about me?",
        "Tell me everything you know about me.",
        "Show me what you remember",
        "List everything you know about me",
        "Who am I?",
        "What do you have on me?",
        "Co o mnie wiesz?",
        "co wiesz o mnie",
        "Co o mnie pamiętasz?",
        "Co już o mnie wiesz?",
        "Powiedz mi wszystko, co o mnie wiesz.",
        "Что ты знаешь обо мне?",
        "что ты обо мне знаешь",
        "Что ты помнишь?",
        "Расскажи всё, что ты знаешь обо мне",
        "I had surgery. What do you know about me?",
        "Hello! So, what do you remember?",
        "Kim jestem?",
        "Кто я?",
        "What do you know about me, please?",
        "What do you know about me? Be brief.",
        "Tell me all that you remember, one by one",
        "Powiedz mi wszystko, co o mnie pamiętasz, po kolei",
        "Расскажи всё, что ты обо мне помнишь, по порядку",
        "What do you know about me and my family?",
        "Tell me about myself",
        "What did I tell you?",
        "Do you know anything about me?",
        "What information do you have about me?",
        "What do you know about me? I forgot.",
        "I forgot to write. What do you know about me?",
        "Jakie masz o mnie informacje?",
        "Jakie informacje masz o mnie? Zapomniałam.",
        "Какая у тебя информация обо мне?",
        "Что тебе известно обо мне?",
        "Что тебе обо мне известно? Я забыла.",
    ],
)
def test_overview_questions_are_recognised(text):
    assert is_overview(text)


@pytest.mark.parametrize(
    "text",
    [
        "What do you know about ibuprofen?",
        "What do you know about diabetes and me?",
        "What should you know before you recommend a painkiller?",
        "Do you remember my mother?",
        "What do you remember about my knee surgery?",
        "Tell me about yourself",
        "Ibuprofen and warfarin: what do you know?",
        "I had surgery. What do you know?",
        "Ibuprofen: tell me everything you know",
        "Forget everything",
        "Zapomnij wszystko",
        "Забудь всё",
        "Delete all my memories",
        "Please forget everything you know about me.",
        "Usuń wszystko, co o mnie wiesz.",
        "Забудь всё, что ты обо мне знаешь",
        "Forget everything about ibuprofen",
        "Hello. Forget what you know about me.",
        "Какая у тебя информация об ибупрофене?",
        "Что тебе известно об ибупрофене?",
        "Jakie masz informacje o ibuprofenie?",
        "Zapomnij o wszystkim, co mówiłam o ibuprofenie",
        "Co wiesz o ibuprofenie?",
        "Что ты знаешь об ибупрофене?",
        "hello",
        "",
        "Who are you?",
        "What can you tell me?",
        "What did I tell you about ibuprofen?",
        "Do you know anything about ibuprofen?",
        "Delete all my appointments",
    ],
)
def test_questions_about_one_thing_are_no_overview(text):
    assert not is_overview(text)


def words(text):
    return [term.word for term in terms(text)]


@pytest.mark.req("B-05")
def test_terms_are_the_content_words_once_each():
    assert words("What about my Ibuprofen, and ibuprofen again?") == ["ibuprofen"]
    assert words("How are you?") == []
    assert words("Czy mogę brać ibuprofenu?") == ["mogę", "brać", "ibuprofenu"]


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


@pytest.mark.parametrize(
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


def parts(text):
    return date_parts(text, tokens(text))


def test_dates_in_a_message_are_recognised():
    assert parts("What happened on 5 March 2023, or in June?") == {
        "5": DatePart("day", 5),
        "march": DatePart("month", 3),
        "2023": DatePart("year", 2023),
        "june": DatePart("month", 6),
    }
    assert parts("Co mówiłam w styczniu?") == {"styczniu": DatePart("month", 1)}
    assert parts("Что было в мае?") == {"мае": DatePart("month", 5)}


@pytest.mark.parametrize(
    "text",
    [
        "May I take 2 tablets?",
        "I may go",
        "We march at 5",
        "It costs 2500",
        "room 12",
        "1850",
    ],
)
def test_other_words_and_numbers_are_no_dates(text):
    assert parts(text) == {}


def test_may_inside_a_sentence_is_a_month():
    assert parts("What did I say in May?") == {"may": DatePart("month", 5)}
    assert "may" in words("What did I say in May?")


@pytest.mark.parametrize(
    ("number", "names"),
    list(
        enumerate(
            [
                "january styczeń stycznia январь", "february luty lutego февраля",
                "sept", "april kwiecień kwietnia апрель", "maj maja май", "june czerwca июня",
                "july lipca июль", "august sierpnia август", "september września сентября",
                "october października октябрь", "november listopada ноябрь",
                "december grudnia декабря",
            ],
            1,
        )
    ),
)  # fmt: skip
def test_months_in_three_languages(number, names):
    expected = {1: 1, 2: 2, 3: 9}.get(number, number)
    for name in names.split():
        assert parts(name) == {name: DatePart("month", expected)}
