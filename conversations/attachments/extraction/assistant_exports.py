"""Files of other assistants, made small: messages of ChatGPT's export, or a list of facts.

ChatGPT's file is a list. A conversation's messages are nodes of a tree, `mapping`, and
those that its user sees last lead from `current_node` to the root.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from operator import attrgetter
from pathlib import Path
from typing import Any
from zipfile import is_zipfile

from conversations.attachments.extraction import Unreadable
from conversations.attachments.extraction.archives import open_archive, unpack

EXPORTED_ROLES = ("user", "assistant")
WITH_TEXT = ("text", "multimodal_text")
LONGEST_TEXT = 20_000  # characters, as of a message
LONGEST_LINE, LINES_BEFORE = 1000, 4  # as capture reads of them
LARGEST_EXPORT = 100 * 1024**2  # bytes of what is packed in a zip file
LARGEST_LIST, MOST_VALUES = 5 * 1024**2, 100_000  # bytes and values of a list of facts
LARGEST_WRITTEN = 15 * 1024**2  # bytes of messages, the newest first
Line = tuple[str, str]  # a role and what it said


class NotAnExport(Exception):
    """Its text is one sentence."""


@dataclass(frozen=True, slots=True)
class ExportedMessage:
    """A message of the user, with the lines before it; `at` is in seconds since 1970."""

    external_id: str
    at: float
    text: str
    context: Sequence[Line]


def reduce_export(source: Path, folder: Path) -> dict[str, Any]:
    """Write `messages`, the newest first, or `facts` into the folder. Raises Unreadable.

    The caller is told how many messages there are.
    """
    content = _unpacked(source) if is_zipfile(source) else source.read_bytes()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable("no_text") from None
    values = sum(map(content.count, b"{[,\n"))
    del content
    try:
        messages = read_export(text)
    except NotAnExport:
        if len(text) > LARGEST_LIST or values > MOST_VALUES:
            raise Unreadable("too_many") from None
        (folder / "facts").write_text(text, encoding="utf-8")
        return {}
    with (folder / "messages").open("wb") as written:
        for message in sorted(messages, key=attrgetter("at"), reverse=True):
            if written.tell() > LARGEST_WRITTEN:
                break
            written.write(_line(message))
    return {"messages": len(messages)}


def _line(message: ExportedMessage) -> bytes:
    text = json.dumps(asdict(message), ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass") + b"\n"


def _unpacked(source: Path) -> bytes:
    """`conversations.json` of ChatGPT's export, or the facts of Meddie's own."""
    content = bytearray()
    with open_archive(source) as archive:
        entries = archive.infolist()
        found = [
            entry
            for entry in entries
            if entry.filename.rpartition("/")[2] == "conversations.json"
        ]
        found = found or [
            entry for entry in entries if entry.filename.endswith(".jsonl")
        ]
        if not found:
            raise Unreadable("no_list")
        for entry in found:
            content += b"\n" if content else b""
            for piece in unpack(archive, entry, LARGEST_EXPORT - len(content)):
                content += piece
    return bytes(content)


def read_export(text: str) -> list[ExportedMessage]:
    """Messages of the user, by conversation. Raises NotAnExport."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotAnExport("The file is not JSON.") from error
    conversations = document if isinstance(document, list) else []
    found = [chat for chat in conversations if _mapping(chat)]
    if not found:
        raise NotAnExport("The file has no conversations of ChatGPT.")
    return [message for chat in found for message in _said(chat)]


def _mapping(conversation: object) -> Mapping[str, Any]:
    nodes = conversation.get("mapping") if isinstance(conversation, dict) else None
    return nodes if isinstance(nodes, dict) else {}


def _said(conversation: Mapping[str, Any]) -> Iterator[ExportedMessage]:
    context: list[Line] = []
    for message in _path(conversation):
        author, text = message.get("author"), _text(message)
        role = str(author.get("role")) if isinstance(author, dict) else ""
        if role not in EXPORTED_ROLES or not text:
            continue
        at = _date(message.get("create_time") or conversation.get("create_time"))
        key = message.get("id")
        if role == "user" and at is not None and isinstance(key, str):
            yield ExportedMessage(key, at, text, context[-LINES_BEFORE:])
        context.append((role, text[:LONGEST_LINE]))


def _path(conversation: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Messages from the root to the current node, without replaced branches."""
    nodes, key = dict(_mapping(conversation)), conversation.get("current_node")
    path: list[Mapping[str, Any]] = []
    while isinstance(key, str) and isinstance(node := nodes.pop(key, None), dict):
        if isinstance(node.get("message"), dict):
            path.append(node["message"])
        key = node.get("parent")
    return path[::-1]


def _text(message: Mapping[str, Any]) -> str:
    """Empty for files, hidden messages and what is not written by people."""
    content = message.get("content")
    if not isinstance(content, dict) or content.get("content_type") not in WITH_TEXT:
        return ""
    parts = content.get("parts")
    if message.get("weight") == 0 or not isinstance(parts, list):
        return ""
    text = "\n".join(part for part in parts if isinstance(part, str))
    return text.strip()[:LONGEST_TEXT]


def _date(seconds: object) -> float | None:
    """Never later than now; None if it is no time."""
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        return None
    try:
        return min(datetime.fromtimestamp(seconds, UTC), datetime.now(UTC)).timestamp()
    except (ValueError, OverflowError, OSError):
        return None
