import re

import pytest

from memory import languages


def public_names(module):
    return {name for name in vars(module) if re.fullmatch(r"[A-Z][A-Z_]+", name)}


@pytest.mark.parametrize("language", languages.LANGUAGES)
def test_every_language_has_the_same_lists(language):
    assert public_names(language) == public_names(languages.LANGUAGES[0])


@pytest.mark.parametrize(
    ("text", "month", "weekday"),
    [
        ("monday in january", 0, 0),
        ("poniedziałek w styczniu", 0, 0),
        ("понедельник в январе", 0, 0),
        ("sundays in december", 11, 6),
        ("niedziela w grudniu", 11, 6),
        ("воскресенье в декабре", 11, 6),
    ],
)
def test_months_and_weekdays_have_one_order_in_all_languages(text, month, weekday):
    first, _, last = text.split()
    assert [n for n, p in enumerate(languages.WEEKDAYS) if p.fullmatch(first)] == [
        weekday
    ]
    assert [n for n, p in enumerate(languages.MONTHS) if p.fullmatch(last)] == [month]


def test_words_with_yo_are_also_listed_without():
    assert {"ещё", "еще"} <= languages.STOP_WORDS
