"""One update, from the state it has reached to its end.

Each step ends in a stored state, and each may be done again: a process that dies leaves
the update where the next one goes on. Only between Telegram's taking a message and our
storing its receipt can a message be sent twice.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from uuid import UUID

from conversations import user_texts
from conversations.models import TelegramUpdate
from conversations.reply import event_log, runner
from conversations.reply.turn import resume
from conversations.telegram import files, inbox
from conversations.telegram.accept import (
    Files,
    Unlinked,
    check_link,
    take_in,
    who,
)
from conversations.telegram.bot_api.errors import (
    Blocked,
    Refused,
    TelegramFailed,
    TooLarge,
)
from conversations.telegram.bot_api.schema import restored
from conversations.telegram.deliver import Chat, chat_of, deliver, plan
from conversations.telegram.format import escape
from conversations.telegram.undo_button import undo
from meddie.crypto import Unreadable
from meddie.threads import run_db
from people.telegram_links import mark_blocked

State = TelegramUpdate.State

TYPING_EVERY = 4.0
"""Seconds; Telegram shows it for five."""


async def handle(update: TelegramUpdate, lease: UUID) -> None:
    """Bring the update to its end. Raises TelegramFailed, LeaseLost, Busy."""
    chat = await run_db(chat_of, update)
    if restored(update.payload).callback_query is not None:
        await _press(update, chat, lease)
        return
    error = ""
    try:
        await _converse(update, chat, lease)
    except Blocked:
        await run_db(_note_block, update)
        error = Blocked.code
    except Unlinked:
        error = "unlinked"
    await run_db(inbox.finish, update, lease, error)


async def _converse(update: TelegramUpdate, chat: Chat, lease: UUID) -> None:
    if update.state == State.RECEIVED:
        fetched = await _fetched(update, chat)
        await run_db(take_in, update, lease, fetched)
    if update.state == State.TURN_STORED:
        await run_db(check_link, update)
        async with _typing(chat):
            await _reply(update, lease)
        await run_db(plan, update, lease)
    await run_db(check_link, update)
    await deliver(update, chat, lease)


async def _reply(update: TelegramUpdate, lease: UUID) -> None:
    """Write the reply, from its start if somebody left it unfinished."""
    if update.reply_id is None:
        return
    turn = await run_db(resume, update.reply_id, lease)
    if turn is not None:
        await event_log.clear(turn.reply_id)
        await runner.write(turn)


async def _fetched(update: TelegramUpdate, chat: Chat) -> Files:
    """The message's file, if we know who sent it."""
    message = restored(update.payload).message
    found = files.of(message) if message else None
    if found is None or await run_db(who, update) is None:
        return Files()
    try:
        return Files(await files.fetch(chat.api, *found))
    except Refused as refusal:
        # Telegram will not hand it out, however often it is asked.
        return Files(too_large=isinstance(refusal, TooLarge), lost=True)


async def apologise(update: TelegramUpdate) -> None:
    """Say that there will be no answer, if that much can be sent."""
    try:
        chat = await run_db(chat_of, update)
        await run_db(check_link, update)
        await chat.api.send(chat.id, escape(str(user_texts.UNKNOWN)))
    except (TelegramFailed, Unlinked, Unreadable):
        return  # the dead letter tells staff


def _note_block(update: TelegramUpdate) -> None:
    speaker = who(update)
    if speaker is not None:
        mark_blocked(speaker.link_id)


async def _press(update: TelegramUpdate, chat: Chat, lease: UUID) -> None:
    """A button. What Telegram says to the answer is of no weight: it may be too late."""
    said, line = await run_db(undo, update, lease)
    query = restored(update.payload).callback_query
    assert query is not None  # noqa: S101 -- the caller's case
    with suppress(Refused, Blocked):
        await chat.api.answer_callback(query.id, said)
    if line and query.message is not None:
        html = f"<i><s>{escape(line)}</s> {escape(said)}</i>"
        with suppress(Refused, Blocked):
            await chat.api.edit(chat.id, query.message.message_id, html)
    await run_db(inbox.finish, update, lease)


@asynccontextmanager
async def _typing(chat: Chat) -> AsyncIterator[None]:
    """Show that an answer is on its way, for as long as the body takes."""
    showing = asyncio.create_task(_show_typing(chat))
    try:
        yield
    finally:
        showing.cancel()
        with suppress(asyncio.CancelledError):
            await showing


async def _show_typing(chat: Chat) -> None:
    while True:
        with suppress(TelegramFailed):  # a courtesy; the answer will tell
            await chat.api.typing(chat.id)
        await asyncio.sleep(TYPING_EVERY)
