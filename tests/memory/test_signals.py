"""What was measured of each row: the best of many, and what stands around them."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.recall import fused_search, sql
from memory.recall.recall import prepare_query
from memory.recall.shelves import MEMORIES
from memory.recall.signals import Incomplete, measure
from tests.memory.embedders import WordEmbedder
from tests.memory.measured import measured

value = st.none() | st.floats(-1, 1)


def numbers(found, rows):
    return [found.key(row).int for row in rows]


@given(st.lists(value, min_size=1, max_size=60), st.integers(-2, 70))
def test_the_lowest_are_the_beginning_of_all_in_order_and_nan_comes_last(values, count):
    found = measured(values)
    every = np.arange(len(values))
    lowest = found.lowest(every, count, found.cosines)
    order = sorted(every, key=lambda n: (values[n] is None, values[n], n))
    assert lowest.tolist() == order[: max(count, 0)]


def test_of_equal_ones_the_other_value_then_the_lower_id_decides():
    found = measured([0.5, 0.5, 0.5, 0.1], ids=[9, 2, 5, 7])
    then = np.array([1, 0, 0, 0])
    rows = found.lowest(np.arange(4), 3, found.cosines, then)
    assert numbers(found, rows) == [7, 2, 5]


def test_neighbours_are_judged_and_three_places_around_are_looked_at():
    places = [*range(1, 12), 5]
    sessions = [1] * 11 + [2]
    talk = measured(
        [0.0] * 12,
        places=places,
        sessions=sessions,
        spoken=[False] * 12,
        sizes=[5] * 12,
    )
    judged, context = fused_search.around(talk, np.array([4]))
    assert numbers(talk, judged) == [4, 5, 6]
    assert numbers(talk, context) == [2, 3, 4, 5, 6, 7, 8]


def test_rows_without_a_place_stand_alone():
    alone = measured([0.0] * 3, places=[-1] * 3, sessions=[sql.ALONE] * 3)
    judged, context = fused_search.around(alone, np.array([1]))
    assert judged.tolist() == context.tolist() == [1]


@pytest.mark.django_db
def test_a_row_without_a_value_shifts_no_other_rows(tell, scope, monkeypatch):
    tell("User is vegan", "User plays chess")
    query = prepare_query("vegan", embedder=WordEmbedder())
    one = "CASE WHEN r.content = 'User is vegan' THEN 7 END"
    shelf = replace(MEMORIES, place=one, session=one)
    found = measure(scope, query, query.terms, shelf, sql.IN_CONTEXT)
    (vegan,) = np.flatnonzero(found.words)
    assert (found.places[vegan], found.sessions[vegan]) == (7, 7)
    assert (found.places.min(), found.sessions.min()) == (-1, sql.ALONE)
    left_out = sql.Column("int4send(place)", ">i4")
    monkeypatch.setitem(sql.COLUMNS, "places", left_out)
    with pytest.raises(Incomplete):
        measure(scope, query, query.terms, shelf, sql.IN_CONTEXT)
