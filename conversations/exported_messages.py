"""Read an export in the child, and have facts extracted from the user's messages in it."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import IO, Any
from uuid import UUID, uuid5

from conversations.attachments.extraction import EXPORT
from conversations.attachments.extraction.assistant_exports import ExportedMessage
from conversations.attachments.extraction.run_child import read_confined
from conversations.emergencies import find_emergency, without_emergency
from meddie.text import storable
from memory import service
from memory.models import CaptureJob, Memory, MemoryPolicy
from memory.values import Provenance
from memory.wording.own_words import own_words
from people.scope import Scope

BATCH = 500


@dataclass(frozen=True, slots=True)
class Export:
    """What a file has: messages of the user, texts of facts, a health record.

    `unread` counts messages that were not read, by kinds; `total` counts all.
    """

    messages: Iterator[ExportedMessage]
    total: int
    unread: Mapping[str, int]
    remembered: Sequence[str]
    record: Mapping[str, Any]
    facts: str | None


@contextmanager
def open_export(file: IO[bytes], asked: Mapping[str, str]) -> Iterator[Export]:
    """`asked` as in `reduce_export`. Raises Unreadable."""
    with read_confined(file, EXPORT, asked) as (folder, read):
        has_facts = read.pop("facts")
        text = (folder / "facts").read_text("utf-8", "replace") if has_facts else None
        with (folder / "messages").open("rb") as lines:
            said = (ExportedMessage(**json.loads(line)) for line in lines)
            yield Export(said, facts=text, **read)


def uncaptured_of(
    scope: Scope, messages: Iterable[ExportedMessage]
) -> Iterator[ExportedMessage]:
    """Those that were not imported before."""
    left = iter(messages)
    while batch := {_key(scope, said): said for said in islice(left, BATCH)}:
        jobs = CaptureJob.objects.filter(source_id__in=batch)
        known = set(jobs.values_list("source_id", flat=True))
        yield from (said for key, said in batch.items() if key not in known)


def capture_exported(scope: Scope, message: ExportedMessage) -> None:
    """Make the job, also where the policy of the space wants none."""
    every = MemoryPolicy(background_capture=MemoryPolicy.BackgroundCapture.ALWAYS)
    key = _key(scope, message)
    at = datetime.fromtimestamp(message.at, UTC)
    told = Provenance(Memory.Origin.IMPORT, at, message_id=key)
    lines = [
        (role, without_emergency(storable(text))) for role, text in message.context
    ]
    said = storable(message.text)
    text = own_words(said, find_emergency(said).get("spans", []))
    if text.strip():
        service.capture_later(scope, text, told, lines, policy=every)


def _key(scope: Scope, message: ExportedMessage) -> UUID:
    name = message.external_id.encode(errors="backslashreplace").decode()
    return uuid5(scope.space_id, f"chatgpt {scope.user_id} {name}")
