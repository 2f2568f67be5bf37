"""When a failed call is made again, and after how long."""

import pytest

from meddie.ai.errors import NoQuota, RateLimited, WrongKey
from meddie.backoff import Patience

PATIENT = Patience(attempts=4, seconds=100, retry_after=10, backoff=1)


@pytest.mark.parametrize(("attempt", "longest"), [(1, 1), (2, 2), (3, 4)])
def test_pauses_double_and_are_spread(attempt, longest):
    pauses = {PATIENT.pause(attempt, 0) for _ in range(50)}
    assert all(longest / 2 <= pause <= longest for pause in pauses)
    assert len(pauses) > 1


def test_attempts_are_bounded():
    assert PATIENT.pause(4, 0) is None
    assert PATIENT.pause(4, 0, retry_after=0) is None


def test_no_attempt_begins_when_the_time_is_over():
    assert PATIENT.pause(1, 99.9) is None


@pytest.mark.parametrize(("asked", "waited"), [(0, 0), (-3, 0), (7, 7), (10, 10)])
def test_retry_after_is_waited_for(asked, waited):
    assert PATIENT.pause(1, 0, retry_after=asked) == waited


def test_retry_after_that_is_too_long_is_not_waited_for():
    assert PATIENT.pause(1, 0, retry_after=10.5) is None


def test_retry_after_counts_towards_the_time():
    assert PATIENT.pause(1, 95, retry_after=6) is None


def test_retry_after_that_is_no_number_is_not_waited_for():
    assert PATIENT.pause(1, 0, retry_after=float("nan")) is None


@pytest.mark.parametrize("error", [WrongKey(), NoQuota()])
def test_permanent_error_is_never_tried_again(error):
    assert error.pause(1, 0, PATIENT) is None


def test_other_error_is_tried_again_when_the_provider_says():
    assert RateLimited(retry_after=7).pause(1, 0, PATIENT) == 7
