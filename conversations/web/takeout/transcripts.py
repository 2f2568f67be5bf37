"""A user's conversations in a space, and their summaries."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from conversations.models import Conversation, Message, Summary
from conversations.notes_lines import sentence
from conversations.transcript_export import transcript_parts
from conversations.web.takeout.archive import Archive, dump, file_name, json_array
from meddie.text import markdown_escaped

MESSAGES_AT_ONCE = 200
Names = dict[UUID, str]
Render = Callable[[Conversation, Iterable[Message]], Iterator[str]]


def write_conversations(
    archive: Archive, folder: str, conversations: QuerySet[Conversation], files: Names
) -> None:
    """One Markdown and one JSON file for each, the oldest first."""
    ordered = conversations.order_by("created_at", "pk")
    known = {one.pk: one for one in ordered.select_related("space", "person", "thread")}
    names = {
        key: f"{folder}/conversations/{file_name(f'{number:04}', one.title)}"
        for number, (key, one) in enumerate(known.items(), 1)
    }
    renders: dict[str, Render] = {
        "json": lambda one, messages: _json(one, messages, files),
        "md": lambda one, messages: _markdown(one, messages, files),
    }
    said = Message.objects.filter(conversation__in=conversations)
    said = said.order_by("conversation__created_at", "conversation", "seq")
    said = said.with_changes().prefetch_related("attachments")
    for suffix, render in renders.items():
        for key, messages in groupby(
            said.iterator(chunk_size=MESSAGES_AT_ONCE), attrgetter("conversation_id")
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
    return [files[one.pk] for one in message.attachments.all() if one.pk in files]


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
