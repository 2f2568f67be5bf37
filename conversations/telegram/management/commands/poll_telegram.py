"""`manage.py poll_telegram`: fetch updates without a public address."""

import asyncio
import contextlib
import signal
from typing import Any

from django.core.management.base import BaseCommand

from conversations.telegram.polling import poll


class Command(BaseCommand):
    help = "Ask Telegram for messages to the bots that have no webhook, until ended."

    def handle(self, *args: Any, **options: Any) -> None:
        asyncio.run(_until_ended())


async def _until_ended() -> None:
    polling = asyncio.create_task(poll())
    for ending in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(ending, polling.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await polling
