"""Carry one request of /mcp out: streamable HTTP without sessions and streams."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest, HttpResponse
from mcp.server.transport_security import TransportSecuritySettings

from conversations.api.mcp.server import CALLER, server
from conversations.api.memories.caller import Caller
from meddie.http.body_limits import Event

PATH = "/mcp"
# Django has checked the host, and the view the origin.
CHECKED = TransportSecuritySettings(enable_dns_rebinding_protection=False)


async def answer_mcp(caller: Caller, request: HttpRequest, body: bytes) -> HttpResponse:
    """Every request has a transport of its own (decision 44)."""
    CALLER.set(caller)
    application: Any = server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        transport_security=CHECKED,
    )
    exchange = Exchange(body)
    async with application.router.lifespan_context(application):
        await application(_scope(request), exchange.receive, exchange.send)
    return exchange.response()


@dataclass(slots=True)
class Exchange:
    """A request with its body, and its answer."""

    body: bytes | None
    sent: list[Event] = field(default_factory=list)

    async def receive(self) -> Event:
        if self.body is None:
            await asyncio.Event().wait()
        body, self.body = self.body, None
        return {"type": "http.request", "body": body}

    async def send(self, event: Event) -> None:
        self.sent.append(event)

    def response(self) -> HttpResponse:
        start, *parts = self.sent
        headers = {name.decode(): value.decode() for name, value in start["headers"]}
        return HttpResponse(
            b"".join(part.get("body", b"") for part in parts),
            status=start["status"],
            headers=headers,
        )


def _scope(request: HttpRequest) -> dict[str, Any]:
    headers = [
        # White space around a value is not part of it (RFC 9110).
        (name.lower().encode("latin1"), value.strip(" \t").encode("latin1"))
        for name, value in request.headers.items()
    ]
    return {
        "type": "http",
        "http_version": "1.1",
        "method": request.method,
        "scheme": request.scheme,
        "path": PATH,
        "raw_path": PATH.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": headers,
    }
