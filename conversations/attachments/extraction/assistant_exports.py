"""Files of other assistants, messengers and clinics, made small.

Of conversations the user's own words are left, of a health record its lines, else a list
of facts (decision 61).
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Any
from zipfile import ZipFile, ZipInfo, is_zipfile
from zoneinfo import ZoneInfo

from conversations.attachments.extraction import Unreadable
from conversations.attachments.extraction.apple_health import (
    is_apple_health,
    read_apple_health,
)
from conversations.attachments.extraction.archives import (
    PIECE_BYTES,
    open_archive,
    unpack,
)
from conversations.attachments.extraction.clinical_documents import (
    read_clinical_document,
)
from conversations.attachments.extraction.content_types import is_text
from conversations.attachments.extraction.encodings import decode
from conversations.attachments.extraction.exported_chats import ChatTurn, chats_of
from conversations.attachments.extraction.fhir import read_resources
from conversations.attachments.extraction.health_lines import Record
from conversations.attachments.extraction.messenger_chats import (
    telegram_chats,
    whatsapp_chat,
)

LONGEST_KEY = 500  # characters
LONGEST_LINE, LINES_BEFORE = 1000, 4  # as capture reads of them
LARGEST_EXPORT = 100 * 1024**2  # bytes of what is packed in a zip file
LARGEST_STREAM = 3 * 1024**3  # bytes of what is never held whole
LARGEST_LIST, MOST_VALUES = 5 * 1024**2, 100_000  # bytes and values of a list of facts
LARGEST_REMEMBERED = 500_000  # characters
LARGEST_WRITTEN = 15 * 1024**2  # bytes of messages, the newest first
MOST_DOCUMENTS = 1000  # of a zip file
MOST_NAMES = 10  # of its users
# What is read of a zip file: the first of these that it has.
CHOSEN = (
    re.compile(
        r"(^|/)(conversations|memories|users|result|chat-export|chats)[^/]*\.json$"
        r"|(^|/)memories/[^/]+\.json$|(gemini|bard)[^/]*/[^/]+\.json$"
        r"|(^|/)apple_health_export/(?!export_cda)[^/]+\.xml$|/clinical-records/.+\.json$",
        re.IGNORECASE,
    ),
    re.compile(r"\.(jsonl|ndjson)$", re.IGNORECASE),
    re.compile(r"\.(txt|xml|json)$", re.IGNORECASE),
)
CLINICAL = re.compile(rb"<(\w+:)?ClinicalDocument\s")
HEADING = re.compile(r"#{1,6} .*|\*\*[^*]*\*\*:?")
Line = tuple[str, str]  # a role and what it said


@dataclass(frozen=True, slots=True)
class ExportedMessage:
    """A message of the user, with the lines before it; `at` is in seconds since 1970."""

    external_id: str
    at: float
    text: str
    context: Sequence[Line]


@dataclass(slots=True)
class Reduced:
    """`facts` are texts in other formats, `remembered` what an assistant wrote of the user.

    `total` counts the user's messages, `unread` those that were not read, by their kind.
    """

    messages: list[ExportedMessage] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)
    remembered: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    record: Record = field(default_factory=Record)
    total: int = 0
    unread: Counter[str] = field(default_factory=Counter)
    known: bool = False


def reduce_export(
    source: Path, folder: Path, asked: Mapping[str, str]
) -> dict[str, Any]:
    """Write `messages`, the newest first, and `facts` into the folder. Raises Unreadable.

    The rest is returned. `asked` has the file's `name`, the user's `zone`, and what the
    user answered: `encoding`, and `whose` words are the user's.
    """
    found = Reduced()
    for name, pieces in _documents(source, asked.get("name", "")):
        _read_document(found, name, pieces, asked)
    if found.total or found.remembered or found.record.known:
        found.facts.clear()  # other parts of a zip file
    _check_size(found)
    if found.facts:
        text = "\n".join(found.facts)
        (folder / "facts").write_text(text, "utf-8", errors="surrogatepass")
    with (folder / "messages").open("wb") as written:
        for message in sorted(found.messages, key=attrgetter("at"), reverse=True):
            if written.tell() > LARGEST_WRITTEN:
                break
            line = json.dumps(asdict(message), ensure_ascii=False) + "\n"
            written.write(line.encode("utf-8", "surrogatepass"))
    return {
        "facts": bool(found.facts),
        "total": found.total,
        "unread": found.unread,
        "remembered": _in_the_third_person(found),
        "record": found.record.told(),
    }


def _check_size(found: Reduced) -> None:
    """Raises Unreadable."""
    values = sum(text.count(mark) for text in found.facts for mark in "{[,\n")
    is_long = sum(map(len, found.facts)) > LARGEST_LIST or values > MOST_VALUES
    if is_long or sum(map(len, found.remembered)) > LARGEST_REMEMBERED:
        raise Unreadable("too_many")


def _in_the_third_person(found: Reduced) -> list[str]:
    """What Claude remembers, about "User" instead of the user's name."""
    texts = found.remembered
    for name in sorted(found.names[:MOST_NAMES], key=len, reverse=True):
        named = re.compile(rf"\b{re.escape(name)}\b")
        texts = [named.sub("User", text) for text in texts]
    return texts


def _documents(source: Path, name: str) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Names and contents of a file, or of a zip file's parts. Raises Unreadable."""
    if not is_zipfile(source):
        with source.open("rb") as opened:
            yield name, iter(lambda: opened.read(PIECE_BYTES), b"")
        return
    with open_archive(source) as archive:
        entries = sorted(_chosen(archive), key=attrgetter("filename"))
        if len(entries) > MOST_DOCUMENTS:
            raise Unreadable("too_many")
        held = (e.file_size for e in entries if not e.filename.endswith(".xml"))
        if sum(held) > LARGEST_EXPORT:
            raise Unreadable("bomb")
        left = LARGEST_EXPORT
        for entry in entries:
            pieces = unpack(archive, entry, LARGEST_STREAM)
            first = next(pieces, b"")
            if not is_apple_health(first):
                pieces = unpack(archive, entry, left)
                first = b"".join(pieces)
                left -= len(first)
            yield entry.filename, chain([first], pieces)


def _chosen(archive: ZipFile) -> list[ZipInfo]:
    entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    for pattern in CHOSEN:
        found = [entry for entry in entries if pattern.search(entry.filename)]
        if found:
            return found
    raise Unreadable("unknown_shape")


def _read_document(
    found: Reduced, name: str, pieces: Iterator[bytes], asked: Mapping[str, str]
) -> None:
    first = next(pieces, b"")
    if is_apple_health(first):
        read_apple_health(chain([first], pieces), found.record)
        return
    content = first + b"".join(pieces)
    if CLINICAL.search(first):
        read_clinical_document(content, found.record)
        return
    if not is_text(content[:PIECE_BYTES]):
        raise Unreadable("no_text")
    text = decode(content, asked.get("encoding", ""))
    del content
    chats = _read_text(found, text, name, asked)
    if chats is None:
        found.facts.append(text)
    for turns in chats or ():
        found.messages += _said(found, turns)


def _read_text(
    found: Reduced, text: str, name: str, asked: Mapping[str, str]
) -> Iterable[Iterable[ChatTurn]] | None:
    """Its conversations; None if it may be a list of facts."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        if resources := _resources(text):
            entries = [{"resource": resource} for resource in resources]
            read_resources({"entry": entries}, found.record)
            return ()
        return _whatsapp(text, name, asked)
    if isinstance(document, dict) and "resourceType" in document:
        read_resources(document, found.record)
        return ()
    names, lines = _names(document), _remembered(document)
    found.names += names
    found.remembered += lines
    if names or lines:
        return ()
    zone = ZoneInfo(asked.get("zone") or "UTC")
    chats = telegram_chats(document, asked.get("whose", ""), zone)
    return chats or chats_of(document) or None


def _resources(text: str) -> list[Any]:
    """Of FHIR's bulk data, which has one in each line."""
    if '"resourceType"' not in text.partition("\n")[0]:
        return []
    try:
        return [json.loads(line) for line in text.split("\n") if line.strip()]
    except (ValueError, RecursionError):
        return []


def _whatsapp(
    text: str, name: str, asked: Mapping[str, str]
) -> list[list[ChatTurn]] | None:
    stems = [path.rpartition(".")[0] for path in (name, asked.get("name", ""))]
    zone = ZoneInfo(asked.get("zone") or "UTC")
    turns = whatsapp_chat(text, stems, asked.get("whose", ""), zone)
    return None if turns is None else [turns]


def _names(document: Any) -> list[str]:
    """Of Claude's `users.json`: as what its memory names the user."""
    users = document if isinstance(document, list) else []
    names = [user.get("full_name") for user in users if isinstance(user, dict)]
    told = [name.strip() for name in names if isinstance(name, str) and name.strip()]
    return [*told, *(name.split()[0] for name in told)]


def _remembered(document: Any) -> list[str]:
    """Lines of Claude's `memories.json`, without those of projects."""
    lines: list[str] = []
    for entry in document if isinstance(document, list) else [document]:
        memory = entry.get("conversations_memory") if isinstance(entry, dict) else None
        if isinstance(memory, str):
            lines += (
                line.strip(" \t\r-*•")
                for line in memory.split("\n")
                if not HEADING.fullmatch(line.strip())
            )
    return [line for line in lines if line]


def _said(found: Reduced, turns: Iterable[ChatTurn]) -> Iterator[ExportedMessage]:
    context: list[Line] = []
    for turn in turns:
        if turn.role == "user" and (turn.text or turn.unread):
            found.total += 1
            if not turn.text or turn.at is None:
                found.unread[turn.unread or "undated"] += 1
            else:
                before = context[-LINES_BEFORE:]
                yield ExportedMessage(
                    turn.key[:LONGEST_KEY], turn.at, turn.text, before
                )
        if turn.role and turn.text:
            context.append((turn.role, turn.text[:LONGEST_LINE]))
