"""The arithmetic of the rankings, as worked examples."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meddie.ai.local_embedder import NAME
from memory.recall.rankings import RANKINGS
from memory.recall.rankings.chat import CHAT, CHAT_LITERAL
from memory.recall.rankings.fused import FUSED
from memory.recall.rankings.ranking import decayed
from memory.recall.rankings.strict_semantic import STRICT_SEMANTIC
from memory.recall.thresholds import ASSUMED, UNMEASURED, Thresholds, thresholds
from tests.memory.recall.measured import measured, scores, shown

LIMITS = Thresholds(gate=0.2, floor=0.3)
ROW = {"cosine": 0.5, "words": 0b110, "size": 10, "spoken": False}
cosines = st.floats(-1, 1)
words = st.integers(0, 7)
sizes = st.integers(0, 3000)


@pytest.mark.req("S0-20", "S0-21", "S0-22")
def test_chat_is_seven_parts_meaning_and_three_parts_words_over_the_best():
    signals = measured([0.6, 0.0], words=[0b01, 0b11], weights=(1.0, 3.0))
    assert scores(CHAT, signals) == pytest.approx([0.7 * 0.6 + 0.3 * 0.25, 0.3])
    signals = measured([0.6, 0.0], ranks=[0.02, 0.04])
    assert scores(CHAT_LITERAL, signals) == pytest.approx([0.7 * 0.6 + 0.3 * 0.5, 0.3])


@pytest.mark.req("S0-21")
@pytest.mark.parametrize("ranking", [CHAT, CHAT_LITERAL], ids=lambda r: r.name)
def test_without_any_word_found_only_meaning_counts(ranking):
    signals = measured([0.6], words=[0], weights=(1.0,))
    assert scores(ranking, signals) == pytest.approx([0.42])


def test_chat_scores_a_row_without_vector_by_its_words_alone():
    signals = measured([None, 0.0], words=[0b01, 0b11], weights=(1.0, 3.0))
    assert scores(CHAT, signals)[0] == pytest.approx(0.25)


def test_a_date_of_the_query_counts_three_quarters_of_a_word_in_chat():
    signals = measured([None, None], words=[1, 0], days=[0, 1], weights=(2.0,))
    assert scores(CHAT, signals) == pytest.approx([1.0, 0.75])


@pytest.mark.req("S0-23")
def test_literal_gate_is_a_score_of_035_for_every_model():
    signals = measured([0.5, 0.4999])
    for limits in (LIMITS, ASSUMED["mistral-embed"]):
        assert shown(CHAT_LITERAL, signals, limits) == [True, False]


@pytest.mark.parametrize("ranking", [CHAT, FUSED], ids=lambda ranking: ranking.name)
def test_meaning_or_words_must_reach_the_floor(ranking):
    signals = measured(
        [0.3, 0.2999, 0.2999, 0.2, None, None],
        words=[0b00, 0b00, 0b01, 0b10, 0b10, 0b01],
        weights=(1.0, 3.0),
    )
    expected = [True, False, False, True, True, False]
    assert shown(ranking, signals, LIMITS) == expected


@pytest.mark.req("S0-23")
def test_chat_shows_nothing_below_the_calibrated_gate():
    signals = measured([0.5, 0.5001])
    limits = Thresholds(gate=0.35005, floor=0.3)
    assert shown(CHAT, signals, limits) == [False, True]


@given(cosines, cosines, words, words, st.sampled_from([CHAT, FUSED]))
def test_a_shown_row_stays_shown_with_more_of_either_signal(
    c1, c2, some, more, ranking
):
    low, high = (
        measured([cosine, 0.9], words=[held, 0b111], weights=(1.0, 2.0, 3.0))
        for cosine, held in ((min(c1, c2), some), (max(c1, c2), some | more))
    )
    assert shown(ranking, low, LIMITS) <= shown(ranking, high, LIMITS)


@pytest.mark.req("S0-20", "S0-23", "S0-28")
def test_the_documents_numbers_are_those_of_its_model():
    assert (UNMEASURED.gate, UNMEASURED.duplicate) == (0.35, 0.92)
    assert (CHAT.limit, CHAT_LITERAL.limit) == (6, 6)
    known = {"chat", "chat_literal", "episodes", "fused", "ranked", "strict_semantic"}
    assert set(RANKINGS) == known


@pytest.mark.req("S1-12", "S1-13", "S1-14")
def test_strict_semantic_counts_meaning_alone_above_its_threshold():
    signals = measured([0.8, 0.8001, None, 0.9], words=[1, 0, 1, 0], weights=(1.0,))
    limits = ASSUMED["mistral-embed"]
    assert shown(STRICT_SEMANTIC, signals, limits) == [False, True, False, True]
    assert scores(STRICT_SEMANTIC, signals)[1] == 0.8001
    assert STRICT_SEMANTIC.candidates(signals).tolist() == [0, 1, 3]
    assert STRICT_SEMANTIC.limit == 10
    # Half of the right rows of S1's default model have a lower cosine than S1's number.
    assert UNMEASURED.strict <= 0.44 - 0.1


@pytest.mark.req("S1-51")
@given(
    st.lists(st.floats(-1, 2), min_size=2, max_size=2),
    st.floats(0, 4000),
    st.integers(1, 4000),
)
def test_a_score_halves_with_each_half_life_and_keeps_its_order_by_age(
    values, days, half_life
):
    """Of two rows of one age the better stays first; an older one is never better."""
    low, high = sorted(values)
    of_one_age = decayed(np.array([low, high]), np.array([days, days]), half_life)
    assert of_one_age[0] <= of_one_age[1] or low == high
    ages = np.array([0, days, days + half_life])
    today, older, oldest = decayed(np.full(3, high), ages, half_life)
    assert today == high
    assert (today >= older >= oldest) if high > 0 else (today == older == oldest)
    assert oldest == pytest.approx(older / 2 if high > 0 else high)


def test_the_ranking_to_the_letter_does_not_fade():
    assert CHAT_LITERAL.fading(30) is CHAT_LITERAL
    assert CHAT.fading(30).half_life == 30


@pytest.mark.django_db
def test_a_model_that_was_not_measured_has_the_documents_thresholds():
    assert thresholds("unheard-of") is UNMEASURED
    assert thresholds("text-embedding-3-small") is UNMEASURED
    assert thresholds("mistral-embed") is ASSUMED["mistral-embed"]
    assert thresholds(NAME) != UNMEASURED


def fused(*rows, weights=(1.0, 2.0, 3.0), **columns):
    """Scores of rows; each names what differs from ROW."""
    rows = [ROW | row for row in rows]
    signals = measured(
        [row["cosine"] for row in rows],
        words=[row["words"] for row in rows],
        sizes=[row["size"] for row in rows],
        spoken=[row["spoken"] for row in rows],
        weights=weights,
        **columns,
    )
    return scores(FUSED, signals)


def test_fused_adds_meaning_words_speaker_and_substance():
    plain, named = fused({}, {"spoken": True})
    assert plain == pytest.approx(0.6 * 0.5 + 0.4 * 5 / 6 + 0.2 * 10 / (10 + 10))
    assert named == pytest.approx(plain + 0.25)


def test_fused_scores_a_row_without_vector_by_its_words_in_full():
    (score,) = fused({"cosine": None})
    assert score == pytest.approx(5 / 6 + 0.1)


def test_a_query_without_words_goes_by_meaning():
    assert fused({"words": 0}, weights=()) == pytest.approx([0.6 * 0.5 + 0.1])


def test_words_of_the_neighbours_count_less_than_own_ones():
    """The question before counts 0.75, the answer after 0.5, two places away 0.25."""
    silent = {"words": 0, "cosine": 0.0}
    rows = [silent] * 4 + [{"words": 0b111, "cosine": 0.0}] + [silent] * 4
    found = fused(*rows, sessions=[1] * 9, places=list(range(9)))
    base = found[0]
    shares = [(score - base) / 0.4 for score in found]
    assert shares == pytest.approx([0, 0, 0.25, 0.5, 1, 0.75, 0.25, 0, 0])


@pytest.mark.parametrize("where", [{"sessions": [1, 2]}, {"places": [4, 9]}])
def test_a_row_of_another_session_or_far_away_is_no_neighbour(where):
    place = {"sessions": [1, 1], "places": [4, 5], **where}
    near = fused({}, {"words": 0}, sessions=[1, 1], places=[4, 5])[1]
    assert fused({}, {"words": 0}, **place)[1] < near


def test_a_row_gets_a_share_of_its_sessions_best_score():
    alone = fused({"cosine": 0.9}, {"cosine": 0.1})
    together = fused({"cosine": 0.9}, {"cosine": 0.1}, sessions=[7, 7])
    assert together == pytest.approx([s + 0.4 * alone[0] for s in alone])


def test_a_word_counts_less_in_a_long_text():
    statement, answer = fused(
        {"words": 0b110, "size": 8}, {"words": 0b111, "size": 600}
    )
    assert statement > answer


@given(words, words, st.one_of(st.none(), cosines), sizes)
def test_more_words_never_score_less(some, others, cosine, size):
    row = {"cosine": cosine, "size": size}
    few, more = fused({**row, "words": some}, {**row, "words": some | others})
    assert few <= more + 1e-12


def test_neighbours_of_the_candidates_are_scored_too():
    """The thirty best by meaning leave out the last row, which is next to one of them."""
    signals = measured(
        [0.9] * 30 + [0.1] * 10,
        places=list(range(0, 80, 2)),
        sessions=[1] * 30 + [2] * 10,
    )
    near = measured(
        [0.9] * 30 + [0.1] * 10,
        places=[*range(0, 60, 2), 1, *range(62, 80, 2)],
        sessions=[1] * 31 + [2] * 9,
    )
    assert FUSED.candidates(signals).tolist() == list(range(30))
    assert FUSED.candidates(near).tolist() == list(range(31))


@pytest.mark.req("S2-04")
@pytest.mark.parametrize(
    "ranking", [CHAT, FUSED, STRICT_SEMANTIC], ids=lambda ranking: ranking.name
)
def test_rows_are_shown_if_one_says_that_the_message_is_about_them(ranking):
    limits = Thresholds(gate=0.0, floor=0.1, strict=0.1, about=0.5)
    assert shown(ranking, measured([0.2, 0.49]), limits) == [False, False]
    assert shown(ranking, measured([0.2, 0.5]), limits) == [True, True]


@pytest.mark.req("S2-04")
def test_a_message_about_one_conversation_brings_no_other_one():
    limits = Thresholds(gate=0.0, floor=0.1, about=0.5)
    signals = measured([0.2, 0.5, 0.4], sessions=[1, 1, 2], places=[0, 1, 0])
    assert shown(FUSED, signals, limits) == [True, True, False]


def test_an_empty_shelf_has_no_candidates():
    for ranking in RANKINGS.values():
        rows = ranking.candidates(measured([]))
        assert rows.tolist() == []
        assert ranking.score(measured([]), np.array(rows)).values.tolist() == []
