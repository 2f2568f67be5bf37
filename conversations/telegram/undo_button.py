"""The button that undoes what a line tells of."""

from uuid import UUID

from django.db import transaction
from django.db.models import Q

from conversations import notes_lines
from conversations.models import Message
from conversations.telegram import bot_texts, links
from conversations.telegram.accept import in_language_of
from conversations.telegram.bot_api.schema import restored
from conversations.telegram.deliver import UNDO
from conversations.telegram.format import escape
from conversations.telegram.links import Speaker
from conversations.telegram.models import TelegramUpdate


@transaction.atomic
def undo(update: TelegramUpdate) -> tuple[str, str]:
    """Undo the change; return the text to show and the line's new HTML, if any.

    Only for changes of the same chat and user. Pressing twice gives the same answer.
    Raises LeaseLost.
    """
    update.hold()
    incoming = restored(update.payload)
    speaker = links.speaker(update.thread.space_id, incoming.sender.id)
    data = incoming.callback_query.data if incoming.callback_query else ""
    with in_language_of(speaker, incoming):
        line = _line(update, speaker, data)
        if speaker is None or speaker.user is None or line is None:
            return bot_texts.nothing_to_undo(), ""
        if not notes_lines.is_undone(line) and (
            line.has_later_user_message()
            or not notes_lines.undo_line(line, speaker.user)
        ):
            return bot_texts.nothing_to_undo(), ""
        line = _line(update, speaker, data) or line
        text = escape(notes_lines.sentence(line))
        if line.profile_update is not None:
            text = f"<s>{text}</s> {escape(bot_texts.undone())}"
        return bot_texts.undone(), f"<i>{text}</i>"


def _line(update: TelegramUpdate, speaker: Speaker | None, data: str) -> Message | None:
    """The line whose key the button has; older buttons have its profile update's."""
    if speaker is None or speaker.user is None or not data.startswith(UNDO):
        return None
    try:
        key = UUID(data.removeprefix(UNDO))
    except ValueError:
        return None
    lines = Message.objects.with_changes().filter(
        Q(pk=key, line_kind__in=notes_lines.CHANGES) | Q(profile_update=key),
        thread=update.thread_id,
        conversation__user=speaker.user,
    )
    return lines.select_related("conversation", "thread").first()
