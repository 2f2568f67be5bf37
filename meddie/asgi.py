"""The ASGI application: Django with a lifespan."""

import asyncio
import gc
import logging
import os
from typing import Any

from django.conf import settings
from django.core.asgi import get_asgi_application

from meddie.tracing import start_tracing

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "meddie.settings")
start_tracing()
django_application = get_asgi_application()

from conversations.api.openai.calls import finish_storing  # noqa: E402 -- Django first
from conversations.reply import runner  # noqa: E402
from meddie.ai import client, embeddings  # noqa: E402
from meddie.http.body_limits import Receive, Send, run_limited  # noqa: E402
from meddie.http.headers import beside_django  # noqa: E402
from meddie.http.health import send_alive  # noqa: E402
from meddie.threads import run_work  # noqa: E402

logger = logging.getLogger(__name__)

CONSOLE = "django.core.mail.backends.console.EmailBackend"


async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    if scope["type"] == "lifespan":
        await _lifespan(receive, send)
    elif scope["path"] == "/healthz":  # it waits for no thread
        await send_alive(beside_django(send))
    else:
        await run_limited(django_application, scope, receive, send)


async def _lifespan(receive: Receive, send: Send) -> None:
    await receive()
    if settings.EMAIL_BACKEND == CONSOLE:
        logger.warning("Mails are printed here with their links: EMAIL_URL is console:")
    warming = asyncio.create_task(run_work(_warm))
    await send({"type": "lifespan.startup.complete"})
    await receive()
    warming.cancel()
    try:
        # Streams have ended by now; their replies still run.
        async with asyncio.timeout(5.0):
            await asyncio.gather(runner.shutdown(), finish_storing())
    except Exception:  # the outermost edge: the process ends anyway
        logger.exception("Running replies could not be stored")
    await send({"type": "lifespan.shutdown.complete"})


def _warm() -> None:
    """Load what the first request needs, and exempt it from garbage collection."""
    client.import_sdk()
    embeddings.load_model()
    gc.collect()
    gc.freeze()
