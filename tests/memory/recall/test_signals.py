"""What is measured of each row, and the order of rows."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.recall import sql
from memory.recall.rankings.fused import FUSED
from memory.recall.recall import prepare_query
from memory.recall.shelves import MEMORIES
from memory.recall.signals import Incomplete, measure
from tests.memory.embedders import WordEmbedder
from tests.memory.recall.measured import measured

value = st.none() | st.floats(-1, 1)


@given(st.lists(value, min_size=1, max_size=60), st.integers(-2, 70))
def test_the_lowest_rows_come_in_order_and_nan_last(values, count):
    signals = measured(values)
    every = np.arange(len(values))
    order = sorted(every, key=lambda n: (values[n] is None, values[n], n))
    found = signals.lowest(every, count, signals.cosines).tolist()
    assert found == order[: max(count, 0)]


def test_ties_are_decided_by_the_second_value_then_by_the_lower_id():
    signals = measured([0.5, 0.5, 0.5, 0.1], ids=[9, 2, 5, 7])
    then = np.array([1, 0, 0, 0])
    rows = signals.lowest(np.arange(4), 3, signals.cosines, then)
    assert [signals.key(row).int for row in rows] == [7, 2, 5]


@pytest.mark.django_db
def test_a_row_without_session_and_place_does_not_shift_others(tell, scope):
    tell("User is vegan", "User plays chess")
    query = prepare_query("vegan", embedder=WordEmbedder())
    one = "CASE WHEN r.content = 'User is vegan' THEN 7 END"
    shelf = replace(MEMORIES, place=one, session=one)
    signals = measure(scope, query, shelf, FUSED.columns)
    (vegan,) = np.flatnonzero(signals.words)
    assert (signals.places[vegan], signals.sessions[vegan]) == (7, 7)
    assert (signals.places.min(), signals.sessions.min()) == (-1, sql.NO_SESSION)


@pytest.mark.django_db
def test_a_column_without_a_value_for_some_row_is_refused(tell, scope, monkeypatch):
    tell("User is vegan", "User plays chess")
    query = prepare_query("vegan", embedder=WordEmbedder())
    one = "CASE WHEN r.content = 'User is vegan' THEN 7 END"
    monkeypatch.setitem(
        sql.COLUMNS, "places", sql.Column("{place}", "int4send({})", ">i4")
    )
    with pytest.raises(Incomplete):
        measure(scope, query, replace(MEMORIES, place=one), FUSED.columns)
