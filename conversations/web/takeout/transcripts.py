"""Conversations as Markdown and JSON: one for a page, or all of a user in a space."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import slugify
from django.utils.translation import gettext as _

from conversations import user_texts
from conversations.models import Conversation, Message, Summary
from conversations.reply import change_lines
from conversations.reply.change_lines import sentence
from conversations.web.takeout.archive import Archive, dump, file_name, json_array
from meddie.text import markdown_escaped, one_line

Names = dict[UUID, str]
Render = Callable[[Conversation, Iterable[Message]], Iterator[str]]


def write_conversations(
    archive: Archive, folder: str, conversations: QuerySet[Conversation], files: Names
) -> None:
    """One Markdown and one JSON file for each, the oldest first."""
    ordered = conversations.order_by("created_at", "pk")
    known = {
        conversation.pk: conversation
        for conversation in ordered.select_related("space", "person", "thread")
    }
    names = {
        key: f"{folder}/conversations/{file_name(f'{number:04}', conversation.title)}"
        for number, (key, conversation) in enumerate(known.items(), 1)
    }
    renders: dict[str, Render] = {
        "json": lambda conversation, messages: _json(conversation, messages, files),
        "md": lambda conversation, messages: _markdown(conversation, messages, files),
    }
    said = Message.objects.filter(conversation__in=conversations)
    said = said.order_by("conversation__created_at", "conversation", "seq")
    said = said.with_changes().prefetch_related("attachments")
    for suffix, render in renders.items():
        for key, messages in groupby(
            said.iterator(chunk_size=200), attrgetter("conversation_id")
        ):
            if key in known:  # else it began meanwhile
                text = render(known[key], messages)
                archive.add_text(f"{names[key]}.{suffix}", text)
    told = Summary.objects.filter(conversation__in=conversations).exclude(text="")
    told = told.select_related("conversation")
    told = told.order_by("conversation__created_at", "first_seq")
    if told.exists():
        archive.add_json(f"{folder}/summaries.json", map(_summary, told.iterator()))
        archive.add_text(f"{folder}/summaries.md", map(_paragraph, told.iterator()))


def _head(conversation: Conversation) -> dict[str, Any]:
    person = conversation.person
    return {
        "title": conversation.title,
        "began": conversation.created_at,
        "channel": conversation.thread.channel,
        "person": person.name if person else None,
        "remembered": conversation.remember,
    }


def _json(
    conversation: Conversation, messages: Iterable[Message], files: Names
) -> Iterator[str]:
    yield f'{dump(_head(conversation))[:-1]}, "messages": '
    yield from json_array(
        {
            "number": message.seq,
            "at": message.created_at,
            "from": message.role,
            "text": sentence(message)
            if message.role == Message.Role.SYSTEM
            else message.content,
            "status": message.status,
            "emergency_note": message.emergency_note,
            "forwarded_from": message.forwarded_from,
            "files": _files(message, files),
        }
        for message in messages
    )
    yield "}\n"


def _markdown(
    conversation: Conversation, messages: Iterable[Message], files: Names
) -> Iterator[str]:
    def link_files(message: Message) -> str:
        names = _files(message, files)
        return "\n\n".join(f"[{markdown_escaped(name)}](<../{name}>)" for name in names)

    yield from transcript_parts(conversation, messages, link_files)


def _files(message: Message, files: Names) -> list[str]:
    return [
        files[attachment.pk]
        for attachment in message.attachments.all()
        if attachment.pk in files
    ]


def _summary(summary: Summary) -> dict[str, Any]:
    return {
        "conversation": summary.conversation.title,
        "kind": summary.kind,
        "first_message": summary.first_seq,
        "last_message": summary.last_seq,
        "text": summary.text,
        "written": summary.created_at,
    }


def _paragraph(summary: Summary) -> str:
    title = markdown_escaped(summary.conversation.title or _("Conversation"))
    return f"## {title} ({summary.first_seq}-{summary.last_seq})\n\n{summary.text}\n\n"


def transcript_file_name(conversation: Conversation) -> str:
    """Letters of any alphabet; the day if the title has none."""
    title = slugify(conversation.title, allow_unicode=True)[:80]
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
        return f"*{markdown_escaped(one_line(change_lines.sentence(message)))}*"
    by_user = message.role == Message.Role.USER
    day = _date(message.created_at, "DATETIME_FORMAT")
    state = user_texts.about_reply(message.status, message.error)
    parts = [
        f"## {_('You') if by_user else 'Meddie'} · {day}",
        _forwarded(message),
        message.emergency_note,
        message.content,
        files,
        f"*{state}*" if state else "",
    ]
    return "\n\n".join(part.strip() for part in parts if part.strip())


def _forwarded(message: Message) -> str:
    name = markdown_escaped(one_line(message.forwarded_from))
    return f"*{_('Forwarded from %(name)s') % {'name': name}}*" if name else ""


def _date(moment: datetime, shape: str) -> str:
    return date_format(timezone.localtime(moment), shape)
