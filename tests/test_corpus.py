"""A corpus names all rows that fail."""

import pytest

from tests.corpus import each_of


def test_rows_that_fail_are_named_together():
    @each_of(("one", "other"), [(1, 1), (1, 2), (3, 3), (4, 5)])
    def equal(one, other):
        assert one == other

    with pytest.raises(AssertionError) as failed:
        equal()
    told = str(failed.value)
    assert told.startswith("2 of 4:")
    assert "(1, 2)" in told
    assert "(4, 5)" in told
    assert "(3, 3)" not in told


def test_an_empty_corpus_fails():
    @each_of("one", [])
    def nothing(one):
        pytest.fail(str(one))

    with pytest.raises(AssertionError):
        nothing()
