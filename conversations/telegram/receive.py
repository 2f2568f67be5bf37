"""Store updates from Telegram in the inbox."""

from uuid import UUID

from django.db import transaction

from conversations.inbox import store
from conversations.models import TelegramUpdate, Thread
from conversations.telegram.bot_api.schema import read_update
from people.models import TelegramBot

Kind = TelegramUpdate.Kind


@transaction.atomic
def receive(bot: TelegramBot, payload: object) -> UUID | None:
    """Store an update once; return its thread, None if it is ignored.

    Raises Malformed.
    """
    update = read_update(payload)
    if update is None:
        return None
    thread, _created = Thread.objects.get_or_create(
        space_id=bot.space_id,
        channel=Thread.Channel.TELEGRAM,
        external_id=str(update.sender.id),
    )
    store.add(
        TelegramUpdate(
            bot=bot,
            update_id=update.update_id,
            thread=thread,
            kind=Kind.BUTTON if update.callback_query else Kind.MESSAGE,
            payload=update.stored(),
        )
    )
    return thread.pk
