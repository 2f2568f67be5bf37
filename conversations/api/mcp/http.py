"""The server under /mcp: streamable HTTP without sessions, by the keys of the API."""

from functools import partial
from typing import Any

from django.http.request import HttpHeaders
from mcp.server.transport_security import TransportSecuritySettings

from conversations.api.mcp.server import CALLER, server
from conversations.api.memories.caller import admit_caller
from meddie.http.api import ApiError, with_whole_characters
from meddie.http.body_limits import Event, Receive, Send
from meddie.threads import run_work

# Nothing is allowed by the address of a page: each request needs its key.
ANY_HOST = TransportSecuritySettings(enable_dns_rebinding_protection=False)


async def answer_mcp(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """An ASGI application; every request has a transport of its own (decision 44)."""
    try:
        caller = await run_work(admit_caller, _headers(scope), adds=True)
    except ApiError as error:
        await _refuse(send, error)
        return
    CALLER.set(caller)
    application: Any = server.streamable_http_app(
        streamable_http_path=scope["path"],
        json_response=True,
        stateless_http=True,
        transport_security=ANY_HOST,
    )
    async with application.router.lifespan_context(application):
        await application(scope, partial(_receive_whole, receive), send)


async def _receive_whole(receive: Receive) -> Event:
    """A request with its whole body, as `read_json` reads it."""
    parts = []
    while (event := await receive())["type"] == "http.request":
        parts.append(event.get("body", b""))
        if not event.get("more_body"):
            return {**event, "body": with_whole_characters(b"".join(parts))}
    return event


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
