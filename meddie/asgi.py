"""The ASGI application: Django, and what has to happen before the process ends."""

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "meddie.settings")
django_application = get_asgi_application()

logger = logging.getLogger(__name__)
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]

SHUTDOWN = 5.0  # seconds
# Called at the end of the process, after the server has ended its streams.
on_shutdown: list[Callable[[], Awaitable[object]]] = []


async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Django, which knows no lifespan, with one around it."""
    if scope["type"] == "lifespan":
        await _lifespan(receive, send)
    else:
        await django_application(scope, receive, send)


async def _lifespan(receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    for hook in on_shutdown:
        try:
            await asyncio.wait_for(hook(), SHUTDOWN)
        except Exception:  # the edge of the process: the other hooks must run
            logger.exception("A shutdown hook failed")
    await send({"type": "lifespan.shutdown.complete"})
