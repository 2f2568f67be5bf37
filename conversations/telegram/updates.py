"""Telegram updates in the inbox: their beginning, those that wait, and their end."""

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from conversations import inbox
from conversations.models import Thread
from conversations.telegram import links
from conversations.telegram.bot_api.schema import IncomingMessage, Update, read_update
from conversations.telegram.channel import TELEGRAM
from conversations.telegram.contents import is_for_bot
from conversations.telegram.models import TelegramBot, TelegramUpdate


def waiting_for_lease(thread_id: UUID) -> list[TelegramUpdate]:
    """The chat's newest untouched updates, if a worker or a page has its lease."""
    if Thread.objects.unused().filter(pk=thread_id).exists():
        return []
    waiting = TelegramUpdate.objects.filter(thread=thread_id).untouched()
    # Waiting updates that are looked at early; each has a task of its own.
    return list(waiting.order_by("-update_id")[:10])


@transaction.atomic
def end_update(update: TelegramUpdate, note: str = "") -> None:
    """End an update and blank its parts. Raises LeaseLost."""
    update.succeed(note)
    update.parts.update(html="")
    if not note and update.bot.error:
        TelegramBot.objects.filter(pk=update.bot_id).update(error="")


def make_due(bot: TelegramBot) -> list[UUID]:
    """Make a bot's waiting updates due; return the keys of their threads."""
    waiting = TelegramUpdate.objects.filter(bot=bot, state=TelegramUpdate.State.WAITING)
    now = timezone.now()
    waiting.filter(available_at__gt=now).update(available_at=now)
    return list(waiting.values_list("thread", flat=True).distinct())


@transaction.atomic
def receive(bot: TelegramBot, payload: object) -> UUID | None:
    """Store an update once; return its thread, None if it is ignored.

    In groups the bot reads what names it or replies to it, and the rest of such an album,
    of linked people. Raises Malformed.
    """
    update = read_update(payload)
    if update is None or update.place is None:
        return None
    place = update.place
    if place.is_in_group and not (
        (is_for_bot(place, bot.bot_id, bot.username) or _is_in_album(bot, place))
        and links.speaker(bot.space_id, update.sender.id)
    ):
        return None
    thread, _created = Thread.objects.get_or_create(
        space_id=bot.space_id,
        channel=TELEGRAM.name,
        external_id=str(place.chat.id),
    )
    inbox.add(
        TelegramUpdate(
            bot=bot,
            update_id=update.update_id,
            thread=thread,
            kind=_kind(update),
            payload=update.stored(),
            message_id=place.message_id,
            topic=place.topic,
            album=place.media_group_id or "",
        )
    )
    return thread.pk


def _is_in_album(bot: TelegramBot, message: IncomingMessage) -> bool:
    sent = TelegramUpdate.objects.filter(
        bot=bot,
        thread__external_id=str(message.chat.id),
        album=message.media_group_id or None,
    )
    return sent.exists()


def _kind(update: Update) -> str:
    if update.callback_query is not None:
        return TelegramUpdate.Kind.BUTTON
    if update.edited_message is not None:
        return TelegramUpdate.Kind.EDIT
    return TelegramUpdate.Kind.MESSAGE
