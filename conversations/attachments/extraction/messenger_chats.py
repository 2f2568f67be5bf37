"""Chats between people: Telegram's `result.json` and WhatsApp's text.

What others wrote is context only. Who of them the user is, the file may not say.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, tzinfo
from itertools import pairwise
from typing import Any, NamedTuple

from conversations.attachments.extraction import Unreadable
from conversations.attachments.extraction.exported_chats import (
    LONGEST_TEXT,
    ChatTurn,
    medium_of,
    read_parts,
    seconds,
)

MOST_SENDERS, LONGEST_NAME = 30, 200
OTHER = {"poll", "location_information", "contact_information"}
# A line that begins a message: a day, a time, and what is said by whom.
BEGINNING = re.compile(
    r"[\u200e\u200f\u202a-\u202e]*\[?(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})\.?,?\s\D{0,5}?"
    r"(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?(?:\s?([ap])\.?\s?m\.?)?(?:\]|\s[-\u2013])\s",
    re.IGNORECASE,
)
MARK = "\u200e"  # before what WhatsApp wrote itself
OMITTED = re.compile(
    r"<[^<>:]{3,20}: .{1,120}\.(\w{2,4})>|\S.{0,120}\.(\w{2,4}) \([^()]{3,40}\)|<[^<>]{3,60}>"
)
LEFT_OUT = re.compile(
    r"omit|omesso|weggelassen|ausgeschlossen|pomini|adjunt|attach|angehängt|załącz",
    re.IGNORECASE,
)
EDITED = re.compile(rf"\s{{0,3}}{MARK}?<[^<>]{{5,60}}>$")
FEWEST_MESSAGES = 2  # by which a text is a chat, if it begins with one


class Sent(NamedTuple):
    """`who` is the sender's number or name."""

    who: str
    name: str
    text: str
    at: float | None
    key: str
    unread: str = ""
    passed_on: bool = False


def telegram_chats(
    document: Any, whose: str, zone: tzinfo
) -> list[list[ChatTurn]] | None:
    """None if it has another shape. Raises Unreadable if it must be asked `whose`."""
    if not isinstance(document, dict):
        return None
    parts = [_entry(document.get(name)).get("list") for name in ("chats", "left_chats")]
    listed = [chat for part in parts if isinstance(part, list) for chat in part]
    chats = [
        chat
        for chat in listed or [document]
        if isinstance(chat, dict)
        and isinstance(chat.get("messages"), list)
        and isinstance(chat.get("type"), str)
    ]
    if not chats:
        return None
    account = _entry(document.get("personal_information")).get("user_id")
    sent = [list(_telegram(chat, zone)) for chat in chats]
    every = [message for messages in sent for message in messages]
    return [
        _turns(messages, _own_of_telegram(chat, messages, account, whose, every))
        for chat, messages in zip(chats, sent, strict=True)
    ]


def _own_of_telegram(
    chat: Mapping[str, Any],
    messages: Sequence[Sent],
    account: object,
    whose: str,
    every: Sequence[Sent],
) -> set[str]:
    """By what the user is named in a chat."""
    senders = {message.who for message in messages}
    if chat["type"] == "saved_messages":
        return senders
    if account:
        return {str(account)}
    if chat["type"] in {"personal_chat", "bot_chat"}:
        return senders - {str(chat.get("id"))}
    name = asked_for(whose, Counter(message.name for message in every))
    return {message.who for message in every if message.name == name}


def _telegram(chat: Mapping[str, Any], zone: tzinfo) -> Iterator[Sent]:
    for message in chat["messages"]:
        if not isinstance(message, dict) or message.get("type") != "message":
            continue
        told = message.get("text")
        text, unread = read_parts(told if isinstance(told, list) else [told], "")
        media = message.get("media_type") or ("photo" if "photo" in message else "")
        media = media or ("file" if "file" in message else "")
        unread = unread or (medium_of(str(media)) if media else "")
        if OTHER.intersection(message):
            unread = unread or "other"
        others = ("forwarded_from", "saved_from", "via_bot")
        if not (text or unread):
            continue
        at = seconds(message.get("date_unixtime")) or seconds(message.get("date"), zone)
        yield Sent(
            str(message.get("from_id")).removeprefix("user"),
            str(message.get("from") or "?")[:LONGEST_NAME],
            text,
            at,
            f"telegram {chat.get('id')} {message.get('id')}",
            "" if text else unread,
            any(message.get(name) for name in others),
        )


def whatsapp_chat(
    text: str, names: Sequence[str], whose: str, zone: tzinfo
) -> list[ChatTurn] | None:
    """None if it is another text. `names` are those of the file, which may name the other.

    Raises Unreadable if it must be asked `whose` words are the user's.
    """
    begun = list(_lines(text))
    if len(begun) < FEWEST_MESSAGES:
        return None
    dated = _in_order([found.groups() for found, _ in begun])
    sent: list[Sent] = []
    for (_, said), day in zip(begun, dated, strict=True):
        sender, is_said, words = said.partition(": ")
        sender, (words, unread) = sender.strip(MARK + "~ \u202f\xa0"), _words(words)
        sender = sender[:LONGEST_NAME]
        if is_said and sender and (words or unread):  # else WhatsApp's own
            at = seconds(day.replace(tzinfo=zone).timestamp()) if day else None
            key = f"whatsapp {day} {sender} {words or len(sent)}"
            sent.append(Sent(sender, sender, words, at, key, unread))
    senders = Counter(message.name for message in sent)
    others = [s for s in senders for name in names if name.endswith(s)]
    if len(senders) <= len(others[:1]) + 1 and others:
        own = set(senders) - {others[0]}
    else:
        own = {asked_for(whose, senders)}
    return _turns(sent, own)


def _lines(text: str) -> Iterator[tuple[re.Match[str], str]]:
    """The beginnings of messages, each with all its lines; none if it begins otherwise."""
    found, lines = None, []
    for line in text.splitlines():
        beginning = BEGINNING.match(line)
        if beginning:
            if found:
                yield found, "\n".join(lines)
            found, lines = beginning, [line[beginning.end() :]]
        elif found:
            lines.append(line)
        elif line.strip():
            return
    if found:
        yield found, "\n".join(lines)


def _words(said: str) -> tuple[str, str]:
    """The text, or what kind of file is left out."""
    text, is_marked = said.strip()[:LONGEST_TEXT], said.startswith(MARK)
    plain = text.replace(MARK, "").strip()
    if omitted := OMITTED.fullmatch(plain):
        return "", medium_of(omitted[1] or omitted[2] or "file")
    if is_marked:
        return "", medium_of(plain) if LEFT_OUT.search(plain) else ""
    return EDITED.sub("", text).replace(MARK, "").strip(), ""


ORDERS: tuple[Callable[[int, int, int], tuple[int, int, int]], ...] = (
    lambda day, month, year: (year, month, day),
    lambda month, day, year: (year, month, day),
    lambda year, month, day: (year, month, day),
)


def _in_order(begun: Sequence[Sequence[str | None]]) -> list[datetime | None]:
    """Of the orders of day, month and year the one in which most days exist and follow."""
    readings = [[_moment(parts, order) for parts in begun] for order in ORDERS]
    is_american = any(parts[6] in {"A", "P"} for parts in begun)

    def fit(number: int) -> tuple[int, int, bool]:
        days = [day for day in readings[number] if day]
        steps = sum(before > after for before, after in pairwise(days))
        return len(days), -steps, number == is_american

    return readings[max(range(len(ORDERS)), key=fit)]


def _moment(
    parts: Sequence[str | None], order: Callable[[int, int, int], tuple[int, int, int]]
) -> datetime | None:
    first, second, third, hour, minute, second_, half = parts
    year, month, day = order(int(first or 0), int(second or 0), int(third or 0))
    hours = int(hour or 0)
    if half:
        hours = hours % 12 + (12 if half.lower() == "p" else 0)
    if first and (len(first) == 4) != (order is ORDERS[2]):
        return None
    try:
        year += 2000 if year < 100 else 0
        return datetime(year, month, day, hours, int(minute or 0), int(second_ or 0))  # noqa: DTZ001 -- in the user's zone
    except ValueError:
        return None


def asked_for(whose: str, senders: Counter[str]) -> str:
    """Raises Unreadable with the senders unless one of them is named."""
    if senders and whose not in senders:
        known = [name for name, _ in senders.most_common(MOST_SENDERS)]
        raise Unreadable("whose", [(name, name) for name in known])
    return whose


def _turns(sent: Sequence[Sent], own: set[str]) -> list[ChatTurn]:
    return [
        ChatTurn("user", message.text, message.at, message.key, message.unread)
        if message.who in own and not message.passed_on
        else ChatTurn(
            "other",
            f"{message.name}: {message.text}" if message.text else "",
            message.at,
            message.key,
        )
        for message in sent
    ]


def _entry(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
