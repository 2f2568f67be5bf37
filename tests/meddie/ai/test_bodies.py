"""Limits on bodies, in the pieces in which a server sends them."""

import time
from collections.abc import AsyncIterator

import httpx2
import pytest

from meddie.ai import client
from meddie.ai.client import LONGEST_BODY, read_body
from meddie.ai.errors import CutOff, Garbled, TimedOut
from tests.waiting import PATIENCE

EVENT = b"data: " + b"x" * 60


@pytest.fixture(autouse=True)
def limit(monkeypatch):
    monkeypatch.setattr(client, "LONGEST_EVENT", 100)


class Pieces(httpx2.AsyncByteStream):
    def __init__(self, *pieces: bytes) -> None:
        self.pieces = pieces

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self.pieces:
            yield piece


async def received(*pieces: bytes) -> bytes:
    response = httpx2.Response(200, stream=Pieces(*pieces))
    await client.bound(response)
    return await response.aread()


@pytest.mark.parametrize("end", [b"\n\n", b"\r\n\r\n", b"\r\r"], ids=repr)
@pytest.mark.parametrize("size", [1, 2, 3, 10, 65, 66, 67, 68, 69])
async def test_many_short_events_arrive_in_any_pieces(end, size):
    body = (EVENT + end) * 20
    pieces = [body[at : at + size] for at in range(0, len(body), size)]

    assert await received(*pieces) == body


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"], ids=repr)
async def test_event_is_cut_off_however_many_lines_it_has(end):
    with pytest.raises(CutOff):
        await received(*[EVENT, end[:1], end[1:]] * 2)


async def test_pieces_without_bytes_do_not_separate_the_ends_of_lines():
    body = [EVENT, b"\n", b"", b"\n"] * 20

    assert await received(*body) == b"".join(body)


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


def test_body_of_too_many_values_is_garbled():
    pieces = [b"{}," * 100_000] * 20
    with pytest.raises(Garbled):
        read_body(pieces, time.monotonic() + PATIENCE)


@pytest.mark.parametrize("piece", [b"{},\n\n", b"\n\n[0,\r\n\r\n"], ids=repr)
async def test_blank_lines_do_not_make_a_body_longer(piece):
    with pytest.raises(CutOff):
        await received(*[piece] * 30)
