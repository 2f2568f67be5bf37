"""Of two statements on the same thing the newer comes first."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.recall.row_texts import CLOSE, STATEMENT, VECTOR_HEADER, Text, newer_first

LONG = " ".join(f"word{number}" for number in range(STATEMENT + 1))
ONE, OTHER = (1, 0), (0, 1)


def text(content="User is vegan", vector=ONE, model="small"):
    near = bytes(VECTOR_HEADER) + np.array(vector, ">f2").tobytes() if vector else None
    return Text(content, "", "", 1.0, None, "", None, model, near)


def order(texts, scores, days):
    return newer_first(texts, np.array(scores), np.array(days), alike=0.8)


def test_the_newer_statement_moves_before_the_older_one():
    texts, scores = [text(), text(vector=OTHER), text()], [0.7, 0.65, 0.6]
    assert order(texts, scores, [0, 0, 9]) == [2, 0, 1]
    assert order(texts, scores, [9, 0, 0]) == [0, 1, 2]


def test_a_newer_statement_with_a_much_lower_score_stays_below():
    assert order([text(), text()], [0.9, 0.9 - CLOSE - 0.1], [0, 9]) == [0, 1]


@pytest.mark.parametrize(
    "other",
    [text(LONG), text(vector=OTHER), text(vector=()), text(model="large")],
    ids=["long", "about something else", "without a vector", "of another model"],
)
def test_a_text_that_cannot_be_compared_does_not_move(other):
    assert order([text(), text()], [0.8, 0.79], [0, 9]) == [1, 0]
    for texts in ([text(), other], [other, text()]):
        assert order(texts, [0.8, 0.79], [0, 9]) == [0, 1]


one = st.builds(text, vector=st.sampled_from([ONE, OTHER, ()]))


@given(st.lists(st.tuples(one, st.floats(0, 1), st.integers(0, 9)), max_size=8))
def test_no_row_is_lost_or_repeated(rows):
    texts, scores, days = ([row[n] for row in rows] for n in range(3))
    assert sorted(order(texts, scores, days)) == list(range(len(rows)))
