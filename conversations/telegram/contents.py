"""What a message says: its words, what it shares, whose they are, and what it answers."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from conversations.telegram.bot_api.schema import (
    Content,
    Entity,
    IncomingMessage,
)
from meddie.quoting import quoted

MEDDIE = "Meddie"
UTF_16 = "utf-16-le"
QUOTES = ("blockquote", "expandable_blockquote")


@dataclass(frozen=True, slots=True)
class Answered:
    """What a message replies to, and whose words they are; its sender's without a name."""

    text: str
    name: str = ""


def message_words(content: Content) -> str:
    """With the addresses of its links, and quotations as `>` lines; else what it shares."""
    if content.text is not None:
        return _marked_up(content.text, content.entities or [])
    if content.caption is not None:
        return _marked_up(content.caption, content.caption_entities or [])
    return _shared(content)


def _marked_up(text: str, entities: list[Entity]) -> str:
    raw = text.encode(UTF_16, errors="surrogatepass")
    added = sorted(_additions(text, raw, entities), reverse=True)
    for place, addition in added:
        raw = raw[:place] + addition.encode(UTF_16) + raw[place:]
    return raw.decode(UTF_16, errors="replace")


def _additions(
    text: str, raw: bytes, entities: list[Entity]
) -> Iterator[tuple[int, str]]:
    """What is to be added to the text at these places in bytes."""
    for entity in entities:
        start, end = 2 * entity.offset, 2 * (entity.offset + entity.length)
        part = raw[start:end].decode(UTF_16, errors="replace")
        if entity.type == "text_link" and entity.url and entity.url != part:
            yield end, f" ({entity.url})"
        elif entity.type in QUOTES:
            before = raw[:start].decode(UTF_16, errors="replace")
            yield start, "> " if before.endswith("\n") or not before else "\n> "
            for line in re.finditer("\n", part):
                yield start + len(part[: line.end()].encode(UTF_16)), "> "
            if not raw[end:].startswith("\n".encode(UTF_16)):
                yield end, "\n"


def _shared(content: Content) -> str:
    """As a quotation: a card, a place and a poll are no words of the sender."""
    if contact := content.contact:
        told = _("Contact"), [contact.name, contact.phone_number]
    elif venue := content.venue:
        told = _("Place"), [venue.title, venue.address, str(venue.location)]
    elif content.location:
        told = _("Location"), [str(content.location)]
    elif poll := content.poll:
        told = _("Poll"), [poll.question, *(f"- {o.text}" for o in poll.options)]
    else:
        return ""
    title, lines = told
    return quoted("\n".join([f"{title}:", *filter(None, lines)]))


def forwarded_from(message: IncomingMessage) -> str:
    return message.forward_origin.name if message.forward_origin else ""


def answered(message: IncomingMessage, bot_id: int) -> Answered | None:
    """What a message replies to, or the part of it that is meant."""
    meant = message.quote.text if message.quote else ""
    if other := message.external_reply:
        return Answered(meant, other.origin.name) if meant else None
    replied = message.reply_to_message
    if replied is None:
        return None
    name = replied.forward_origin.name if replied.forward_origin else ""
    if not name and replied.sender_chat:
        name = replied.sender_chat.name
    if not name and replied.sender:
        is_own = message.sender and replied.sender.id == message.sender.id
        name = "" if is_own else replied.sender.name
        name = MEDDIE if replied.sender.id == bot_id else name
    return Answered(meant or message_words(replied), name)


def is_for_bot(message: IncomingMessage, bot_id: int, username: str) -> bool:
    """Whether a message of a group names the bot or replies to it."""
    replied = message.reply_to_message
    if replied and replied.sender and replied.sender.id == bot_id:
        return True
    return any(
        (entity.user and entity.user.id == bot_id)
        or part.lower().endswith(f"@{username}".lower())
        for entity, part in _named_in(message)
    )


def without_mention(text: str, username: str) -> str:
    """The text without the bot's name, unless it is the end of a command."""
    return re.sub(rf"(?i)(?<!\S)@{re.escape(username)}\b[,:]?", "", text).strip()


def _named_in(message: IncomingMessage) -> Iterator[tuple[Entity, str]]:
    text = message.text or message.caption or ""
    raw = text.encode(UTF_16, errors="surrogatepass")
    for entity in message.entities or message.caption_entities or []:
        if entity.type in {"mention", "text_mention", "bot_command"}:
            part = raw[2 * entity.offset : 2 * (entity.offset + entity.length)]
            yield entity, part.decode(UTF_16, errors="replace")
