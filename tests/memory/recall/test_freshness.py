"""Of two statements on the same thing the newer comes first."""

import uuid
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.recall.texts import CLOSE, STATEMENT, newer_first
from memory.values import Recalled

NOW = datetime(2026, 5, 1, tzinfo=UTC)
LONG = " ".join(f"word{number}" for number in range(STATEMENT + 1))


def item(number, score, days=0, text="User is vegan"):
    at = NOW + timedelta(days=days)
    return Recalled(uuid.UUID(int=number), text, score, 0.5, 0.0, at)


def order(items, newer):
    named = {uuid.UUID(int=k): [uuid.UUID(int=n) for n in v] for k, v in newer.items()}
    return [one.memory_id.int for one in newer_first(items, named)]


def test_the_newer_statement_moves_before_the_older_one():
    rows = [item(1, 0.7), item(2, 0.65), item(3, 0.6, days=9)]
    assert order(rows, {}) == [1, 2, 3]
    assert order(rows, {1: [3]}) == [3, 1, 2]


def test_a_newer_statement_with_a_much_lower_score_stays_below():
    assert order([item(1, 0.9), item(2, 0.9 - CLOSE - 0.1, days=9)], {1: [2]}) == [1, 2]


@pytest.mark.parametrize("long", [1, 2])
def test_a_long_text_does_not_move(long):
    rows = [
        item(n, 0.8 - n / 50, days=n, text=LONG if n == long else "User is vegan")
        for n in (1, 2)
    ]
    assert order(rows, {1: [2]}) == [1, 2]


def test_unknown_rows_move_nothing():
    rows = [item(1, 0.7), item(2, 0.6)]
    assert order(rows, {2: [77], 99: [1]}) == [1, 2]


@given(st.lists(st.floats(0, 1), max_size=8), st.data())
def test_no_row_is_lost_or_repeated(scores, data):
    rows = [item(n, score, days=n) for n, score in enumerate(sorted(scores)[::-1])]
    pairs = st.dictionaries(st.integers(0, 8), st.lists(st.integers(0, 8), max_size=3))
    assert sorted(order(rows, data.draw(pairs))) == list(range(len(rows)))
