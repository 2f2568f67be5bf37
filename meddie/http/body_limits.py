"""Limits on the size of addresses, and on the size and the time of request bodies.

Django reads a whole body, into a temporary file, before it asks any view.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from http import HTTPStatus
from typing import Any

from django.conf import settings

from meddie.http.api import ApiError, is_api
from meddie.outages import is_disk_full

Event = Mapping[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
Application = Callable[[dict[str, Any], Receive, Send], Awaitable[None]]

WEBHOOKS = "/telegram/"  # see conversations.telegram.urls
LINGER = 5.0  # seconds; a connection closed while data arrives loses the answer
STILL_ARRIVING = (
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.INSUFFICIENT_STORAGE,
)
DISCONNECT: Event = {"type": "http.disconnect"}


class LimitedBody:
    """An application's `receive`, which disconnects it when a limit is exceeded."""

    def __init__(self, receive: Receive, most_bytes: int) -> None:
        self._receive = receive
        self._left = most_bytes
        now = asyncio.get_running_loop().time()
        self._deadline = now + settings.MAX_BODY_SECONDS
        self.complete = False
        self.refusal: HTTPStatus | None = None

    async def receive(self) -> Event:
        if self.refusal:
            return DISCONNECT
        if self.complete:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._deadline):
                event = await self._receive()
        except TimeoutError:
            self.refusal = HTTPStatus.REQUEST_TIMEOUT
            return DISCONNECT
        self._left -= len(event.get("body", b""))
        if self._left < 0:
            self.refusal = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
            return DISCONNECT
        self.complete = not event.get("more_body", False)
        return event


async def run_limited(
    application: Application, scope: dict[str, Any], receive: Receive, send: Send
) -> None:
    """Run the application; answer 413, 414, 408 or 507 when a limit is exceeded."""
    most, size = settings.MAX_BODY_MB * 1024 * 1024, f"{settings.MAX_BODY_MB} MB"
    if scope["path"].startswith(WEBHOOKS):
        most, size = settings.MAX_WEBHOOK_KB * 1024, f"{settings.MAX_WEBHOOK_KB} kB"
    lengths = (value for name, value in scope["headers"] if name == b"content-length")
    declared = max((int(value) for value in lengths if value.isdigit()), default=0)
    body = LimitedBody(receive, most)
    # A search of 1 MB would become a statement of 1 MB.
    if len(scope["path"]) + len(scope["query_string"]) > 16 * 1024:
        body.refusal = HTTPStatus.REQUEST_URI_TOO_LONG
    elif declared > most:
        body.refusal = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    else:
        try:
            await application(scope, body.receive, send)
        except OSError as error:
            if body.complete or not is_disk_full(error):
                raise
            body.refusal = HTTPStatus.INSUFFICIENT_STORAGE
    if body.refusal is None:
        return
    sentence = {
        HTTPStatus.REQUEST_TIMEOUT: "The request took too long to arrive.",
        HTTPStatus.REQUEST_URI_TOO_LONG: "The address is too long.",
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE: f"A request has at most {size}.",
        HTTPStatus.INSUFFICIENT_STORAGE: "Meddie's disk is full.",
    }[body.refusal]
    refusal = _refusal(scope["path"], body.refusal, sentence)
    arriving = body.refusal in STILL_ARRIVING
    await _refuse(send, body.refusal, refusal, receive if arriving else None)


def _refusal(path: str, status: HTTPStatus, sentence: str) -> tuple[bytes, bytes]:
    if is_api(path):
        kind, body = ApiError(status, sentence).body(path)
        return kind.encode(), body
    return b"text/plain; charset=utf-8", f"{sentence}\n".encode()


async def _refuse(
    send: Send,
    status: HTTPStatus,
    refusal: tuple[bytes, bytes],
    rest: Receive | None = None,
) -> None:
    """Answer, read on for LINGER seconds if there is a `rest`, and close."""
    kind, body = refusal
    headers = [
        (b"content-type", kind),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    answer = {"type": "http.response.body", "body": body}
    await send(answer | {"more_body": True})
    if rest is not None:
        with suppress(TimeoutError):
            async with asyncio.timeout(LINGER):
                while (await rest()).get("more_body"):
                    pass
    await send({"type": "http.response.body"})
