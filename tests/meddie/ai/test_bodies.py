import time

import pytest

from meddie.ai.bodies import LONGEST_BODY, read_body
from meddie.ai.errors import Garbled, TimedOut
from tests.waiting import PATIENCE


def test_body_is_read_to_its_end():
    assert read_body([b"a", b"", b"b"], time.monotonic() + PATIENCE) == b"ab"


def test_body_that_never_ends_times_out():
    def drops():
        while True:
            yield b" "

    with pytest.raises(TimedOut):
        read_body(drops(), time.monotonic() + 0.05)


def test_body_that_is_too_long_is_garbled():
    pieces = [b"x" * 1_000_000] * (LONGEST_BODY // 1_000_000 + 1)
    with pytest.raises(Garbled):
        read_body(pieces, time.monotonic() + PATIENCE)
