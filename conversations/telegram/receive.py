"""Store updates from Telegram in the inbox."""

from uuid import UUID

from django.db import transaction

from conversations.inbox import store
from conversations.models import Thread
from conversations.telegram.bot_api.schema import Update, read_update
from conversations.telegram.models import TelegramBot, TelegramUpdate

Kind = TelegramUpdate.Kind


@transaction.atomic
def receive(bot: TelegramBot, payload: object) -> UUID | None:
    """Store an update once; return its thread, None if it is ignored.

    Edits are ignored once the chat is told that they are not read. Raises Malformed.
    """
    update = read_update(payload)
    if update is None:
        return None
    thread, _created = Thread.objects.get_or_create(
        space_id=bot.space_id,
        channel=Thread.Channel.TELEGRAM,
        external_id=str(update.sender.id),
    )
    if update.edited_message is not None and thread.told_of_edits:
        return None
    store.add(
        TelegramUpdate(
            bot=bot,
            update_id=update.update_id,
            thread=thread,
            kind=_kind(update),
            payload=update.stored(),
        )
    )
    return thread.pk


def _kind(update: Update) -> str:
    if update.callback_query is not None:
        return Kind.BUTTON
    return Kind.EDIT if update.edited_message is not None else Kind.MESSAGE
