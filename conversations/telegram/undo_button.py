"""The button that takes a change to a person's notes back."""

from uuid import UUID

from django.db import transaction

from conversations.models import Message, TelegramUpdate
from conversations.telegram import bot_texts, inbox
from conversations.telegram.accept import spoken_to
from conversations.telegram.bot_api.schema import restored
from conversations.telegram.deliver import UNDO
from people import profile_updates, telegram_links
from people.telegram_links import Speaker


@transaction.atomic
def undo(update: TelegramUpdate, lease: UUID) -> tuple[str, str]:
    """Take back what the pressed button names; what to show, and the line that the
    button stood under ("" where nothing was undone).

    Only what was noted in this very chat, for this very user. Pressing it twice, or
    coming here again after a crash, says the same. Raises LeaseLost.
    """
    thread = inbox.hold(update, lease)
    incoming = restored(update.payload)
    speaker = telegram_links.speaker(thread.space_id, incoming.sender.id)
    data = incoming.callback_query.data if incoming.callback_query else ""
    with spoken_to(speaker, incoming):
        line = _line(update, speaker, data)
        if speaker is None or speaker.user is None or line is None:
            return bot_texts.nothing_to_undo(), ""
        change = line.profile_update
        assert change is not None  # noqa: S101 -- the filter says so
        if change.reverted_at is None and (
            line.moved_on() or not profile_updates.undo_update(change, speaker.user)
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
