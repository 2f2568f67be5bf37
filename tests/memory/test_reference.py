"""Recall against the same arithmetic in numpy, over rows read by their primary keys,
with nearer rows of other users present."""

import math
import re
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.models import Memory
from memory.recall.profiles import PROFILES
from memory.recall.recall import prepare_query, recall
from memory.recall.silence import Background
from memory.recall.thresholds import thresholds
from tests.factories import MemoryFactory
from tests.memory.embedders import WIDE, WORDS, WordEmbedder
from tests.memory.rounding import fewest_and_most, stand_in_for

pytestmark = pytest.mark.django_db
WORDS_USED = [
    "ibuprofen",
    "allergy",
    "tea",
    "coffee",
    "mother",
    "doctor",
    "chess",
    "running",
    "headache",
    "garden",
    "violin",
    "diabetes",
    "needles",
    "summer",
]
sentence = st.lists(st.sampled_from(WORDS_USED), min_size=1, max_size=6).map(" ".join)
START = datetime(2026, 1, 1, tzinfo=UTC)
ROUNDED = 1e-4  # what halves of numbers do to a score


def coverage(query, texts):
    """For each text: the share of the query's words, rare ones counting more."""
    beginnings = [
        [form.strip("'") for form in re.findall(r"'\w+'(?::\*)?", term.tsquery)]
        for term in query.terms
    ]

    def holds(text, forms):
        words = text.split()
        return any(
            any(w.startswith(f[:-3].strip("'")) for w in words)
            if f.endswith(":*")
            else f in words
            for f in forms
        )

    held = np.array([[holds(text, forms) for forms in beginnings] for text in texts])
    weights = np.log(1 + len(texts) / (1 + held.sum(axis=0)))
    return held @ weights / weights.sum()


def reference(query, keys):
    """Ids and scores that profile `chat` should give, computed without the database's
    help, and the fewest and the most of them."""
    rows = [Memory.objects.get(pk=key) for key in keys]
    cosines = np.array([r.embedding @ query.vector for r in rows])
    keyword = coverage(query, [r.content for r in rows])
    best = keyword.max()
    limits = thresholds(query.model)
    background = Background(len(rows), cosines.sum(), unheard=False)
    signals = list(zip(cosines, keyword, strict=True))
    many = fewest_and_most(signals, background, limits)
    scored = []
    for row, cosine, word in zip(rows, cosines, keyword, strict=True):
        score = 0.7 * cosine + 0.3 * (word / best if best > 0 else 0)
        floor = cosine >= limits.floor_cosine or word >= limits.floor_keyword
        if floor and score >= limits.gate:
            scored.append((row.pk, score))
    best = sorted(scored, key=lambda pair: -pair[1])[: PROFILES["chat"].limit]
    return best, many


@pytest.mark.parametrize("model", [WORDS, WIDE], ids=lambda model: model.name)
@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    mine=st.lists(sentence, min_size=1, max_size=25, unique=True),
    asked=sentence,
    data=st.data(),
)
def test_recall_equals_the_reference(  # noqa: PLR0917 - fixtures
    ann, bob, home, office, scope, model, mine, asked, data
):
    Memory.objects.all().delete()
    embedder = WordEmbedder(model)
    keys = [
        MemoryFactory(
            user=ann,
            space=home,
            content=text,
            embedder=embedder,
            stated_at=START + timedelta(hours=number),
        ).pk
        for number, text in enumerate(mine)
    ]
    strangers = data.draw(st.lists(sentence, max_size=5, unique=True))
    for text in dict.fromkeys([asked, *strangers]):
        MemoryFactory(user=bob, space=home, content=text, embedder=embedder)
        MemoryFactory(user=ann, space=office, content=text, embedder=embedder)
    query = prepare_query(asked, embedder=embedder)
    found = recall(scope, query, profile="chat")
    expected, many = reference(query, keys)
    assert stand_in_for(len(found.items), len(expected), many)
    expected = expected[: len(found.items)]
    assert {item.memory_id for item in found.items} <= set(keys)
    for item, (_, score) in zip(found.items, expected, strict=True):
        assert math.isclose(item.score, score, abs_tol=ROUNDED)
    clear = [pair for pair in expected if pair[1] > expected[-1][1] + 2 * ROUNDED]
    assert {key for key, _ in clear} <= {item.memory_id for item in found.items}


def test_hundreds_of_rows_lose_none(ann, home, scope):
    """More than there are candidates."""
    embedder = WordEmbedder()
    pick = np.random.default_rng(3)
    texts = {" ".join(pick.choice(WORDS_USED, 5)) for _ in range(400)}
    keys = [
        MemoryFactory(user=ann, space=home, content=text, embedder=embedder).pk
        for text in sorted(texts)
    ]
    for asked in ("ibuprofen headache tea", "mother garden violin chess", "summer"):
        query = prepare_query(asked, embedder=embedder)
        found = recall(scope, query, profile="chat")
        best, many = reference(query, keys)
        assert stand_in_for(len(found.items), len(best), many)
        expected = [score for _, score in best[: len(found.items)]]
        assert [i.score for i in found.items] == pytest.approx(expected, abs=ROUNDED)
