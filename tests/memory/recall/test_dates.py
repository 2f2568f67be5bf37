"""The time that a message names, read as a span of days in the user's time zone."""

import json
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.recall.calibration import EVERYDAY
from memory.recall.dates import named_time
from memory.recall.query import terms

WARSAW = ZoneInfo("Europe/Warsaw")
NOW = datetime(2026, 11, 24, 19, tzinfo=WARSAW)  # a Tuesday
YESTERDAY = (date(2026, 11, 23), date(2026, 11, 24))
BEFORE_YESTERDAY = (date(2026, 11, 22), date(2026, 11, 23))
LAST_WEEK = (date(2026, 11, 16), date(2026, 11, 23))
TWO_WEEKS_AGO = (date(2026, 11, 9), date(2026, 11, 16))
LAST_MONTH = (date(2026, 10, 1), date(2026, 11, 1))
LAST_YEAR = (date(2025, 1, 1), date(2026, 1, 1))
SUMMER = (date(2026, 6, 1), date(2026, 9, 1))
SAID = {
    YESTERDAY: [
        "What did I eat yesterday?",
        "Co jadłam wczoraj?",
        "Was habe ich gestern gegessen?",
        "Что я ела вчера?",
    ],
    BEFORE_YESTERDAY: [
        "Where was I the day before yesterday?",
        "Gdzie byłam przedwczoraj?",
        "Wo war ich vorgestern?",
        "Где я была позавчера?",
    ],
    LAST_WEEK: [
        "What did we say last week?",
        "Did I mention it a week ago?",
        "Co mówiłam w zeszłym tygodniu?",
        "O czym rozmawialiśmy tydzień temu?",
        "Was habe ich letzte Woche gesagt?",
        "Was war in der letzten Woche?",
        "Wo war ich vor einer Woche?",
        "Что мы обсуждали на прошлой неделе?",
        "Где я была неделю назад?",
    ],
    TWO_WEEKS_AGO: [
        "What did I tell you two weeks ago?",
        "Co pisałam 2 tygodnie temu?",
        "Was war vor zwei Wochen?",
        "Что было две недели назад?",
    ],
    LAST_MONTH: [
        "How did I sleep last month?",
        "Jak spałam w zeszłym miesiącu?",
        "Wie habe ich im letzten Monat geschlafen?",
        "Как я спала в прошлом месяце?",
    ],
    LAST_YEAR: [
        "What did we plan last year?",
        "Co planowaliśmy w zeszłym roku?",
        "Was haben wir letztes Jahr geplant?",
        "Что мы планировали в прошлом году?",
    ],
    SUMMER: [
        "Where was I last summer?",
        "Gdzie byłam latem?",
        "Wo war ich im letzten Sommer?",
        "Где я была прошлым летом?",
    ],
    (date(2026, 3, 1), date(2026, 4, 1)): [
        "What did I take in March?",
        "Co brałam w marcu?",
        "Was habe ich im März genommen?",
        "Что я принимала в марте?",
    ],
    (date(2025, 12, 1), date(2026, 1, 1)): ["What did I take in December?"],
    (date(2024, 3, 1), date(2024, 4, 1)): ["Wann war das im März 2024?"],
    (date(2023, 3, 5), date(2023, 3, 6)): ["What happened on 5 March 2023?"],
    (date(2019, 1, 1), date(2020, 1, 1)): ["What did I do in 2019?"],
}


def days(text, now=NOW):
    named = named_time(text, now)
    return named and (named.span.since.date(), named.span.until.date())


@pytest.mark.req("S2-02")
@pytest.mark.parametrize(
    ("text", "span"), [(text, span) for span, texts in SAID.items() for text in texts]
)
def test_time_is_read_in_four_languages(text, span):
    assert days(text) == span


def test_a_day_is_that_of_the_users_time_zone():
    late = datetime(2026, 11, 24, 23, 30, tzinfo=ZoneInfo("UTC"))
    span = named_time("yesterday", late.astimezone(WARSAW)).span
    assert span.since == datetime(2026, 11, 24, tzinfo=WARSAW)
    assert span.until - span.since == timedelta(days=1)
    assert days("yesterday", late) == YESTERDAY


def test_words_of_the_time_are_terms_of_the_query():
    named = named_time("What did I say in May?", NOW)
    assert named.words == {"may"}
    assert [t.word for t in terms("What did I say in May?", named.words)] == ["may"]
    assert terms("What about last week?", {"last", "week"})[0].dated


@pytest.mark.parametrize(
    "text",
    [
        "May I take 2 tablets?",
        "I may go",
        "We march at 5",
        "It costs 2500",
        "room 12",
        "1850",
        "What should I eat today?",
        "Will it rain tomorrow?",
        "Mein Arzt wohnt hier",
        "That is out of the question",
        "Mam 30 lat i dwa koty",
        "Trzy dni w tygodniu biegam",
        "I swim two days a week",
        "Два раза в неделю я плаваю",
    ],
)
def test_other_sentences_name_no_time(text):
    assert named_time(text, NOW) is None


NAMING = {"march", "week", "summer", "august", "2018"}


def test_everyday_questions_name_a_time_only_where_they_do():
    """Five of a hundred have a month, season, year or this week in them."""
    everyday = json.loads(EVERYDAY.read_text())
    asked = [*everyday["questions"], *everyday["unrelated"]]
    for language in ("en", "pl", "ru"):
        named = [one for one in asked if named_time(one[language], NOW)]
        english = [named_time(one["en"], NOW) for one in named]
        assert len(named) in {4, 5}
        assert {word for one in english for word in one.words} <= NAMING


@given(st.integers(0, 99), st.sampled_from(["days", "weeks", "months", "years"]))
def test_a_span_is_in_the_past_and_whole(count, unit):
    named = named_time(f"what did I say {count} {unit} ago", NOW)
    assert named.span.since <= NOW
    assert named.span.since < named.span.until
    assert named.span.since.time() == named.span.until.time() == datetime.min.time()


@given(st.text(max_size=200))
def test_any_text_is_read(text):
    named = named_time(text, NOW)
    assert named is None or named.span.since < named.span.until


@pytest.mark.parametrize(
    ("number", "names"),
    list(
        enumerate(
            [
                "january styczeń stycznia январь", "february luty lutego февраля",
                "marcu марте", "april kwiecień kwietnia апрель", "maj maja май",
                "june czerwca июня", "july lipca июль", "august sierpnia август",
                "sept september września сентября", "october października октябрь",
                "november listopada ноябрь", "december grudnia декабря",
            ],
            1,
        )
    ),
)  # fmt: skip
def test_months_in_three_languages(number, names):
    for name in names.split():
        first, after = days(name)
        assert (first.month, first.day, after.day) == (number, 1, 1)
        assert first <= NOW.date()
