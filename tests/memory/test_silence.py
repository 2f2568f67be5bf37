"""When a store has nothing to say: small talk, and questions it cannot answer."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meddie.ai import embeddings
from memory.evaluation.everyday import ANSWERED, FACTS, SMALL_TALK, UNANSWERED
from memory.recall.query import terms
from memory.recall.recall import prepare_query, recall
from memory.recall.silence import (
    CALIBRATED,
    CROWD,
    PRIOR,
    Background,
    margin,
    rise,
)
from memory.recall.small_talk import is_small_talk
from memory.recall.thresholds import Thresholds
from tests.factories import MemoryFactory
from tests.memory.rounding import rows_allowed as allowed

LIMITS = Thresholds(
    gate=0.2, floor_cosine=0.3, floor_alone=0.4, floor_rise=0.25, unrelated=0.05
)
QUIET = Background(CALIBRATED, CALIBRATED * 0.05, unheard=False)
share = st.floats(0, 1)


@pytest.mark.parametrize("text", SMALL_TALK)
def test_small_talk_is_known_as_such(text):
    assert is_small_talk(text)


@pytest.mark.parametrize(
    "text",
    [
        "Good night, Meddie!",
        "Thanks a lot for your help :)",
        "I'm fine, thanks. And you?",
        "👍",
        "Cześć, co słychać?",
        "Dzień dobry!",
        "Dziękuję bardzo",
        "ok",
        "Спасибо большое!",
        "Как дела?",
        "Guten Abend, wie geht es dir?",
        "¡Hola! ¿Qué tal?",
        "Merci beaucoup, au revoir",
        "D'accord, très bien",
        "Grazie mille!",
        "Bom dia, tudo bem?",
        "Привіт, як справи?",
    ],
)
def test_so_it_is_in_other_languages(text):
    assert is_small_talk(text)


@pytest.mark.parametrize("phrase", ["ok ", "no ", "so good "])
def test_phrases_without_end_are_read_in_no_time(phrase):
    """The time grew threefold with each, to minutes."""
    assert not is_small_talk(f"{phrase * (70 // len(phrase))}wait")


@pytest.mark.parametrize(
    "text",
    [
        *ANSWERED,
        *UNANSWERED,
        *FACTS,
        "yes, the blue one",
        "Good morning, what should I eat?",
        "How is my mother?",
        "Jak się nazywa mój lekarz?",
        "no meat please",
        "ok " * 40,
    ],
)
def test_who_says_more_is_listened_to(text):
    assert not is_small_talk(text)


def test_a_store_speaks_when_a_row_stands_out():
    assert allowed([(0.1, 0.0), (0.4, 0.0)], QUIET, LIMITS)
    assert not allowed([(0.1, 0.0), (0.29, 0.0)], QUIET, LIMITS)
    assert allowed([(0.2, 0.5)], QUIET, LIMITS)
    assert not allowed([], QUIET, LIMITS)


def test_a_row_without_vector_stands_out_by_its_words():
    assert allowed([(None, 0.4)], QUIET, LIMITS)
    assert not allowed([(None, 0.39)], QUIET, LIMITS)


def test_what_resembles_the_whole_store_stands_out_less():
    like_all = Background(200, 200 * 0.35, unheard=False)
    assert allowed([(0.45, 0.0)], QUIET, LIMITS)
    assert not allowed([(0.45, 0.0)], like_all, LIMITS)


def test_an_unheard_name_asks_for_more():
    unheard = replace(QUIET, unheard=True)
    assert allowed([(0.4, 0.0)], QUIET, LIMITS)
    assert not allowed([(0.4, 0.0)], unheard, LIMITS)
    assert allowed([(0.6, 0.0)], unheard, LIMITS)
    assert not allowed([(None, 0.5)], unheard, LIMITS)


def test_a_store_of_one_row_has_an_average_all_the_same():
    alone = Background(1, 0.4, unheard=False)
    expected = 0.4 - (0.4 + PRIOR * 0.05) / (1 + PRIOR)
    assert rise(0.4, 0.0, alone, LIMITS) == pytest.approx(expected)


@given(share, share, share, share, st.booleans())
def test_more_of_either_signal_never_silences(c1, c2, k1, k2, unheard):
    background = Background(30, 3.0, unheard)
    less = allowed([(min(c1, c2), min(k1, k2))], background, LIMITS)
    assert less <= allowed([(max(c1, c2), max(k1, k2))], background, LIMITS)


signal = st.tuples(st.none() | share, share)


@given(st.lists(signal), signal, st.integers(0, 5000), st.integers(0, 5000))
def test_more_to_hear_gives_no_fewer_rows_and_a_larger_crowd_no_more(heard, one, n, m):
    limits = replace(LIMITS, unrelated=0.0)
    small, large = (Background(k, 0.0, unheard=False) for k in sorted((n, m)))
    assert allowed(heard, small, limits) <= allowed([*heard, one], small, limits)
    assert allowed(heard, large, limits) <= allowed(heard, small, limits)
    unheard = replace(small, unheard=True)
    assert allowed(heard, unheard, limits) <= allowed(heard, small, limits)


@given(signal, st.floats(0.001, 0.1), st.floats(0.001, 0.1))
def test_a_longer_step_silences_nothing_and_brings_no_more(one, a, b):
    short, long = (replace(LIMITS, floor_step=step) for step in sorted((a, b)))
    many, few = (allowed([one], QUIET, limits) for limits in (short, long))
    assert few <= many
    assert bool(few) == bool(many)


def test_who_barely_stands_out_comes_alone_and_each_step_brings_one_more():
    limits = replace(LIMITS, floor_step=0.02)
    rows = [allowed([(0.301 + more, 0.0)], QUIET, limits) for more in (0, 0.02, 0.1)]
    assert rows == [1, 2, 6]


def test_a_crowd_asks_for_more_and_a_few_for_less_with_every_doubling():
    limits = replace(LIMITS, floor_growth=0.02)

    def asked(rows):
        background = Background(rows, rows * 0.05, unheard=False)
        return rise(0.4, 0.0, background, limits) - margin(0.4, 0.0, background, limits)

    assert asked(CALIBRATED) == pytest.approx(0.25)
    assert asked(CALIBRATED // 4) == pytest.approx(0.21)
    assert asked(1) < asked(2) < asked(CALIBRATED)
    assert asked(2 * CALIBRATED) == pytest.approx(0.27)
    assert asked(4 * CALIBRATED) == pytest.approx(0.29)
    assert asked(20 * CROWD) == asked(CROWD)


def test_floors_are_calibrated_on_as_many_facts_as_is_said():
    assert len(FACTS) == CALIBRATED


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("What did Ewa say?", ["ewa"]),
        ("Ewa said hello to Jan. Paris is far.", ["jan"]),
        ("Where does my aunt Żaneta live", ["żaneta"]),
        ("WHERE DOES EWA LIVE", []),
        ("I said that I saw it", []),
        ("Is Aspirin okay for me?", []),
        ("Darf ich Augmentin nehmen?", []),
    ],
)
def test_names_are_written_large_inside_a_sentence(text, names):
    assert [term.word for term in terms(text) if term.name] == names


@pytest.fixture
def told(ann, home):
    local = embeddings.local()
    for text in FACTS:
        MemoryFactory(user=ann, space=home, content=text, embedder=local)
    return local


def share_with_something(scope, embedder, texts, profile):
    queries = [prepare_query(text, embedder=embedder) for text in texts]
    found = [bool(recall(scope, q, profile=profile).items) for q in queries]
    return sum(found) / len(found)


@pytest.mark.django_db
@pytest.mark.parametrize("profile", ["chat", "fused"])
def test_strange_questions_bring_next_to_nothing_and_small_talk_nothing(
    told, scope, profile
):
    assert share_with_something(scope, told, SMALL_TALK, profile) == 0
    assert share_with_something(scope, told, UNANSWERED, profile) <= 0.05
    assert share_with_something(scope, told, ANSWERED, profile) >= 0.95


@pytest.mark.django_db
@pytest.mark.parametrize("profile", ["chat", "fused"])
def test_so_it_is_without_vectors(told, scope, profile):
    none = embeddings.none()
    assert share_with_something(scope, none, SMALL_TALK, profile) == 0
    assert share_with_something(scope, none, UNANSWERED, profile) <= 0.1
