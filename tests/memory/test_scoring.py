"""The arithmetic of the profiles that blend two signals, without a database."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.recall.profiles import CHAT, CHAT_LITERAL, PROFILES
from memory.recall.scoring import blend, relevant
from memory.recall.search import Found, ranked
from memory.recall.silence import Background
from memory.recall.thresholds import DOCUMENT, THRESHOLDS, Thresholds, thresholds
from tests.memory.measured import measured

NOW = datetime(2026, 5, 1, tzinfo=UTC)
LIMITS = Thresholds(gate=0.2, floor_cosine=0.3, floor_keyword=0.5, floor_alone=0.4)
share = st.floats(0, 1)
cosine = st.floats(-1, 1)


def score(cosine, keyword, best, profile=CHAT):
    """That of a row, while another one has the best keyword signal."""
    both = np.array([cosine, 0], np.float64), np.array([keyword, best], np.float64)
    return float(blend(*both, profile)[0])


def kept(score, cosine, keyword=0.0, profile=CHAT, limits=LIMITS):
    one = (np.array([value], np.float64) for value in (score, cosine, keyword))
    return bool(relevant(*one, profile, limits)[0])


def found(*rows):
    """What a search finds, of the number, cosine, keyword signal and date of each row."""
    numbers, cosines, keywords, dates = zip(*rows, strict=True)
    stated = [int(date.timestamp()) for date in dates]
    here = measured(cosines, ids=numbers, stated_at=stated)
    background = Background(len(rows), 0.0, unheard=False)
    return Found(here, np.array(keywords), np.arange(len(rows)), background)


def order(*rows, limits=LIMITS, limit=9):
    """The numbers of the rows, as they come."""
    here = found(*rows)
    places = [place for place, _ in ranked(here, CHAT, limits, limit)]
    return [here.measured.key(place).int for place in places]


@pytest.mark.req("S0-20", "S0-21", "S0-22")
def test_the_score_is_seven_parts_meaning_and_three_parts_words():
    expected = 0.7 * 0.6 + 0.3 * 0.5
    assert score(0.6, 0.02, 0.04, CHAT_LITERAL) == pytest.approx(expected)
    assert score(0.6, 0.04, 0.04) == pytest.approx(0.7 * 0.6 + 0.3)
    assert score(0.6, 0.0, 0.04) == pytest.approx(0.42)


@pytest.mark.req("S0-21")
def test_without_any_word_found_only_meaning_counts():
    assert score(0.6, 0.0, 0.0) == pytest.approx(0.42)


def test_a_row_without_vector_goes_by_its_words_with_full_weight():
    assert score(None, 0.02, 0.04) == pytest.approx(0.5)
    assert score(None, 0.0, 0.0) == 0.0


@given(cosine, cosine, share, st.floats(0.01, 1))
def test_more_meaning_never_scores_less(one, other, keyword, best):
    low, high = sorted((one, other))
    assert score(low, keyword, best) <= score(high, keyword, best)


@given(st.one_of(st.none(), cosine), share, share)
def test_more_words_never_score_less(cosine, one, other):
    low, high = sorted((one, other))
    assert score(cosine, low, 1) <= score(cosine, high, 1)


@given(cosine, cosine, share, share, share)
def test_a_relevant_row_stays_relevant_with_more_of_either(c1, c2, k1, k2, score):
    low_c, high_c = sorted((c1, c2))
    low_k, high_k = sorted((k1, k2))
    if kept(score, low_c, low_k):
        assert kept(score, high_c, high_k)


@pytest.mark.req("S0-23")
def test_to_the_letter_a_score_of_035_is_kept_and_less_is_not():
    for limits in (LIMITS, THRESHOLDS["mistral-embed"]):
        assert kept(0.35, 0.1, profile=CHAT_LITERAL, limits=limits)
        assert not kept(0.3499, 0.9, 1.0, profile=CHAT_LITERAL, limits=limits)


@pytest.mark.parametrize(
    ("cosine", "keyword", "expected"),
    [
        (0.3, 0.0, True),
        (0.2999, 0.0, False),
        (0.0, 0.5, True),
        (0.0, 0.4999, False),
        (0.2999, 0.4999, False),
        (None, 0.4, True),
        (None, 0.3999, False),
    ],
)
def test_one_raw_signal_must_reach_its_floor(cosine, keyword, expected):
    assert kept(1.0, cosine, keyword) is expected


def test_the_gate_holds_behind_the_floor():
    assert kept(0.2, 0.3)
    assert not kept(0.1999, 0.3)


@pytest.mark.req("S0-23")
def test_the_best_comes_first_and_no_more_than_asked_for():
    rows = [(1, 0.3, 0, NOW), (2, 0.9, 0, NOW), (3, 0.5, 0, NOW)]
    assert order(*rows) == [2, 3, 1]
    assert order(*rows, limit=2) == [2, 3]


@given(st.permutations(range(40)), st.integers(0, 45))
def test_the_few_best_are_the_beginning_of_all(numbers, few):
    rows = [(n, 0.3 + n % 7 / 10, n % 3 / 3, NOW) for n in numbers]
    assert order(*rows, limit=few) == order(*rows, limit=99)[:few]


def test_of_equal_ones_the_newer_comes_first_then_the_lower_key():
    rows = [(3, 0.5, 0, NOW), (2, 0.5, 0, NOW + timedelta(days=1)), (1, 0.5, 0, NOW)]
    for some in (rows, rows[::-1]):
        assert order(*some) == [2, 1, 3]
        assert order(*some, limit=2) == [2, 1]


def test_without_limits_every_row_is_ranked():
    rows = [(1, -0.5, 0, NOW), (2, 0.1, 0, NOW)]
    assert order(*rows, limits=None) == [2, 1]
    assert order(*rows) == []


@pytest.mark.req("S0-20", "S0-23", "S0-28")
def test_the_documents_numbers_are_those_of_the_documents_model():
    assert DOCUMENT is thresholds("text-embedding-3-small")
    assert (DOCUMENT.gate, DOCUMENT.duplicate) == (0.35, 0.92)
    assert (CHAT_LITERAL.gate, CHAT_LITERAL.limit, CHAT.limit) == (0.35, 6, 6)
    assert CHAT.gate is None
    assert set(PROFILES) == {"chat", "chat_literal", "fused"}


def test_an_unknown_model_goes_by_the_documents():
    assert thresholds("nobody-knows") is DOCUMENT


def test_minilm_has_thresholds_of_its_own():
    assert thresholds("all-MiniLM-L6-v2") != DOCUMENT
