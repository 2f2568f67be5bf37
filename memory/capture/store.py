"""The rows of one scope, as capture and forgetting read and write them.

Everything here runs inside the caller's transaction, under the scope's lock.
"""

import hashlib
import uuid
from collections.abc import Sequence
from datetime import datetime

from django.db import connection
from django.utils import timezone

from memory.capture.neighbours import Neighbour, Neighbours, Probe
from memory.models import Memory, MemoryLink, MemoryUpdate
from memory.visibility import scope_values
from people.scope import Scope

COLUMNS = tuple(
    field.attname
    for field in Memory._meta.concrete_fields  # noqa: SLF001 -- Django documents it
    if not field.generated
)
INSERT = f"""
WITH memory AS (
    INSERT INTO memories ({", ".join(COLUMNS)}) VALUES ({", ".join(["%s"] * len(COLUMNS))})
)
INSERT INTO memory_memorylink (id, user_id, space_id, memory_id, created_at)
VALUES (%s, %s, %s, %s, %s)
"""  # noqa: S608 -- made of names of columns
LOCK = """
SELECT pg_advisory_xact_lock(%s), NOT EXISTS (
    SELECT FROM memory_memorypolicy WHERE space_id = %s AND NOT inline_capture
)
"""


class Nobody(Exception):
    """A scope without a user has no rows."""


def owner(scope: Scope) -> uuid.UUID:
    """Whose rows these are. Without a user there are none, and nobody may come here."""
    if scope.user_id is None:
        raise Nobody
    return scope.user_id


def lock(scope: Scope) -> bool:
    """Let one writer at a time into a scope, until the transaction ends (B-08), and say
    whether the space lets replies tell facts."""
    name = f"memory:{owner(scope)}:{scope.space_id}".encode()
    key = int.from_bytes(hashlib.sha256(name).digest()[:8], signed=True)
    with connection.cursor() as cursor:
        cursor.execute(LOCK, [key, scope.space_id])
        (_, captures_inline) = cursor.fetchone()
    return bool(captures_inline)


def look(scope: Scope, sought: Probe) -> Neighbours:
    """All that lies around what is sought."""
    values = sought.values | scope_values(scope)
    with connection.cursor() as cursor:
        cursor.execute(sought.statement, values)
        return Neighbours.of(cursor.fetchall())


def whole(scope: Scope, found: Neighbour) -> Memory:
    """The row that was found, to be written to."""
    owned = Memory.objects.owned_by(scope).defer("embedding", "near")
    return owned.get(pk=found.id)


def same_text(scope: Scope, content_hash: str) -> Memory | None:
    """The scope's row of this very sentence, whatever became of it."""
    return Memory.objects.owned_by(scope).filter(content_hash=content_hash).first()


def insert(memory: Memory, vector: str) -> None:
    """Write a new memory, whose vector is this literal, and its owner's link."""
    memory.inserted_at = memory.updated_at = timezone.now()
    values = [vector if n == "embedding" else getattr(memory, n) for n in COLUMNS]
    whose = (memory.user_id, memory.space_id, memory.pk)
    with connection.cursor() as cursor:
        cursor.execute(INSERT, [*values, uuid.uuid4(), *whose, memory.inserted_at])


def link(scope: Scope, memory: Memory) -> None:
    """Let the user have the memory."""
    new = MemoryLink(user_id=owner(scope), space_id=scope.space_id, memory=memory)
    MemoryLink.objects.bulk_create([new], ignore_conflicts=True)


def retire(memory: Memory, reason: str, *, unlink: bool = True) -> None:
    """Take a memory out of every answer."""
    memory.active = False
    memory.retired_reason = reason
    memory.retired_at = timezone.now()
    memory.save(update_fields=["active", "retired_reason", "retired_at", "updated_at"])
    if unlink:
        memory.links.all().delete()


def restore(scope: Scope, memory: Memory) -> None:
    """Let a memory that had given way stand again."""
    memory.active, memory.retired_reason, memory.retired_at = True, "", None
    memory.save(update_fields=["active", "retired_reason", "retired_at", "updated_at"])
    link(scope, memory)
    audit(scope, None, memory, "restored")


def supersede(scope: Scope, old: Memory, new: Memory, reason: str) -> None:
    """Replace a memory for this user and record it; others with a link keep it."""
    old.links.filter(user_id=owner(scope), space_id=scope.space_id).delete()
    if not old.links.exists():
        retire(old, Memory.RetiredReason.SUPERSEDED)
    audit(scope, old, new, reason)


def audit(scope: Scope, old: Memory | None, new: Memory | None, reason: str) -> None:
    """Keep on record which row gave way to which."""
    MemoryUpdate.objects.create(user_id=owner(scope), old=old, new=new, reason=reason)


def refresh(memory: Memory, confidence: float, stated_at: datetime) -> None:
    """Provenance again: the higher confidence and the newer date stand."""
    memory.confidence = max(memory.confidence, confidence)
    memory.stated_at = max(memory.stated_at, stated_at)
    memory.save(update_fields=["confidence", "stated_at", "updated_at"])


def successor_stated_at(memory: Memory) -> datetime | None:
    """When that was said which took a superseded memory's place, if it still stands."""
    update = (
        MemoryUpdate.objects.filter(old=memory, new__active=True)
        .select_related("new")
        .order_by("-created_at")
        .first()
    )
    return update.new.stated_at if update and update.new else None


def own(scope: Scope, keys: Sequence[uuid.UUID]) -> list[Memory]:
    """The scope's active memories of these keys, newest first; nobody else's (B-25)."""
    found = Memory.objects.visible_to(scope).active().filter(pk__in=keys)
    return list(found.defer("embedding", "near").order_by("-stated_at", "pk"))
