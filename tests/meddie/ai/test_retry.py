from hypothesis import given
from hypothesis import strategies as st

from meddie.ai.errors import ProviderDown, RateLimited, WrongKey
from meddie.ai.retry import Patience, pause

PATIENT = Patience(attempts=4, seconds=100, retry_after=10, backoff=1)


def test_what_is_permanent_is_never_tried_again():
    assert pause(WrongKey(), 1, 0, PATIENT) is None
    assert pause(RateLimited(permanent=True), 1, 0, PATIENT) is None


def test_attempts_and_time_run_out():
    assert pause(ProviderDown(), 4, 0, PATIENT) is None
    assert pause(ProviderDown(), 1, 100, PATIENT) is None


@given(st.integers(1, 3))
def test_pauses_grow_and_differ(attempt):
    longest = 2 ** (attempt - 1)

    wait = pause(ProviderDown(), attempt, 0, PATIENT)

    assert wait is not None
    assert longest / 2 <= wait <= longest


def test_the_provider_says_how_long_up_to_a_limit():
    assert pause(RateLimited(retry_after=7), 1, 0, PATIENT) == 7
    assert pause(RateLimited(retry_after=-7), 1, 0, PATIENT) == 0
    assert pause(RateLimited(retry_after=11), 1, 0, PATIENT) is None
    assert pause(RateLimited(retry_after=float("nan")), 1, 0, PATIENT) is None
