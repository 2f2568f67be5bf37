"""The ASGI application: Django, and what has to happen before the process ends."""

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, Scope
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "meddie.settings")
django_application = get_asgi_application()

logger = logging.getLogger(__name__)
SHUTDOWN = 5.0  # seconds
# Called at the end of the process, after the server has ended its streams.
on_shutdown: list[Callable[[], Awaitable[object]]] = []


async def application(
    scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
) -> None:
    """Django, which knows no lifespan, with one around it."""
    if scope["type"] == "lifespan":
        await _lifespan(receive, send)
    else:
        await django_application(scope, receive, send)


async def _lifespan(receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    await receive()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    for hook in on_shutdown:
        try:
            await asyncio.wait_for(hook(), SHUTDOWN)
        except Exception:  # the edge of the process: the other hooks must run
            logger.exception("A shutdown hook failed")
    await send({"type": "lifespan.shutdown.complete"})
