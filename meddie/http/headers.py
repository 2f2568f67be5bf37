"""Headers that Django does not see to: of answers beside it, and the origin of requests."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest

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


def rate_limit(
    name: str, most: int, window: int, left: int, seconds: int
) -> dict[str, str]:
    """As the IETF's draft on RateLimit header fields has them, in seconds."""
    return {
        "RateLimit-Policy": f'"{name}";q={most};w={window}',
        "RateLimit": f'"{name}";r={left};t={seconds}',
    }


def has_own_origin(request: HttpRequest) -> bool:
    """Whether it comes from a page of Meddie, or from no page."""
    own = {f"{request.scheme}://{request.get_host()}", *settings.CSRF_TRUSTED_ORIGINS}
    return request.headers.get("Origin") in {None, *own}
