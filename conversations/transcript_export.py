"""A conversation as a Markdown file."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import slugify
from django.utils.translation import gettext as _

from conversations import notes_lines, user_texts
from conversations.models import Conversation, Message
from meddie.text import markdown_escaped, one_line

LONGEST_NAME = 80  # characters


def transcript_file_name(conversation: Conversation) -> str:
    """Letters of any alphabet; the day if the title has none."""
    title = slugify(conversation.title, allow_unicode=True)[:LONGEST_NAME]
    day = timezone.localdate(conversation.created_at)
    return f"{title.strip('-') or day.isoformat()}.md"


def markdown_transcript(conversation: Conversation) -> str:
    """Current messages in order, with the names of their files."""
    messages = conversation.messages.with_changes().in_order()
    messages = messages.prefetch_related("attachments")

    def name_files(message: Message) -> str:
        names = ", ".join(file.name for file in message.attachments.all())
        told = _("Files: %(names)s") % {"names": markdown_escaped(names)}
        return told if names else ""

    return "".join(transcript_parts(conversation, messages, name_files))


def transcript_parts(
    conversation: Conversation,
    messages: Iterable[Message],
    link_files: Callable[[Message], str],
) -> Iterator[str]:
    """Markdown without superseded messages; `link_files` tells of a message's files."""
    title = markdown_escaped(one_line(conversation.title))
    about = [conversation.space.name, _date(conversation.created_at, "DATE_FORMAT")]
    if conversation.person is not None:
        about.insert(1, conversation.person.name)
    yield f"# {title or _('New conversation')}\n\n"
    yield f"{markdown_escaped(' · '.join(about))}\n"
    for message in messages:
        if message.status != Message.Status.SUPERSEDED:
            yield f"\n{_part(message, link_files(message))}\n"


def _part(message: Message, files: str) -> str:
    if message.role == Message.Role.SYSTEM:
        return f"*{markdown_escaped(one_line(notes_lines.sentence(message)))}*"
    by_user = message.role == Message.Role.USER
    day = _date(message.created_at, "DATETIME_FORMAT")
    state = user_texts.about_reply(message.status, message.error)
    parts = [
        f"## {_('You') if by_user else 'Meddie'} · {day}",
        message.emergency_note,
        message.content,
        files,
        f"*{state}*" if state else "",
    ]
    return "\n\n".join(part.strip() for part in parts if part.strip())


def _date(moment: datetime, shape: str) -> str:
    return date_format(timezone.localtime(moment), shape)
