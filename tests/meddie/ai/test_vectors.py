import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from meddie.ai.errors import Garbled, Refused
from meddie.ai.vectors import WIDTH, fit_width
from tests.corpus import each_of

numbers = st.floats(-100, 100, width=32).map(lambda x: round(x, 3))


@given(arrays(np.float32, (3, 7), elements=numbers))
def test_padding_changes_no_cosine(rows):
    norms = np.linalg.norm(rows, axis=1)
    if (norms == 0).any():
        with pytest.raises(Garbled):
            fit_width(rows)
        return

    vectors = np.array(fit_width(rows))

    assert vectors.shape == (3, WIDTH)
    assert vectors.dtype == np.float32
    cosines = (rows @ rows.T) / np.outer(norms, norms)
    assert np.abs(vectors @ vectors.T - cosines).max() < 1e-5


@each_of(
    ("rows", "error"),
    [
        ([[0.0, 0.0]], Garbled),
        ([[1.0, float("nan")]], Garbled),
        ([[1.0, float("inf")]], Garbled),
        ([[1.0], [1.0, 2.0]], Garbled),
        ([["one"]], Garbled),
        ([[None]], Garbled),
        ([1.0, 2.0], Garbled),
        ([[[1.0]]], Garbled),
        ([[]], Garbled),
        ([[1.0] * (WIDTH + 1)], Refused),
    ],
)
def test_vectors_of_no_direction_or_too_many_dimensions_are_refused(rows, error):
    with pytest.raises(error):
        fit_width(rows)


def test_no_vectors_stay_none():
    assert fit_width([]) == []


def test_huge_numbers_do_not_overflow():
    assert np.linalg.norm(fit_width([[1e30, 1e30]])[0]) == pytest.approx(1)
