"""The button that undoes a change to a person's notes."""

from uuid import UUID

from django.db import transaction

from conversations.models import Message, TelegramUpdate
from conversations.telegram import bot_texts
from conversations.telegram.accept import in_language_of
from conversations.telegram.bot_api.schema import restored
from conversations.telegram.deliver import UNDO
from people import profile_updates, telegram_links
from people.telegram_links import Speaker


@transaction.atomic
def undo(update: TelegramUpdate) -> tuple[str, str]:
    """Undo the change; return the text to show and the undone line, if any.

    Only for changes of the same chat and user. Pressing twice gives the same answer.
    Raises LeaseLost.
    """
    update.hold()
    incoming = restored(update.payload)
    speaker = telegram_links.speaker(update.thread.space_id, incoming.sender.id)
    data = incoming.callback_query.data if incoming.callback_query else ""
    with in_language_of(speaker, incoming):
        line = _line(update, speaker, data)
        if speaker is None or speaker.user is None or line is None:
            return bot_texts.nothing_to_undo(), ""
        change = line.profile_update
        assert change is not None  # noqa: S101 -- the filter says so
        if change.reverted_at is None and (
            line.has_later_user_message()
            or not profile_updates.undo_update(change, speaker.user)
        ):
            return bot_texts.nothing_to_undo(), ""
        return bot_texts.reverted(), line.content


def _line(update: TelegramUpdate, speaker: Speaker | None, data: str) -> Message | None:
    if speaker is None or speaker.user is None or not data.startswith(UNDO):
        return None
    try:
        key = UUID(data.removeprefix(UNDO))
    except ValueError:
        return None
    lines = Message.objects.select_related("profile_update").filter(
        thread=update.thread_id, conversation__user=speaker.user, profile_update=key
    )
    return lines.first()
