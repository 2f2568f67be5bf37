"""Conversations in the JSON of assistants, as turns: whose, what, when, or why without words.

ChatGPT's messages are nodes of a tree, `mapping`; those that its user sees last lead from
`current_node` to the root. Open WebUI and Claude have trees, too.
"""

import html
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from itertools import pairwise
from operator import itemgetter
from typing import Any, NamedTuple

from conversations.attachments.extraction import Unreadable

Entry = Mapping[str, Any]
LONGEST_TEXT = 20_000  # characters, as of a message
WITH_TEXT = {"text", "multimodal_text", "audio_transcription"}
NOT_SAID = {"user_editable_context", "model_editable_context"}
NOT_OWN = {"blockquote", "thinking", "tool_result", "tool_use"}  # parts of messages
ROLES = {"user": "user", "human": "user", "assistant": "assistant"}
KINDS = (
    ("picture", ("image", "photo", "sticker", "jpg", "jpeg", "png", "heic", "webp")),
    (
        "recording",
        ("audio", "voice", "video", "opus", "ogg", "m4a", "mp3", "mp4", "mov"),
    ),
)
WRAPPED = ("conversations", "chats", "data")
# How Gemini's titles begin in English; in other languages most of a file begin alike.
PROMPTED = ("Prompted with: ", "Prompted ", "Asked Gemini: ", "Asked ", "Said ")
ATTACHED = re.compile(r"\s{0,3}Attached \d+ files?\.?$")
TAG = re.compile(r"<[^>]*>")
MOST_HTML, PAUSE = 4000, 30 * 60  # characters of an answer; seconds
FEWEST_ALIKE, ALIKE = 5, 0.6
MILLISECONDS = 1e11


class ChatTurn(NamedTuple):
    """`at` is in seconds since 1970; `unread` is why the user's message has no text."""

    role: str
    text: str
    at: float | None
    key: str
    unread: str = ""


def chats_of(document: object) -> list[Iterable[ChatTurn]]:
    """Empty if it has another shape. Raises Unreadable for those of several users."""
    if isinstance(document, dict):
        wrapped = (document.get(name) for name in WRAPPED)
        document = next((w for w in wrapped if isinstance(w, list)), [document])
    entries = [e for e in _list(document) if isinstance(e, dict)]
    if len({str(entry.get("user_id")) for entry in entries if "chat" in entry}) > 1:
        raise Unreadable("several_users")
    records = [entry for entry in entries if _is_of_gemini(entry)]
    found = [
        read(entry)
        for entry in entries
        for name, kind, read in READERS
        if isinstance(entry.get(name), kind)
    ]
    return [*found, *_gemini(records)]


def _chatgpt(chat: Entry) -> Iterator[ChatTurn]:
    nodes = {k: v for k, v in chat["mapping"].items() if isinstance(v, dict)}
    last = chat.get("current_node")
    for node in branch(nodes, last if last in nodes else _latest(nodes), "parent"):
        message = _entry(node.get("message"))
        content, told = _entry(message.get("content")), _entry(message.get("metadata"))
        role = ROLES.get(str(_entry(message.get("author")).get("role")), "")
        kind, key = content.get("content_type"), message.get("id")
        hidden = (
            message.get("weight") == 0
            or told.get("is_visually_hidden_from_conversation")
            or told.get("is_user_system_message")
            or kind in NOT_SAID
            or message.get("recipient") not in {None, "all"}
            or (role == "assistant" and kind not in WITH_TEXT)
        )
        if not role or hidden or not content or not isinstance(key, str):
            continue
        text, unread = read_parts(content.get("parts", [content]))
        unread = unread or _files(told.get("attachments"))
        at = seconds(message.get("create_time")) or seconds(chat.get("create_time"))
        yield ChatTurn(role, text, at, key, unread)


def _latest(nodes: Mapping[str, Entry]) -> str | None:
    """The leaf whose message was written last."""
    parents = {str(node.get("parent")) for node in nodes.values()}
    leaves = [key for key in nodes if key not in parents] or list(nodes)[-1:]
    dated = [
        (seconds(_entry(nodes[key].get("message")).get("create_time")) or 0, n, key)
        for n, key in enumerate(leaves)
    ]
    return max(dated)[2] if dated else None


def branch(nodes: Mapping[str, Entry], last: object, parent: str) -> list[Entry]:
    """From the root to the last one, without replaced branches."""
    left: dict[str, Entry] = dict(nodes)
    path: list[Entry] = []
    while isinstance(last, str) and last in left:
        path.append(left.pop(last))
        last = path[-1].get(parent)
    return path[::-1]


def _claude(chat: Entry) -> Iterator[ChatTurn]:
    messages: list[Entry] = [m for m in chat["chat_messages"] if isinstance(m, dict)]
    nodes = {str(message.get("uuid", n)): message for n, message in enumerate(messages)}
    if any(str(m.get("parent_message_uuid")) in nodes for m in messages):
        last = chat.get("current_leaf_message_uuid")
        last = last if last in nodes else list(nodes)[-1]
        messages = branch(nodes, last, "parent_message_uuid")
    for number, message in enumerate(messages):
        text, unread = read_parts(message.get("content"))
        text = text or read_parts([message.get("text")])[0]
        files = [*_list(message.get("files")), *_list(message.get("attachments"))]
        key = message.get("uuid") or f"{chat.get('uuid')} {number}"
        yield ChatTurn(
            ROLES.get(str(message.get("sender")), ""),
            text,
            seconds(message.get("created_at")),
            f"claude {key}",
            unread or _files(files),
        )


def _open_webui(entry: Entry) -> Iterator[ChatTurn]:
    chat = entry["chat"]
    history = _entry(chat.get("history"))
    known = _entry(history.get("messages"))
    nodes = {key: node for key, node in known.items() if isinstance(node, dict)}
    messages = branch(nodes, history.get("currentId"), "parentId")
    for number, message in enumerate(messages or _list(chat.get("messages"))):
        if not isinstance(message, dict):
            continue
        content = message.get("content")
        text, unread = read_parts(content if isinstance(content, list) else [content])
        yield ChatTurn(
            ROLES.get(str(message.get("role")), ""),
            text,
            seconds(message.get("timestamp")) or seconds(entry.get("created_at")),
            f"openwebui {entry.get('id')} {message.get('id', number)}",
            unread or _files(message.get("files")),
        )


READERS: Sequence[tuple[str, type, Callable[[Entry], Iterator[ChatTurn]]]] = (
    ("mapping", dict, _chatgpt),
    ("chat_messages", list, _claude),
    ("chat", dict, _open_webui),
    ("history", dict, lambda chat: _open_webui({"chat": chat} | dict(chat))),
)


def _is_of_gemini(record: Entry) -> bool:
    """Other products of Google have records of the same shape."""
    named = [record.get("header"), *_list(record.get("products"))]
    of_gemini = any(
        "gemini" in str(n).lower() or "bard" in str(n).lower() for n in named
    )
    return of_gemini and isinstance(record.get("title"), str) and "time" in record


def _gemini(records: Sequence[Entry]) -> Iterator[list[ChatTurn]]:
    """Conversations end with a pause: the records do not say which they are of."""
    dated = [(seconds(record["time"]) or 0.0, record) for record in records]
    dated.sort(key=itemgetter(0))
    is_english = any(str(r["title"]).startswith(PROMPTED) for r in records)
    begin = _begins_alike([r["title"] for r in records if r.get("safeHtmlItem")])
    turns: list[ChatTurn] = []
    for (before, _), (at, record) in pairwise([(0.0, {}), *dated]):
        if turns and at - before > PAUSE:
            yield turns
            turns = []
        answers = [_entry(item) for item in _list(record.get("safeHtmlItem"))]
        title = str(record["title"])
        said = next((p for p in (*PROMPTED, begin) if p and title.startswith(p)), "")
        if not (said or (answers and not is_english)):
            continue  # as of feedback, or what Gemini made
        text = title.removeprefix(said)
        words = ATTACHED.sub("", text).strip()[:LONGEST_TEXT]
        key = f"gemini {record['time']} {title}"
        turns.append(ChatTurn("user", words, at or None, key, "" if words else "file"))
        for answer in answers:
            shown = TAG.sub(" ", str(answer.get("html"))[:MOST_HTML])
            told = " ".join(html.unescape(shown).split())
            turns.append(ChatTurn("assistant", told, at, key))
    if turns:
        yield turns


def _begins_alike(titles: Sequence[str]) -> str:
    """The word that most of many titles begin with, as "Prompted " in another language."""
    firsts = [title.split(" ", 1)[0] + " " for title in titles]
    common, count = Counter(firsts).most_common(1)[0] if firsts else ("", 0)
    enough = len(firsts) >= FEWEST_ALIKE and count > ALIKE * len(firsts)
    return common if enough else ""


def read_parts(parts: object, joined: str = "\n") -> tuple[str, str]:
    """The text of parts, else what kind of part there is."""
    texts, kinds = [], []
    for part in _list(parts):
        if isinstance(part, dict) and part.get("type") not in NOT_OWN:
            words = part.get("text")
            kind = part.get("content_type") or part.get("type")
            if isinstance(words, str):
                texts.append(words)
            elif kind:
                kinds.append(medium_of(str(kind)))
        elif isinstance(part, str):
            texts.append(part)
    text = joined.join(texts).strip()[:LONGEST_TEXT]
    return text, "" if text else next(iter(kinds), "")


def medium_of(named: str) -> str:
    """Of a type or the name of a file."""
    named = named.lower()
    found = (kind for kind, words in KINDS if any(word in named for word in words))
    return next(found, "file")


def _files(files: object) -> str:
    names = (
        str(
            _entry(f).get("file_name") or _entry(f).get("name") or _entry(f).get("type")
        )
        for f in _list(files)
    )
    return next(map(medium_of, names), "")


def seconds(moment: object, zone: tzinfo = UTC) -> float | None:
    """Since 1970, never later than now; None if it is no time. Also of milliseconds."""
    try:
        if isinstance(moment, str) and not moment.isdigit():
            told = datetime.fromisoformat(moment)
            told = told if told.tzinfo else told.replace(tzinfo=zone)
        elif isinstance(moment, bool) or not isinstance(moment, (int, float, str)):
            return None
        else:
            number = float(moment)
            number = number / 1000 if number > MILLISECONDS else number
            told = datetime.fromtimestamp(number, UTC)
        return min(told, datetime.now(UTC)).timestamp()
    except (ValueError, OverflowError, OSError):
        return None


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _entry(value: object) -> Entry:
    return value if isinstance(value, dict) else {}
