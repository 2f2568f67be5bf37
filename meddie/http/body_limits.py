"""Limits on the size of addresses, and on the size and the time of request bodies.

A request whose body has arrived waits for its place in a queue.

Django reads a whole body, into a temporary file, before it asks any view.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from http import HTTPStatus
from typing import Any

from django.conf import settings

from meddie.http.api_edge import ApiError, form_of, is_api
from meddie.http.headers import beside_django
from meddie.http.overload import LEAVE, Overloaded, Place, place_in_queue
from meddie.outages import is_disk_full

Event = Mapping[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
Application = Callable[[dict[str, Any], Receive, Send], Awaitable[None]]

WEBHOOKS = "/telegram/"  # see conversations.telegram.urls
LONGEST_UPDATE = 256 * 1024  # bytes
ARRIVES_WITHIN = 60.0  # seconds, for all of a body
RETRY_AFTER = b"5"  # seconds
LINGER = 5.0  # seconds; a connection closed while data arrives loses the answer
REFUSALS = {
    HTTPStatus.REQUEST_TIMEOUT: "The request took too long to arrive.",
    HTTPStatus.REQUEST_URI_TOO_LONG: "The address is too long.",
    HTTPStatus.INSUFFICIENT_STORAGE: "Meddie's disk is full.",
    HTTPStatus.SERVICE_UNAVAILABLE: "Meddie has too much to do. Try again in a while.",
}
STILL_ARRIVING = (
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.INSUFFICIENT_STORAGE,
)
DISCONNECT: Event = {"type": "http.disconnect"}


class LimitedBody:
    """An application's `receive`, which disconnects it when a limit is exceeded."""

    def __init__(self, receive: Receive, most_bytes: int, place: Place) -> None:
        self._receive = receive
        self._place = place
        self._left = most_bytes
        now = asyncio.get_running_loop().time()
        self._deadline = now + ARRIVES_WITHIN
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
        if self.complete:
            try:
                await self._place.enter()
            except Overloaded:
                self.refusal = HTTPStatus.SERVICE_UNAVAILABLE
                return DISCONNECT
        return event

    def refuse_if_full(self, error: OSError) -> None:
        """Raises the error unless the rest of the body finds no room on the disk."""
        if self.complete or not is_disk_full(error):
            raise error
        self.refusal = HTTPStatus.INSUFFICIENT_STORAGE


def _most(path: str) -> tuple[int, str]:
    """Bytes of a body, and how a refusal names them."""
    if path.startswith(WEBHOOKS):
        return LONGEST_UPDATE, f"{LONGEST_UPDATE // 1024} kB"
    return settings.MAX_BODY_MB * 1024 * 1024, f"{settings.MAX_BODY_MB} MB"


async def run_limited(
    application: Application, scope: dict[str, Any], receive: Receive, send: Send
) -> None:
    """Run the application; answer 413, 414, 408, 503 or 507 when a limit is exceeded."""
    most, size = _most(scope["path"])
    lengths = (value for name, value in scope["headers"] if name == b"content-length")
    declared = max((int(value) for value in lengths if value.isdigit()), default=0)
    place = place_in_queue(of_api=is_api(scope["path"]))
    body = LimitedBody(receive, most, place)

    async def send_on(event: Event) -> None:
        if event["type"] == "http.response.start":
            place.leave()
        await send(event)

    # A search of 1 MB would become a statement of 1 MB.
    if len(scope["path"]) + len(scope["query_string"]) > 16 * 1024:
        body.refusal = HTTPStatus.REQUEST_URI_TOO_LONG
    elif declared > most:
        body.refusal = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    else:
        within = {**scope, LEAVE: place.leave}
        try:
            await application(within, body.receive, send_on)
        except OSError as error:
            body.refuse_if_full(error)
        finally:
            place.leave()
    if body.refusal is not None:
        refusal = _refusal(scope, body.refusal, f"A request has at most {size}.")
        arriving = body.refusal in STILL_ARRIVING
        way_out = beside_django(send)
        await _refuse(way_out, body.refusal, refusal, receive if arriving else None)


def _refusal(
    scope: dict[str, Any], status: HTTPStatus, too_large: str
) -> tuple[bytes, bytes]:
    sentence, path = REFUSALS.get(status, too_large), scope["path"]
    if is_api(path):
        authorization = dict(scope["headers"]).get(b"authorization", b"")
        form = form_of(path, authorization.decode("latin-1"))
        kind, body = ApiError(status, sentence).body(form)
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
    if status is HTTPStatus.SERVICE_UNAVAILABLE:
        headers.append((b"retry-after", RETRY_AFTER))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    answer = {"type": "http.response.body", "body": body}
    await send(answer | {"more_body": True})
    if rest is not None:
        with suppress(TimeoutError):
            async with asyncio.timeout(LINGER):
                while (await rest()).get("more_body"):
                    pass
    await send({"type": "http.response.body"})
