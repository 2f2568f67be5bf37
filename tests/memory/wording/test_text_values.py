"""A fact may write the values of its message in another form, and no other values."""

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.reasons import Reason
from memory.wording.evidence import Quote, refusal_of
from memory.wording.reading import reading_of
from memory.wording.same_fact import differ
from memory.wording.same_values import has_other_values
from memory.wording.text_values import values_of
from tests.corpus import each_of

ROWS = Path(__file__).with_name("text_values.txt")
APART = "# kept apart"
STATED_AT = datetime(2026, 11, 27, 10, tzinfo=ZoneInfo("Europe/Warsaw"))


def read_rows():
    """Messages and facts, whether both have the same values, and whether seen."""
    seen = True
    for line in ROWS.read_text().splitlines():
        seen = seen and line != APART
        if not line.startswith("#"):
            _, message, fact, same = line.split("|")
            yield message, fact, same == "same", seen


def refused(message, fact):
    return refusal_of(fact, message, Quote(message), stated_at=STATED_AT)


@pytest.mark.req("S3-39")
@pytest.mark.parametrize(("seen", "missed"), [(True, 1), (False, 2)])
def test_same_values_are_kept_in_another_form(seen, missed):
    """Two that are missed share no word with their message; Turkish "üç" is too short."""
    true = [(m, f) for m, f, same, known in read_rows() if same and known == seen]
    assert len(true) >= 40
    lost = [pair for pair in true if refused(*pair)]
    assert len(lost) <= missed, lost


@pytest.mark.req("S3-39")
def test_other_values_are_refused():
    false = [(m, f) for m, f, same, _ in read_rows() if not same]
    assert len(false) >= 60
    assert [pair for pair in false if refused(*pair) != Reason.OTHER_NUMBER] == []


@pytest.mark.parametrize(
    ("day", "kept"),
    [("2026-11-28", False), ("2026-11-29", True), ("2026-11-30", False)],
)
def test_tomorrow_is_of_the_users_day(day, kept):
    at = datetime(2026, 11, 28, 0, 30, tzinfo=ZoneInfo("Pacific/Auckland"))
    message = "My operation is tomorrow."
    fact = f"User has an operation on {day}"
    assert bool(refusal_of(fact, message, Quote(message), stated_at=at)) != kept


def test_day_without_any_word_for_it_is_refused():
    assert refused("I bought a walker", "User bought a walker on 27 November 2026")


@each_of(
    ("one", "other"),
    [
        ("User takes 1000 mg of metformin", "User takes 1 g of metformin"),
        ("User was born on 3 February 1971", "User was born on 1971-02-03"),
        ("User has a visit at 3 pm", "User has a visit at 15:00"),
    ],
)
def test_one_detail_in_two_forms_does_not_differ(one, other):
    assert reading_of(one).details == reading_of(other).details


def test_tenth_of_a_dose_is_another_detail():
    assert differ(
        reading_of("User takes 0.5 mg of lorazepam"),
        reading_of("User takes 5 mg of lorazepam"),
    )


@given(
    st.text(max_size=200)
    | st.text(alphabet="0123456789./:-, apmh月点半三", max_size=20)
)
def test_any_text_has_values(text):
    assert isinstance(values_of(text), tuple)
    assert not has_other_values(text, text, STATED_AT.date())
