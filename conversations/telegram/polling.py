"""Poll for updates without a public address.

An offset only confirms what was stored just before: after a quiet week Telegram may
begin again with lower ids. The inbox refuses updates that come twice.
"""

import asyncio
import logging
from contextlib import closing, suppress
from threading import Thread
from typing import Any
from uuid import UUID

from django.db import DatabaseError, DataError, transaction

from conversations.telegram.bot_api.api import api
from conversations.telegram.bot_api.schema import Malformed
from conversations.telegram.bot_api.transport import TelegramFailed
from conversations.telegram.models import TelegramBot
from conversations.telegram.process import INBOX
from conversations.telegram.updates import receive
from meddie.celery import Beside
from meddie.crypto import KeyLost
from meddie.threads import run_db

logger = logging.getLogger(__name__)

WAIT = 25  # seconds that Telegram waits before it answers with no update
CHECK_EVERY = 5.0  # seconds between two checks for connected and disconnected bots
PAUSE_AFTER_ERROR = 5.0  # seconds after an error


class Poller(Thread):
    """Polls in an event loop of its own until it is stopped."""

    def __init__(self) -> None:
        super().__init__(name="polling", daemon=True)
        self.loop = asyncio.new_event_loop()

    def run(self) -> None:
        self.polling = self.loop.create_task(poll())
        with closing(self.loop), suppress(asyncio.CancelledError):
            self.loop.run_until_complete(self.polling)

    def stop(self) -> None:
        self.loop.call_soon_threadsafe(self._cancel)
        self.join()

    def _cancel(self) -> None:
        self.polling.cancel()


class Polling(Beside):
    """`--with-polling`: a worker that also polls."""

    def __init__(self, parent: Any, **options: Any) -> None:
        super().__init__(parent, **options)
        self.enabled = bool(options.get("with_polling"))

    def create(self, parent: Any) -> Any:
        return Poller()


async def poll() -> None:
    """Poll for all bots without a webhook, until cancelled."""
    running: dict[UUID, asyncio.Task[None]] = {}
    try:
        while True:
            wanted = await _wanted()
            for key in [key for key in running if key not in wanted]:
                running.pop(key).cancel()
            for key in wanted:
                if key not in running or running[key].done():
                    running[key] = asyncio.create_task(_poll_bot(key))
            await asyncio.sleep(CHECK_EVERY)
    finally:
        for task in running.values():
            task.cancel()


async def _wanted() -> list[UUID]:
    try:
        polled = TelegramBot.objects.filter(polled=True)
        return await run_db(list, polled.values_list("pk", flat=True))
    except DatabaseError:
        logger.warning("The database does not answer")
        return []


async def _poll_bot(key: UUID) -> None:
    offset = 0
    while True:
        try:
            bot = await run_db(TelegramBot.objects.filter(pk=key).first)
        except KeyLost as problem:
            logger.error("Bot %s cannot be polled: %s", key, problem)  # noqa: TRY400 -- one sentence
            return
        if bot is None or not bot.polled:
            return
        try:
            updates = await api(bot.token, bot.api_url).get_updates(offset, WAIT)
        except TelegramFailed as failure:
            offset = 0
            await run_db(_note, key, failure.code)
            # Errors that only an admin can mend are retried less often.
            pause = 12 * PAUSE_AFTER_ERROR if failure.permanent else PAUSE_AFTER_ERROR
            await asyncio.sleep(failure.retry_after or pause)
            continue
        if bot.error:
            await run_db(_note, key, "")
        threads, offset = await run_db(_receive, bot, updates)
        INBOX.ring(threads)


@transaction.atomic
def _receive(
    bot: TelegramBot, updates: list[dict[str, object]]
) -> tuple[set[UUID], int]:
    """Store updates; return their threads and the offset that confirms them."""
    threads = set()
    for payload in updates:
        try:
            thread_id = receive(bot, payload)
        except (Malformed, DataError):
            logger.warning("An update of bot %s could not be read", bot.pk)
            continue
        if thread_id is not None:
            threads.add(thread_id)
    numbers = [n for u in updates if isinstance(n := u.get("update_id"), int)]
    # As the inbox needs.
    known = [n for n in numbers if 0 <= n < 2**62]
    return threads, max(known, default=-1) + 1


def _note(key: UUID, problem: str) -> None:
    known = problem if problem in TelegramBot.Error else TelegramBot.Error.REFUSED
    TelegramBot.objects.filter(pk=key).update(error=known if problem else "")
