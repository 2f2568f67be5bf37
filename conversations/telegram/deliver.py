"""Send answers to Telegram, part by part, each with its receipt; early the emergency notes."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from html import unescape
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.html import strip_tags
from django.utils.translation import get_language

from conversations import user_texts
from conversations.emergencies import emergency_note, find_emergency
from conversations.models import Message
from conversations.reply.about_whom import about_choices
from conversations.reply.change_lines import (
    about_blank,
    can_undo,
    with_nearest,
)
from conversations.reply.confirmations import answers_to, waits
from conversations.telegram import bot_texts
from conversations.telegram.bot_api.api import Api, Button, api
from conversations.telegram.bot_api.schema import restored
from conversations.telegram.bot_api.transport import (
    Blocked,
    TelegramFailed,
    TelegramRefused,
    Unreachable,
)
from conversations.telegram.format import escape, to_parts
from conversations.telegram.incoming import in_language_of, speaker_of
from conversations.telegram.models import TelegramBot, TelegramPart, TelegramUpdate
from conversations.telegram.split import LONGEST_PART, units_of
from conversations.telegram.updates import waiting_for_lease
from meddie.crypto import KeyLost
from meddie.jobs.job import LeaseLost
from meddie.markdown.html import is_blank
from meddie.threads import run_db, run_repeatable

UNDO, YES, NO, ABOUT = "undo:", "yes:", "no:", "about:"


@transaction.atomic
def plan(update: TelegramUpdate) -> None:
    """Store the parts of a finished reply. Raises LeaseLost."""
    update.hold()
    parts = []
    reply = _latest(update.reply_id)
    if reply is not None:
        with in_language_of(speaker_of(update), restored(update.payload)):
            parts = _of_reply(reply)
    for number, part in enumerate(parts, start=update.parts.count() + 1):
        part.update, part.number = update, number
    TelegramPart.objects.bulk_create(parts)
    update.advance(TelegramUpdate.Stage.REPLY_STORED)


def _latest(reply_id: UUID | None) -> Message | None:
    # The reply may have been regenerated on the web.
    if reply_id is None:
        return None
    replies = Message.objects.current().filter(role=Message.Role.ASSISTANT)
    return replies.filter(answers__replies=reply_id).in_order().last()


def _of_reply(reply: Message) -> list[TelegramPart]:
    """The reply with what it remembered, then the other lines, each with its button."""
    parts = [TelegramPart(html=html) for html in reply_texts(reply)]
    lines = Message.objects.current().filter(
        answers=reply.answers_id,
        role=Message.Role.SYSTEM,
        profile_update__reverted_at=None,
    )
    end = parts[-1] if parts else None
    for line in lines.with_changes().in_order():
        html = f"<i>{escape(with_nearest(line))}</i>"
        has_button = can_undo(line) or waits(line) or about_choices(line)
        undo = (line.profile_update_id or line.pk) if has_button else None
        remembered = line.line_kind == Message.LineKind.REMEMBERED
        joined = f"{end.html}\n\n{html}" if end else ""
        if end and remembered and not end.reply and _fits(joined):
            end.html, end.undo, end.reply = joined, undo, reply
        else:
            parts.append(TelegramPart(html=html, undo=undo))
    return parts


def reply_texts(reply: Message) -> list[str]:
    """The HTML of each message with the reply, in the active language."""
    written = [] if is_blank(reply.content) else to_parts(reply.content)
    sentence = str(user_texts.about_reply(reply.status, reply.error))
    if not written and not sentence:
        sentence = about_blank(reply)
    if sentence:
        written.append(f"<i>{escape(sentence)}</i>")
    return written


def _fits(html: str) -> bool:
    return units_of(unescape(strip_tags(html))) <= LONGEST_PART


@dataclass(frozen=True, slots=True)
class Chat:
    """`answers` is the message that the first part quotes, as not only it is answered."""

    api: Api
    id: int
    topic: int | None = None
    answers: int | None = None

    async def send(
        self,
        html: str,
        *,
        buttons: Sequence[Button] = (),
        quotes: bool = False,
    ) -> int:
        """Into the topic, if it is still there. Raises TelegramFailed."""
        sending = partial(
            self.api.send,
            self.id,
            html,
            buttons=buttons,
            answers=self.answers if quotes else None,
        )
        try:
            return await sending(topic=self.topic)
        except TelegramRefused as refusal:
            if self.topic is None or "thread not found" not in str(refusal):
                raise
            return await sending()


def chat_of(update: TelegramUpdate) -> Chat:
    """Raises WrongToken."""
    bot = TelegramBot.objects.get(pk=update.bot_id)
    place = restored(update.payload).place
    assert place is not None  # noqa: S101 -- `read_update`
    is_one_of_many = place.is_in_group or update.kind == TelegramUpdate.Kind.EDIT
    return Chat(
        api(bot.token, bot.api_url),
        place.chat.id,
        place.topic,
        place.message_id if is_one_of_many else None,
    )


async def deliver(update: TelegramUpdate, chat: Chat) -> None:
    """Send the unsent parts in order. Raises TelegramFailed, LeaseLost.

    A part that Telegram may have taken is sent once more and then counts as sent. A
    refused or blocked part is left out if the reply is still to come.
    """
    part = await run_db(part_to_send, update)
    while part is not None:
        try:
            message_id = await send_part(part, chat)
        except Unreachable as failure:
            if not failure.maybe_done:
                raise
            if not part.uncertain:
                await run_repeatable(_note_uncertain, part)
                raise
            message_id = None
        except (TelegramRefused, Blocked):
            if update.stage != TelegramUpdate.Stage.TURN_STORED:
                raise
            message_id = None
        part = await run_repeatable(_note_sent, part, message_id)


@transaction.atomic
def part_to_send(update: TelegramUpdate) -> TelegramPart | None:
    """The first unsent part. Raises LeaseLost."""
    update.hold()
    return update.parts.filter(sent_at=None).order_by("number").first()


@transaction.atomic
def _note_sent(part: TelegramPart, message_id: int | None) -> TelegramPart | None:
    """Store Telegram's receipt, even without the lease; return the next part."""
    part.telegram_message_id, part.sent_at = message_id, timezone.now()
    part.save(update_fields=["telegram_message_id", "sent_at"])
    try:
        following = part_to_send(part.update)
    except LeaseLost:
        return None
    part.update.advance(part.update.stage)
    return following


@transaction.atomic
def _note_uncertain(part: TelegramPart) -> None:
    part.update.hold()
    part.uncertain = True
    part.save(update_fields=["uncertain"])


async def send_part(part: TelegramPart, chat: Chat) -> int | None:
    """Return Telegram's receipt. Raises TelegramFailed."""
    buttons, first = await run_db(_buttons, part) if part.undo else [], part.number == 1
    try:
        return await chat.send(part.html, buttons=buttons, quotes=first)
    except TelegramRefused:
        # Telegram may refuse the formatting; the text matters more.
        plain = escape(unescape(strip_tags(part.html)))
        return await chat.send(plain, buttons=buttons, quotes=first)


def _buttons(part: TelegramPart) -> list[Button]:
    """Undo, the two answers to a line that asks, or both."""
    update = part.update
    line = Message.objects.filter(pk__in=[part.undo]).first()
    with in_language_of(speaker_of(update), restored(update.payload)):
        undo = Button(bot_texts.undo_label(), f"{UNDO}{part.undo}")
        if line is not None and (named := choice_buttons(line)):
            return named
        if line is None or (labels := answers_to(line)) is None:
            return [undo]
        pairs = zip(labels, (YES, NO), strict=True)
        answers = [Button(label, f"{answer}{part.undo}") for label, answer in pairs]
        return [*answers, undo] if can_undo(line) else answers


def choice_buttons(line: Message) -> list[Button]:
    """Of a line that asks whom facts are about."""
    return [
        Button(choice.label, f"{ABOUT}{line.pk}:{choice.value}")
        for choice in about_choices(line)
    ]


async def send_early_notes(thread_id: UUID) -> None:
    """Send the notes of waiting messages.

    One that fails or is cut off is sent in its turn, perhaps a second time.
    """
    for update in await run_repeatable(waiting_for_lease, thread_id):
        try:
            chat = await run_repeatable(chat_of, update)
        except (TelegramFailed, KeyLost):
            continue
        parts = await run_repeatable(_store_note, update.pk)
        try:
            for part in parts:
                message_id = await send_part(part, chat)
                await run_repeatable(_store_receipt, part.pk, message_id)
        except TelegramFailed:
            continue


@transaction.atomic
def _store_note(key: UUID) -> list[TelegramPart]:
    """Store the parts once, unless a worker has begun the update."""
    untouched = TelegramUpdate.objects.select_for_update().untouched()
    update = untouched.filter(pk=key).first()
    if update is None or update.parts.exists():
        return []
    payload, speaker = restored(update.payload), speaker_of(update)
    if payload.sent is None or speaker is None:
        return []
    with in_language_of(speaker, payload):
        text = payload.sent.text or payload.sent.caption or ""
        note = emergency_note(text, find_emergency(text), get_language() or "")
    return TelegramPart.objects.bulk_create(
        TelegramPart(update=update, number=number, html=html)
        for number, html in enumerate(to_parts(note), start=1)
    )


def _store_receipt(key: UUID, message_id: int | None) -> None:
    sent = TelegramPart.objects.filter(pk=key)
    sent.update(telegram_message_id=message_id, sent_at=timezone.now())
