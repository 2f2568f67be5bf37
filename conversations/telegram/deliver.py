"""Bringing answers to Telegram, part by part, each with its receipt."""

from dataclasses import dataclass
from html import unescape
from uuid import UUID

from django.db import transaction
from django.utils.html import strip_tags

from conversations import user_texts
from conversations.models import Attachment, Message, TelegramPart, TelegramUpdate
from conversations.telegram import bot_texts, files, inbox
from conversations.telegram.accept import spoken_to, who
from conversations.telegram.bot_api.api import Api, Button, api
from conversations.telegram.bot_api.errors import Refused, Unreachable
from conversations.telegram.bot_api.schema import Message as Incoming
from conversations.telegram.bot_api.schema import restored
from conversations.telegram.format import escape, to_parts
from meddie.threads import run_db
from people.models import TelegramBot

UNDO = "undo:"


@transaction.atomic
def plan(update: TelegramUpdate, lease: UUID) -> None:
    """Store what is to be sent of a reply that has come to its end. Raises LeaseLost."""
    inbox.hold(update, lease)
    parts = []
    reply = _latest(update.reply_id)
    if reply is not None:
        with spoken_to(who(update), restored(update.payload)):
            message = restored(update.payload).message
            parts = [*_of_reply(reply), *_of_notes(reply), *_of_files(reply, message)]
    for number, part in enumerate(parts, start=1):
        part.update, part.number = update, number
    TelegramPart.objects.bulk_create(parts)
    inbox.advance(update, TelegramUpdate.State.REPLY_STORED)


def _latest(reply_id: UUID | None) -> Message | None:
    """The reply, or the attempt that took its place on the web meanwhile."""
    if reply_id is None:
        return None
    replies = Message.objects.current().filter(role=Message.Role.ASSISTANT)
    return replies.filter(answers__replies=reply_id).in_order().last()


def _of_reply(reply: Message) -> list[TelegramPart]:
    written = [TelegramPart(html=html) for html in to_parts(reply.content)]
    sentence = str(user_texts.about_reply(reply.status, reply.error))
    if sentence:
        written.append(TelegramPart(html=f"<i>{escape(sentence)}</i>"))
    return written


def _of_notes(reply: Message) -> list[TelegramPart]:
    """Each change to a person's notes, with the button that takes it back."""
    lines = Message.objects.filter(
        answers=reply.answers_id,
        role=Message.Role.SYSTEM,
        profile_update__reverted_at=None,
    )
    return [
        TelegramPart(html=f"<i>{escape(line.content)}</i>", undo=line.profile_update_id)
        for line in lines.in_order()
    ]


def _of_files(reply: Message, message: Incoming | None) -> list[TelegramPart]:
    """What became of a file that came with words, behind the answer to them."""
    if message is None or files.of(message) is None:
        return []
    kept = Attachment.objects.filter(message__replies=reply)
    said = [bot_texts.kept(kind) for kind in kept.values_list("kind", flat=True)]
    refused = bot_texts.too_large() if files.is_too_large(message) else bot_texts.lost()
    return [
        TelegramPart(html=f"<i>{escape(sentence)}</i>")
        for sentence in said or [refused]
    ]


@dataclass(frozen=True, slots=True)
class Chat:
    """Where to send."""

    api: Api
    id: int


def chat_of(update: TelegramUpdate) -> Chat:
    """The chat of an update. Raises WrongToken."""
    bot = TelegramBot.objects.get(pk=update.bot_id)
    return Chat(api(bot.token, bot.api_url), restored(update.payload).sender.id)


async def deliver(update: TelegramUpdate, chat: Chat, lease: UUID) -> None:
    """Send what has not been sent, in order. Raises TelegramFailed, LeaseLost.

    A part that Telegram may have taken without saying so is sent once more, and then
    counts as sent: rather twice than never, and rather once too few than five times.
    """
    part = await run_db(inbox.part_to_send, update, lease)
    while part is not None:
        try:
            message_id = await _send(part, chat)
        except Unreachable as failure:
            if not failure.maybe_done:
                raise
            if not part.uncertain:
                await run_db(inbox.uncertain, part, lease)
                raise
            message_id = None
        part = await run_db(inbox.part_sent, part, message_id, lease)


async def _send(part: TelegramPart, chat: Chat) -> int | None:
    buttons = [await run_db(_button, part)] if part.undo else []
    try:
        return await chat.api.send(chat.id, part.html, buttons=buttons)
    except Refused:
        # Should Telegram not take the formatting, the words are what counts.
        plain = escape(unescape(strip_tags(part.html)))
        return await chat.api.send(chat.id, plain, buttons=buttons)


def _button(part: TelegramPart) -> Button:
    update = part.update
    with spoken_to(who(update), restored(update.payload)):
        return Button(bot_texts.undo(), f"{UNDO}{part.undo}")
