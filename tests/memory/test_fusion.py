"""The arithmetic of profile `fused`, without a database."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.recall.fusion import (
    Row,
    Scale,
    blend,
    coverage,
    gain,
    keyword,
    relevant,
    scored,
)
from memory.recall.thresholds import Thresholds

NOW = 1_000_000
SCALE = Scale((1.0, 2.0, 3.0), 10)
LIMITS = Thresholds(gate=0.2, floor_cosine=0.3, floor_keyword=0.5, floor_alone=0.4)
cosines = st.floats(-1, 1)
words = st.integers(0, 7)
sizes = st.integers(0, 3000)


def row(number=1, cosine=0.5, words=0, size=10, spoken=False, at=NOW, **where):
    return Row(number, cosine, words, size, spoken, at, **where)


def order(rows, context=()):
    return [one.row.id for one in scored(rows, [*rows, *context], SCALE)]


def test_a_word_is_worth_one_in_a_typical_text_and_less_in_a_long_one():
    assert gain(10, 10) == pytest.approx(1)
    assert gain(1, 10) == 1.25
    assert gain(400, 10) < 0.1


@given(sizes, sizes, st.floats(1, 500))
def test_a_longer_text_never_makes_a_word_worth_more(one, other, typical):
    short, long = sorted((one, other))
    assert gain(short, typical) >= gain(long, typical)


def test_an_endless_answer_does_not_swamp_a_statement():
    statement = row(1, 0.5, words=0b110, size=8)
    answer = row(2, 0.5, words=0b111, size=600)
    assert order([statement, answer]) == [1, 2]


@given(words)
def test_coverage_is_a_share_of_the_weights(found):
    assert coverage(found, SCALE) == pytest.approx(
        sum(w for bit, w in enumerate((1, 2, 3)) if found >> bit & 1) / 6
    )


def test_a_query_without_words_has_no_keyword_signal():
    assert keyword(row(words=0), [], Scale((), 10)) == 0


@given(cosines, cosines, st.floats(0, 1.25), st.booleans(), sizes)
def test_more_meaning_never_scores_less(one, other, keyword, spoken, size):
    low, high = sorted((one, other))
    assert blend(row(cosine=low, spoken=spoken, size=size), keyword) <= blend(
        row(cosine=high, spoken=spoken, size=size), keyword
    )


@given(st.one_of(st.none(), cosines), words, words, sizes)
def test_more_words_never_score_less(cosine, some, others, size):
    few, more = (
        row(cosine=cosine, words=found, size=size) for found in (some, some | others)
    )
    assert blend(few, keyword(few, [], SCALE)) <= blend(more, keyword(more, [], SCALE))


@given(words, words, words, sizes)
def test_what_stands_next_to_a_row_never_lowers_it(own, before, after, size):
    one, previous, following = (
        row(n, words=w, size=size) for n, w in enumerate((own, before, after))
    )
    alone = keyword(one, [], SCALE)
    assert alone <= keyword(one, [(previous, 0.75), (following, 0.5)], SCALE)


@given(st.one_of(st.none(), cosines), st.floats(0, 1.25), sizes)
def test_being_said_by_whom_the_query_names_never_scores_less(cosine, keyword, size):
    one = row(cosine=cosine, size=size)
    assert blend(one, keyword) < blend(one._replace(spoken=True), keyword)


def test_a_row_without_vector_goes_by_its_words_in_full():
    assert blend(row(cosine=None, size=0), 0.5) == pytest.approx(0.5)
    assert blend(row(cosine=0.5, size=0), 0.5) == pytest.approx(0.5)


def test_a_question_explains_the_answer_behind_it():
    question = row(1, 0.2, words=0b111, session="a", place=4)
    answer = row(2, 0.2, words=0, session="a", place=5)
    elsewhere = row(3, 0.2, words=0, session="a", place=9)
    assert order([answer, elsewhere], [question]) == [2, 3]


def test_a_place_in_another_session_is_no_neighbour():
    question = row(1, 0.2, words=0b111, session="a", place=4)
    here = row(2, 0.2, session="b", place=5)
    (one,) = scored([here], [question], SCALE)
    assert one.coverage == 0


def test_a_good_session_lifts_its_rows():
    best, companion = row(1, 0.9, session="a"), row(2, 0.4, session="a")
    alone = row(3, 0.45, session="b")
    assert order([best, companion, alone]) == [1, 2, 3]
    assert order([companion, alone]) == [3, 2]


def test_rows_without_session_lift_nothing():
    (one,) = scored([row(1, 0.9, size=0)], [], SCALE)
    assert one.score == pytest.approx(0.54)


def test_of_equal_ones_the_newer_comes_first_then_as_they_came():
    rows = [row(1), row(2, at=NOW + 1), row(3)]
    assert order(rows) == [2, 1, 3]
    assert order(rows[::-1]) == [2, 3, 1]


def ranked(*rows):
    return scored(rows, [], SCALE)


@given(cosines, cosines, words, words)
def test_a_relevant_row_stays_relevant_with_more_of_either(c1, c2, some, others):
    (low,) = ranked(row(cosine=min(c1, c2), words=some))
    (high,) = ranked(row(cosine=max(c1, c2), words=some | others))
    if relevant(low, LIMITS):
        assert relevant(high, LIMITS)
