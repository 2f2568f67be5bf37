"""The headers of answers that do not come from Django's middleware."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

Send = Callable[[Any], Awaitable[None]]
HEADERS: Mapping[bytes, bytes] = {
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"same-origin",
    b"content-security-policy": b"default-src 'none'",
}


def beside_django(send: Send) -> Send:
    """The one way out for what the ASGI application answers by itself."""

    async def send_with_headers(event: dict[str, Any]) -> None:
        if event["type"] == "http.response.start":
            event = {**event, "headers": [*event["headers"], *HEADERS.items()]}
        await send(event)

    return send_with_headers
