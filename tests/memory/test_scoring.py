"""The arithmetic of recall, without a database."""

import uuid
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.recall.profiles import CHAT, CHAT_LITERAL, PROFILES
from memory.recall.scoring import Signals, blend, ranked, relevant
from memory.recall.thresholds import DOCUMENT, THRESHOLDS, Thresholds, thresholds

NOW = datetime(2026, 5, 1, tzinfo=UTC)
LIMITS = Thresholds(gate=0.2, floor_cosine=0.3, floor_keyword=0.5, floor_alone=0.4)
share = st.floats(0, 1)
cosine = st.floats(-1, 1)


def signals(cosine=0.5, keyword=0.0, at=NOW, number=1, text="User is vegan"):
    return Signals(uuid.UUID(int=number), text, at, cosine, keyword)


@pytest.mark.req("S0-20", "S0-21", "S0-22")
def test_the_score_is_seven_parts_meaning_and_three_parts_words():
    assert blend(0.6, 0.02, 0.04, CHAT_LITERAL) == pytest.approx(0.7 * 0.6 + 0.3 * 0.5)
    assert blend(0.6, 0.04, 0.04, CHAT) == pytest.approx(0.7 * 0.6 + 0.3)
    assert blend(0.6, 0.0, 0.04, CHAT) == pytest.approx(0.42)


@pytest.mark.req("S0-21")
def test_without_any_word_found_only_meaning_counts():
    assert blend(0.6, 0.0, 0.0, CHAT) == pytest.approx(0.42)


def test_a_row_without_vector_goes_by_its_words_with_full_weight():
    assert blend(None, 0.02, 0.04, CHAT) == pytest.approx(0.5)
    assert blend(None, 0.0, 0.0, CHAT) == 0.0


@given(cosine, cosine, share, st.floats(0.01, 1))
def test_more_meaning_never_scores_less(one, other, keyword, best):
    low, high = sorted((one, other))
    assert blend(low, keyword, best, CHAT) <= blend(high, keyword, best, CHAT)


@given(st.one_of(st.none(), cosine), share, share, st.floats(0.01, 1))
def test_more_words_never_score_less(cosine, one, other, best):
    low, high = sorted((one, other))
    assert blend(cosine, low, best, CHAT) <= blend(cosine, high, best, CHAT)


@given(cosine, cosine, share, share, share)
def test_a_relevant_row_stays_relevant_with_more_of_either(c1, c2, k1, k2, score):
    low_c, high_c = sorted((c1, c2))
    low_k, high_k = sorted((k1, k2))
    if relevant(score, signals(low_c, low_k), CHAT, LIMITS):
        assert relevant(score, signals(high_c, high_k), CHAT, LIMITS)


@pytest.mark.req("S0-23")
def test_to_the_letter_a_score_of_035_is_kept_and_less_is_not():
    for limits in (LIMITS, THRESHOLDS["mistral-embed"]):
        assert relevant(0.35, signals(0.1), CHAT_LITERAL, limits)
        assert not relevant(0.3499, signals(0.9, 1.0), CHAT_LITERAL, limits)


@pytest.mark.parametrize(
    ("cosine", "keyword", "kept"),
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
def test_one_raw_signal_must_reach_its_floor(cosine, keyword, kept):
    assert relevant(1.0, signals(cosine, keyword), CHAT, LIMITS) is kept


def test_the_gate_holds_behind_the_floor():
    assert relevant(0.2, signals(0.3), CHAT, LIMITS)
    assert not relevant(0.1999, signals(0.3), CHAT, LIMITS)


@pytest.mark.req("S0-23")
def test_the_best_comes_first():
    found = [signals(0.3, number=1), signals(0.9, number=2), signals(0.5, number=3)]
    order = [r.memory_id.int for r in ranked(found, 0, CHAT, LIMITS)]
    assert order == [2, 3, 1]


def test_of_equal_ones_the_newer_comes_first_then_the_lower_key():
    found = [
        signals(at=NOW, number=3),
        signals(at=NOW + timedelta(days=1), number=2),
        signals(at=NOW, number=1),
    ]
    for order in (found, found[::-1]):
        assert [r.memory_id.int for r in ranked(order, 0, CHAT, LIMITS)] == [2, 1, 3]


def test_without_limits_every_row_is_ranked():
    found = [signals(-0.5, number=1), signals(0.1, number=2)]
    assert [r.memory_id.int for r in ranked(found, 0, CHAT, None)] == [2, 1]
    assert ranked(found, 0, CHAT, LIMITS) == []


def test_what_is_ranked_carries_its_signals():
    (item,) = ranked([signals(0.8, 0.6)], 0.6, CHAT, LIMITS)
    assert (item.text, item.cosine, item.keyword) == ("User is vegan", 0.8, 0.6)
    assert item.score == pytest.approx(0.7 * 0.8 + 0.3)
    assert item.stated_at == NOW


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
