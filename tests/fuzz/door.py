"""One request to the ASGI application, as uvicorn passes it on, and the answer."""

import asyncio
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from django.core.signals import got_request_exception

from conversations.api.openai.calls import finish_storing
from conversations.reply import active_replies
from meddie.asgi import application
from meddie.threads import run_coroutine

HOST = "127.0.0.1"
PATIENCE = 8
FRAMES = 3
"""Parts of a stream to read until the client leaves."""

_raised: list[str] = []


@dataclass(frozen=True, slots=True)
class Request:
    """What goes over the wire; `path` and `query` are percent-encoded."""

    method: str
    path: bytes
    query: bytes = b""
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        query = b"?" + self.query[:300] if self.query else b""
        about = " htmx" if "HX-Request" in self.headers else ""
        kind = self.headers.get("Content-Type", "")
        body = f" {kind} {self.body[:300]!r}" if self.body else ""
        return (
            f"{self.method} {(self.path[:300] + query).decode('latin1')}{about}{body}"
        )

    @property
    def sent(self) -> str:
        """All that the server could echo."""
        parts = (self.path, self.query, self.body, str(self.headers).encode())
        return unquote(b" ".join(parts).decode("latin1"))


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    failure: str = ""
    """The traceback of an exception in a view."""

    @property
    def text(self) -> str:
        return self.body.decode(errors="replace")

    def header(self, name: str) -> str:
        return next((value for key, value in self.headers if key == name), "")


@contextmanager
def recorded_failures() -> Iterator[None]:
    """Keep tracebacks of exceptions in views for their answers."""

    def record(**_: object) -> None:
        _raised.append(traceback.format_exc(limit=-8))

    got_request_exception.connect(record)
    try:
        yield
    finally:
        got_request_exception.disconnect(record)


def knock(request: Request) -> Answer:
    """Wait for the answer, and for the reply that it may have started."""
    _raised.clear()
    try:
        return run_coroutine(_exchange(request), PATIENCE)
    except TimeoutError:
        return Answer(500, (), b"", f"no answer within {PATIENCE} seconds")


async def _exchange(request: Request) -> Answer:
    left = asyncio.Event()
    sent: list[dict[str, Any]] = []
    pieces = [{"type": "http.request", "body": request.body}]

    async def receive() -> dict[str, Any]:
        if pieces:
            return pieces.pop()
        await left.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)
        if len(sent) > FRAMES:
            left.set()

    answering = asyncio.create_task(application(_scope(request), receive, send))
    await asyncio.wait(
        [answering, asyncio.create_task(left.wait())],
        return_when=asyncio.FIRST_COMPLETED,
    )
    while not answering.done():  # the wait_for of Python 3.11 may lose a cancellation
        await asyncio.wait([answering], timeout=0.3)
        answering.cancel()
    left.set()
    replies = [reply.task for reply in active_replies.replies.values() if reply.task]
    await asyncio.gather(*replies)
    await finish_storing()
    if not answering.cancelled() and (error := answering.exception()):
        _raised.extend(traceback.format_exception(error))
    return _answer(sent)


def _scope(request: Request) -> dict[str, Any]:
    length = {"content-length": str(len(request.body))} if request.body else {}
    headers = {"host": HOST, **length, **request.headers}
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http",
        "method": request.method,
        "path": unquote(request.path.decode("latin1")),
        "raw_path": request.path,
        "query_string": request.query,
        "root_path": "",
        "headers": [
            (name.lower().encode(), value.encode("latin1"))
            for name, value in headers.items()
        ],
        "client": (HOST, 0),
        "server": (HOST, 80),
    }


def _answer(sent: list[dict[str, Any]]) -> Answer:
    failure = "\n".join(_raised)
    if not sent:
        return Answer(500, (), b"", failure or "no answer")
    headers = tuple(
        (name.decode("latin1").lower(), value.decode("latin1"))
        for name, value in sent[0]["headers"]
    )
    body = b"".join(message.get("body", b"") for message in sent[1:])
    return Answer(sent[0]["status"], headers, body, failure)
