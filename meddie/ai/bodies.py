"""Limits on the body of a provider's response, before anything parses it."""

import re
import time
from collections.abc import AsyncIterator, Iterable

import httpx2

from meddie.ai.errors import CutOff, Garbled, TimedOut

LONGEST_EVENT = 1_000_000  # bytes; 200,000 characters, each escaped as \uXXXX, fit
LONGEST_BODY = 20_000_000  # bytes; 256 vectors of 1,536 numbers take five million
END_OF_EVENT = re.compile(rb"\n[\r\n]|\r\r")  # lines end in LF, CR LF or CR


class BoundedStream(httpx2.AsyncByteStream):
    """Raises CutOff for an event, or a body without events, that is too long."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size, last = 0, b""
        async for piece in self._stream:
            seen = last + piece
            size = 0 if END_OF_EVENT.search(seen) else size + len(piece)
            last = seen[-1:]
            if size > LONGEST_EVENT:
                raise CutOff(f"more than {LONGEST_EVENT} bytes without an end")
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()


async def bound(response: httpx2.Response) -> None:
    """Limit a response and do not decompress it; for httpx2's event hooks."""
    response.headers.pop("Content-Encoding", None)  # a small body becomes a huge one
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = BoundedStream(response.stream)


def read_body(pieces: Iterable[bytes], until: float) -> bytes:
    """Read to the end, until `time.monotonic()`. Raises TimedOut, Garbled."""
    body = bytearray()
    for piece in pieces:
        body += piece
        if time.monotonic() > until:
            raise TimedOut
        if len(body) > LONGEST_BODY:
            raise Garbled(f"more than {LONGEST_BODY} bytes")
    return bytes(body)
