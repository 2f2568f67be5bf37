"""Ranking `ranked`: its sums and gates, computed by hand from the document, and its words."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.models import Memory
from memory.recall.rankings.ranked import RANKED
from memory.recall.recall import prepare_query, recall
from memory.recall.thresholds import UNMEASURED
from tests.corpus import each_of
from tests.factories import MemoryFactory
from tests.memory.embedders import WordEmbedder
from tests.memory.recall.measured import measured, scores, shown

LIMITS = UNMEASURED
SAME, NONE, OTHER = 2, 1, 0
# Cosine, words held of four, confidence, days, channel: the sum.
WORKED = [
    # .50 + .28 + .10 + .07 + .05
    (1.0, 4, 1.0, 0, SAME, 1.0),
    # .30 + 0 + .10 + .07 + .05
    (0.6, 0, 1.0, 0, SAME, 0.52),
    # .30 + .14 + .08 + .07 / 2 + .05 / 4
    (0.6, 2, 0.8, 45, NONE, 0.5675),
    # 0 + 0 + 0 + .07 / 4 + 0
    (0.0, 0, 0.0, 135, OTHER, 0.0175),
    # -.10 + .07 + .072 + .07 / 3 + .05 / 4
    (-0.2, 1, 0.72, 90, NONE, 0.0778333),
    # .75 + .10 + .10 + .05
    (None, 4, 1.0, 0, SAME, 1.0),
    # .375 + .08 + .05 + .0125
    (None, 2, 0.8, 45, NONE, 0.5175),
    # .1875 + .072 + .025 + 0
    (None, 1, 0.72, 135, OTHER, 0.2845),
    # 0 + .05 + .01 + .05
    (None, 0, 0.5, 405, SAME, 0.11),
]


def one(cosine, held, of, confidence=1.0, age=0, channel=SAME):
    return measured(
        [cosine],
        words=[(1 << held) - 1],
        weights=[1.0] * of,
        confidences=[confidence],
        ages=[age],
        channels=[channel],
    )


@pytest.mark.req("S3-52", "S3-53", "S3-54", "S3-55", "S3-56")
@each_of(("cosine", "held", "confidence", "age", "channel", "total"), WORKED)
def test_the_sum_of_five_parts(cosine, held, confidence, age, channel, total):
    signals = one(cosine, held, 4, confidence, age, channel)
    assert scores(RANKED, signals) == pytest.approx([total], abs=1e-6)


@pytest.mark.req("S3-57", "S3-58")
@each_of(
    ("cosine", "held", "of", "passes"),
    [
        (0.2, 0, 5, True),
        (0.1999, 0, 5, False),
        (0.0, 11, 50, True),
        (0.0, 10, 50, False),
        (-0.5, 1, 1, True),
        (None, 6, 25, True),
        (None, 11, 50, False),
        (None, 0, 5, False),
    ],
)
def test_a_row_passes_by_meaning_or_by_words(cosine, held, of, passes):
    assert shown(RANKED, one(cosine, held, of), LIMITS) == [passes]


parts = st.floats(0, 1)
ages = st.floats(0, 40_000)
channels = st.sampled_from([SAME, NONE, OTHER])
cosines = st.floats(-1, 1)
words = st.integers(0, 50)


def documents_gate(cosine, share, total):
    """The whole rule of S3-57 and S3-58."""
    if cosine is None:
        return share >= 0.24 or total >= 0.62
    some_signal = cosine >= 0.08 or share >= 0.10
    return cosine >= 0.20 or share >= 0.22 or (total >= 0.52 and some_signal)


@pytest.mark.req("S3-57", "S3-58")
@given(st.none() | cosines, words, parts, ages, channels)
def test_the_gate_is_the_documents(cosine, held, confidence, age, channel):
    signals = one(cosine, held, 50, confidence, age, channel)
    expected = documents_gate(cosine, held / 50, scores(RANKED, signals)[0])
    assert shown(RANKED, signals, LIMITS) == [expected]


@pytest.mark.req("S3-55", "S3-56")
@given(st.none() | cosines, words, parts, ages, channels)
def test_a_sum_is_at_most_1(cosine, held, confidence, age, channel):
    (total,) = scores(RANKED, one(cosine, held, 50, confidence, age, channel))
    assert min(0, 0.5 * (cosine or 0)) <= total <= 1 + 1e-9


@pytest.mark.req("S3-55", "S3-56")
@given(
    st.tuples(*[st.none()] * 2) | st.tuples(cosines, cosines),
    st.tuples(words, words),
    st.tuples(parts, parts),
    st.tuples(ages, ages),
    st.tuples(channels, channels),
)
def test_more_of_any_part_never_scores_less(cosine, held, confidence, age, channel):
    cosine = cosine if None in cosine else sorted(cosine)
    held, confidence, channel = map(sorted, (held, confidence, channel))
    age = sorted(age, reverse=True)
    rows = zip(cosine, held, (50, 50), confidence, age, channel, strict=True)
    less, more = (scores(RANKED, one(*row))[0] for row in rows)
    assert less <= more + 1e-9


@pytest.mark.req("S3-04", "S3-72")
@given(st.none() | cosines, words, parts, ages)
def test_the_channel_never_hides_a_row(cosine, held, confidence, age):
    rows = product([cosine], [held], [50], [confidence], [age], [SAME, NONE, OTHER])
    passes = [shown(RANKED, one(*row), LIMITS) for row in rows]
    assert passes[0] == passes[1] == passes[2]


@pytest.fixture
def ask(db, scope):
    def ask(text, embedder=None):
        query = prepare_query(text, embedder=embedder or WordEmbedder())
        found = recall(scope, query, ranking="ranked").items
        return {item.text: round(item.keyword, 4) for item in found}

    return ask


@pytest.fixture
def facts(ann, home):
    def facts(*texts, **how):
        for text in texts:
            MemoryFactory(user=ann, space=home, content=text, **how)

    return facts


@pytest.mark.req("S3-51")
def test_words_are_looked_for_in_fact_and_evidence(ask, facts):
    facts("User avoids nuts", evidence="cashews make my lips swell")
    facts("User likes tea")
    assert ask("Cashews with nuts or with honey?") == {"User avoids nuts": 0.6667}


@pytest.mark.req("S3-51")
def test_a_substring_of_fact_or_evidence_counts_in_full(ask, facts):
    facts("User lives in Kraków")
    facts("User was born in spring", evidence="Urodziłam się w Krakowie")
    assert ask("KRAK") == {"User lives in Kraków": 1.0, "User was born in spring": 1.0}
    assert ask("lives in krakó")["User lives in Kraków"] == 1


@pytest.mark.req("S3-51")
def test_two_letters_are_a_word_and_not_a_substring(ask, facts):
    facts("User takes vitamin B6", "User takes vitamin AB61")
    assert ask("B6") == {"User takes vitamin B6": 1.0}


@pytest.mark.req("S3-59")
def test_confidence_and_age_order_what_is_alike_otherwise(ask, facts):
    facts("User fears wasps, maybe", confidence=0.4)
    facts("User fears wasps, surely", confidence=0.9)
    assert list(ask("wasps")) == ["User fears wasps, surely", "User fears wasps, maybe"]
    Memory.objects.filter(confidence=0.9).update(stated_at="2001-01-01T00:00Z")
    assert list(ask("wasps")) == ["User fears wasps, maybe", "User fears wasps, surely"]
