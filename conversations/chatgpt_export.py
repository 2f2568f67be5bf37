"""Have facts extracted from conversations in an export of ChatGPT."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import islice
from uuid import UUID, uuid5

from conversations.attachments.extraction.assistant_exports import ExportedMessage
from conversations.emergencies import find_emergency, without_emergency
from meddie.text import storable
from memory import service
from memory.models import CaptureJob, Memory, MemoryPolicy
from memory.values import Provenance
from memory.wording.own_words import own_words
from people.scope import Scope

BATCH = 500


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
