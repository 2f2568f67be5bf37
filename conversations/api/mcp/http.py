"""The server under /mcp: streamable HTTP without sessions, by the keys of the API."""

from typing import Any

from django.conf import settings
from django.http.request import HttpHeaders
from mcp.server.transport_security import TransportSecuritySettings

from conversations.api.mcp.server import CALLER, server
from conversations.api.memories.caller import admit_caller
from meddie.bounded_json import TooMuch, check_json, with_whole_characters
from meddie.http.api import ApiError, BodyTooLarge
from meddie.http.body_limits import Event, Receive, Send
from meddie.threads import run_work

# Nothing is allowed by the address of a page: each request needs its key.
ANY_HOST = TransportSecuritySettings(enable_dns_rebinding_protection=False)


class Gone(Exception):
    """The client has left, or sends more than any request may have."""


async def answer_mcp(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """An ASGI application; every request has a transport of its own (decision 44)."""
    try:
        caller = await run_work(admit_caller, _headers(scope), adds=True)
        body = await run_work(_checked, await _whole_body(receive))
    except ApiError as error:
        await _refuse(send, error)
        return
    except Gone:
        return
    CALLER.set(caller)
    receive = _after(body, receive)
    application: Any = server.streamable_http_app(
        streamable_http_path=scope["path"],
        json_response=True,
        stateless_http=True,
        transport_security=ANY_HOST,
    )
    async with application.router.lifespan_context(application):
        await application(scope, receive, send)


async def _whole_body(receive: Receive) -> bytes:
    """Read to the end, or the client would miss the refusal. Raises BodyTooLarge, Gone."""
    body, most = bytearray(), settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    more = True
    while more:
        event = await receive()
        if event["type"] != "http.request":
            raise Gone
        if len(body) <= most:
            body += event.get("body", b"")
        more = event.get("more_body", False)
    if len(body) > most:
        raise BodyTooLarge
    return bytes(body)


def _checked(body: bytes) -> bytes:
    """As `read_json` reads it. Raises BodyTooLarge."""
    try:
        check_json(body)
    except TooMuch as error:
        raise BodyTooLarge from error
    return with_whole_characters(body)


def _after(body: bytes, receive: Receive) -> Receive:
    """A `receive` that first gives the body."""
    left: list[Event] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_on() -> Event:
        return left.pop() if left else await receive()

    return receive_on


def _headers(scope: dict[str, Any]) -> HttpHeaders:
    named = {
        f"HTTP_{name.decode('latin1').upper().replace('-', '_')}": value.decode(
            "latin1"
        )
        for name, value in scope["headers"]
    }
    return HttpHeaders(named)


async def _refuse(send: Send, error: ApiError) -> None:
    kind, body = error.body("/mcp")
    headers = {"Content-Type": kind, **error.headers}
    if error.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    listed = [(n.encode(), v.encode()) for n, v in headers.items()]
    start = {"type": "http.response.start", "status": error.status, "headers": listed}
    await send(start)
    await send({"type": "http.response.body", "body": body})
