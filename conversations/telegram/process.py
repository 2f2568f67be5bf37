"""Process one update from its stage to its end.

Each step ends in a stored stage and can be repeated. A message can be sent twice only
if the worker dies before it stores Telegram's receipt.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils.text import Truncator

from conversations import event_log, user_texts
from conversations.attachments.derivations import recording_name
from conversations.attachments.storage import MOST_FILES, open_file
from conversations.inbox import Failed, Inbox, Postponed, Undeliverable
from conversations.models import Attachment, Message
from conversations.refusals import Busy
from conversations.reply import about_whom, change_lines, confirmations, runner
from conversations.reply.turn import resume
from conversations.telegram import bot_texts, files
from conversations.telegram.accept import accept_message
from conversations.telegram.bot_api.api import Button
from conversations.telegram.bot_api.schema import IncomingMessage, restored
from conversations.telegram.bot_api.transport import (
    Blocked,
    TelegramFailed,
    TelegramRefused,
    TooLarge,
    WrongToken,
)
from conversations.telegram.deliver import (
    ABOUT,
    NO,
    UNDO,
    YES,
    Chat,
    chat_of,
    choice_buttons,
    deliver,
    plan,
    reply_texts,
    send_early_notes,
)
from conversations.telegram.format import escape
from conversations.telegram.incoming import (
    Files,
    Incoming,
    Unlinked,
    check_link,
    in_language_of,
    incoming_of,
    seconds_until_whole,
    speaker_of,
    store_file,
)
from conversations.telegram.links import Speaker, mark_blocked
from conversations.telegram.models import TelegramBot, TelegramPart, TelegramUpdate
from conversations.telegram.updates import end_update
from meddie.ai.background import answer_of, paid_by
from meddie.ai.errors import AIError
from meddie.ai.provider import current_provider
from meddie.crypto import KeyLost
from meddie.threads import run_db, run_repeatable, run_work
from people.models import User

Stage = TelegramUpdate.Stage
LONGEST_ANSWER = 200  # characters that Telegram shows above the chat


async def handle(update: TelegramUpdate) -> None:
    """Bring the update to its end. Raises Failed and its subclasses, LeaseLost."""
    try:
        if update.kind == TelegramUpdate.Kind.BUTTON:
            await _handle_button(update)
        else:
            await _answer(update)
    except TelegramFailed as failure:
        if failure.retry_after is not None:
            raise Postponed(failure.code, failure.retry_after) from None
        if isinstance(failure, WrongToken):
            bots = TelegramBot.objects.filter(pk=update.bot_id)
            await run_db(partial(bots.update, error=failure.code))
        elif isinstance(failure, TelegramRefused):
            raise Undeliverable(failure.code) from None
        raise Failed(failure.code) from None
    except Busy:
        raise Postponed("busy", 1.0) from None


async def apologise(update: TelegramUpdate) -> None:
    """Tell the sender that there will be no answer, if possible."""
    try:
        chat = await run_repeatable(chat_of, update)
        await run_repeatable(check_link, update)
        await chat.send(escape(str(user_texts.UNKNOWN_FAILURE)))
    except (TelegramFailed, Unlinked, KeyLost):
        return  # staff see the dead update


INBOX = Inbox(
    TelegramUpdate, handle=handle, apologise=apologise, first=send_early_notes
)


async def _answer(update: TelegramUpdate) -> None:
    chat = await run_db(chat_of, update)
    note = ""
    try:
        await _run_stages(update, chat)
    except Blocked:
        await run_db(_note_block, update)
        note = Blocked.code
    except Unlinked:
        note = "unlinked"
    await run_db(end_update, update, note)


async def _run_stages(update: TelegramUpdate, chat: Chat) -> None:
    if update.stage == Stage.RECEIVED:
        incoming = await _whole(update)
        fetched = await _fetch(incoming, chat)
        await run_db(accept_message, replace(incoming, files=fetched))
    if update.stage == Stage.TURN_STORED:
        await run_db(check_link, update)
        await deliver(update, chat)  # the note about an emergency
        async with _typing(chat):
            await _reply(update)
        await run_db(plan, update)
    await run_db(check_link, update)
    await deliver(update, chat)


async def _reply(update: TelegramUpdate) -> None:
    if update.reply_id is None or update.lease_holder is None:
        return
    # An earlier worker may have left the reply unfinished, or the sweep interrupted it
    # while the database did not take its heartbeat.
    while turn := await run_db(resume, update.reply_id, update.lease_holder):
        await event_log.clear(turn.reply_id)
        await runner.write_reply(turn)


async def _whole(update: TelegramUpdate) -> Incoming:
    """The message, or the album once its last picture is there, with the files."""
    for _ in range(MOST_FILES):
        left = await run_db(seconds_until_whole, update)
        if left <= 0:
            break
        await asyncio.sleep(left)
    return await run_db(incoming_of, update)


async def _fetch(incoming: Incoming, chat: Chat) -> Files:
    update = incoming.update
    if await run_db(speaker_of, update) is None:
        return Files()
    fetched = [await _fetch_one(update, message, chat) for message in incoming.messages]
    files = Files(
        [file for found in fetched for file in found.stored],
        problems=[problem for found in fetched for problem in found.problems],
    )
    is_edit = (
        update.kind == TelegramUpdate.Kind.EDIT
    )  # most bring what was heard before
    return await _heard(files) if len(files.stored) == 1 and not is_edit else files


async def _fetch_one(
    update: TelegramUpdate, message: IncomingMessage, chat: Chat
) -> Files:
    found = files.file_of(message)
    if found is None:
        return Files(problems=[bot_texts.cannot_read] if message.caption else [])
    try:
        fetched = await files.fetch(chat.api, found)
    except TooLarge:
        return Files(problems=[bot_texts.too_large])
    except TelegramFailed as failure:
        is_last = update.attempts + 1 >= update.MOST_ATTEMPTS
        if isinstance(failure, TelegramRefused) or is_last:
            return Files(problems=[bot_texts.lost])  # and the caption is answered
        raise
    return await run_db(store_file, update, fetched)


async def _heard(found: Files) -> Files:
    """With the words of a recording."""
    [file] = found.stored
    if file.user is None or file.kind != Attachment.Kind.AUDIO:
        return found
    recording = await run_db(_content, file)
    provider = current_provider()
    asking = provider.transcribe(recording_name(file), recording)
    try:
        with paid_by(file.user.pk):
            words = await run_work(answer_of, provider, asking, 60.0)
    except AIError:
        return found  # its job tries again
    return replace(found, transcript=words)


def _content(file: Attachment) -> bytes:
    with open_file(file) as opened:
        return bytes(opened.read())


async def _handle_button(update: TelegramUpdate) -> None:
    # Refused answers are ignored: Telegram accepts none to an old button.
    chat = await run_db(chat_of, update)
    result, html, buttons = await run_db(press, update)
    query = restored(update.payload).callback_query
    assert query is not None  # noqa: S101 -- the kind of the update
    with suppress(TelegramRefused, Blocked):
        await chat.api.answer_callback(query.id, result)
    if html and query.message is not None:
        with suppress(TelegramRefused, Blocked):
            await chat.api.edit(chat.id, query.message.message_id, html, buttons)
    await run_db(end_update, update)


def _note_block(update: TelegramUpdate) -> None:
    speaker, place = speaker_of(update), restored(update.payload).place
    if speaker is not None and not (place and place.is_in_group):
        mark_blocked(speaker.link_id)


@asynccontextmanager
async def _typing(chat: Chat) -> AsyncIterator[None]:
    showing = asyncio.create_task(_show_typing(chat))
    try:
        yield
    finally:
        showing.cancel()
        with suppress(asyncio.CancelledError):
            await showing


async def _show_typing(chat: Chat) -> None:
    while True:
        with suppress(TelegramFailed):
            await chat.api.typing(chat.id, chat.topic)
        # Seconds; Telegram shows it for five.
        await asyncio.sleep(4.0)


class Pressed(NamedTuple):
    """What a button did: the text to show, and the line's new HTML and buttons, if any."""

    text: str
    html: str = ""
    buttons: Sequence[Button] = ()


@transaction.atomic
def press(update: TelegramUpdate) -> Pressed:
    """Undo or answer.

    Only for lines of the same chat and user. Pressing twice gives the same answer.
    Raises LeaseLost.
    """
    update.hold()
    incoming = restored(update.payload)
    speaker = speaker_of(update)
    data = incoming.callback_query.data if incoming.callback_query else ""
    with in_language_of(speaker, incoming):
        line = _line(update, speaker, data)
        if speaker is None or speaker.user is None or line is None:
            return Pressed(bot_texts.nothing_to_undo())
        if data.startswith(ABOUT):
            return _named(line, speaker.user, data.rpartition(":")[2])
        if not data.startswith(UNDO):
            return _answered(line, speaker.user, agrees=data.startswith(YES))
        if not change_lines.is_undone(line) and (
            line.has_later_user_message()
            or not change_lines.undo_line(line, speaker.user)
        ):
            return Pressed(bot_texts.nothing_to_undo())
        line = _line(update, speaker, data) or line
        text = escape(change_lines.sentence(line))
        if line.profile_update is not None:
            text = f"<s>{text}</s> {escape(bot_texts.undone())}"
        return Pressed(bot_texts.undone(), _below_reply(line, f"<i>{text}</i>"))


def _answered(line: Message, user: User, *, agrees: bool) -> Pressed:
    waits = confirmations.waits(line)
    if waits and line.has_later_user_message():
        return Pressed(bot_texts.nothing_to_undo())
    if waits:
        confirmations.answer_line(line, user, agrees=agrees)
    told = Message.objects.with_changes().get(pk=line.pk)
    text = change_lines.sentence(told)
    undo = Button(bot_texts.undo_label(), f"{UNDO}{line.pk}")
    changed = told.line_kind in change_lines.UNDOABLE
    buttons = [undo] if changed and change_lines.can_undo(told) else []
    shown = Truncator(text).chars(LONGEST_ANSWER)
    return Pressed(shown, f"<i>{escape(text)}</i>", buttons)


def _named(line: Message, user: User, value: str) -> Pressed:
    if line.has_later_user_message() or not about_whom.answer(line, user, value):
        return Pressed(bot_texts.nothing_to_undo())
    told = Message.objects.with_changes().get(pk=line.pk)
    text = change_lines.sentence(told)
    shown = Truncator(text).chars(LONGEST_ANSWER)
    return Pressed(shown, f"<i>{escape(text)}</i>", choice_buttons(told))


def _below_reply(line: Message, html: str) -> str:
    """The line as its message shows it: below the end of the reply, if it was sent so."""
    parts = TelegramPart.objects.filter(undo=line.pk).select_related("reply")
    reply = next((part.reply for part in parts if part.reply), None)
    return "\n\n".join([*(reply_texts(reply)[-1:] if reply else []), html])


def _line(update: TelegramUpdate, speaker: Speaker | None, data: str) -> Message | None:
    """The line whose key the button has; older buttons have its profile update's."""
    action, colon, key = data.partition(":")
    key = key.partition(":")[0]
    if (
        speaker is None
        or speaker.user is None
        or action + colon
        not in (
            UNDO,
            YES,
            NO,
            ABOUT,
        )
    ):
        return None
    try:
        named = UUID(key)
    except ValueError:
        return None
    changed = Q(pk=named, line_kind__in=change_lines.UNDOABLE) | Q(profile_update=named)
    which = changed if action + colon == UNDO else Q(pk=named, role=Message.Role.SYSTEM)
    lines = Message.objects.with_changes().filter(
        which,
        thread=update.thread_id,
        conversation__user=speaker.user,
    )
    return lines.select_related("conversation", "thread").first()
