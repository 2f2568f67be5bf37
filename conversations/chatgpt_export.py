"""Have facts extracted from conversations in an export of ChatGPT.

The file is a list. A conversation's messages are nodes of a tree, `mapping`, and those
that its user sees last lead from `current_node` to the root.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid5

from django.utils import timezone

from conversations.emergencies import find_emergency, without_emergency
from conversations.reply.append_messages import CONTEXT_LENGTH, CONTEXT_MESSAGES
from conversations.reply.turn import LONGEST_MESSAGE
from meddie.text import storable
from memory import service
from memory.models import CaptureJob, Memory, MemoryPolicy
from memory.values import Provenance
from memory.wording.own_words import own_words
from people.scope import Scope

ROLES = ("user", "assistant")
WITH_TEXT = ("text", "multimodal_text")
BATCH = 500
Line = tuple[str, str]  # a role and what it said


class NotAnExport(Exception):
    """Its text is one sentence."""


@dataclass(frozen=True, slots=True)
class ExportedMessage:
    """A message of the user, with the lines before it."""

    external_id: str
    at: datetime
    text: str
    context: Sequence[Line]


def read_export(text: str) -> list[ExportedMessage]:
    """Messages of the user, by conversation. Raises NotAnExport."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotAnExport("The file is not JSON.") from error
    conversations = document if isinstance(document, list) else []
    found = [one for one in conversations if _mapping(one)]
    if not found:
        raise NotAnExport("The file has no conversations of ChatGPT.")
    return [message for one in found for message in _said(one)]


def uncaptured_of(
    scope: Scope, messages: Sequence[ExportedMessage]
) -> Iterator[ExportedMessage]:
    """Those that were not imported before."""
    for start in range(0, len(messages), BATCH):
        batch = {_key(scope, one): one for one in messages[start : start + BATCH]}
        jobs = CaptureJob.objects.filter(source_id__in=batch)
        known = set(jobs.values_list("source_id", flat=True))
        yield from (one for key, one in batch.items() if key not in known)


def capture_exported(scope: Scope, message: ExportedMessage) -> None:
    """Make the job, also where the policy of the space wants none."""
    every = MemoryPolicy(background_capture=MemoryPolicy.BackgroundCapture.ALWAYS)
    key = _key(scope, message)
    told = Provenance(Memory.Origin.IMPORT, message.at, message_id=key)
    lines = [
        (role, without_emergency(text[:CONTEXT_LENGTH]))
        for role, text in message.context
    ]
    spans = find_emergency(message.text).get("spans", [])
    text = own_words(message.text, spans)
    service.capture_later(scope, text, told, lines, policy=every)


def _key(scope: Scope, message: ExportedMessage) -> UUID:
    return uuid5(scope.space_id, f"chatgpt {scope.user_id} {message.external_id}")


def _mapping(conversation: object) -> Mapping[str, Any]:
    nodes = conversation.get("mapping") if isinstance(conversation, dict) else None
    return nodes if isinstance(nodes, dict) else {}


def _said(conversation: Mapping[str, Any]) -> Iterator[ExportedMessage]:
    context: list[Line] = []
    for message in _path(conversation):
        author, text = message.get("author"), _text(message)
        role = str(author.get("role")) if isinstance(author, dict) else ""
        if role not in ROLES or not text:
            continue
        at = _date(message.get("create_time") or conversation.get("create_time"))
        key = message.get("id")
        if role == "user" and at and isinstance(key, str):
            yield ExportedMessage(key, at, text, context[-CONTEXT_MESSAGES:])
        context.append((role, text))


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
    return storable(text).strip()[:LONGEST_MESSAGE]


def _date(seconds: object) -> datetime | None:
    """Never later than now; None if it is no time."""
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        return None
    try:
        return min(datetime.fromtimestamp(seconds, UTC), timezone.now())
    except (ValueError, OverflowError, OSError):
        return None
