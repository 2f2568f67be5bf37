"""Read and write one scope's rows, in a transaction and after `lock`."""

import hashlib
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection
from django.db.models import Q
from django.utils import timezone

from memory.copies import tell_of_first_vital
from memory.facts import periods
from memory.models import (
    Memory,
    MemoryLink,
    MemoryStatement,
    MemoryUpdate,
)
from memory.subjects import Subject
from memory.values import Provenance
from people.scope import Scope

FIELDS = tuple(
    field
    for field in Memory._meta.concrete_fields  # noqa: SLF001 -- Django documents it
    if not field.generated
)
INSERT_MEMORY = f"""
WITH memory AS (
    INSERT INTO memories ({", ".join(field.attname for field in FIELDS)})
    VALUES ({", ".join(["%s"] * len(FIELDS))})
)
INSERT INTO memory_memorylink (id, user_id, space_id, memory_id, created_at)
VALUES (%s, %s, %s, %s, %s)
"""  # noqa: S608 -- column names
LOCK = """
SELECT pg_advisory_xact_lock(%s), NOT EXISTS (
    SELECT FROM memory_memorypolicy WHERE space_id = %s AND NOT inline_capture
)
"""


@dataclass(frozen=True, slots=True)
class Successor:
    """The active memory that superseded another, and the reasons on the way to it."""

    memory: Memory
    reasons: frozenset[str]

    @property
    def refines(self) -> bool:
        return self.reasons <= MemoryUpdate.FULLER

    @property
    def contradicts(self) -> bool:
        return self.reasons.isdisjoint(MemoryUpdate.FULLER)


class NoOwner(Exception):
    """The scope has no user."""


def owner(scope: Scope) -> uuid.UUID:
    """Raises NoOwner."""
    if scope.user_id is None:
        raise NoOwner
    return scope.user_id


def lock(scope: Scope) -> bool:
    """Lock the scope for the transaction (B-08); return whether replies may add facts."""
    key = _lock_key(f"memory:{owner(scope)}:{scope.space_id}")
    with connection.cursor() as cursor:
        cursor.execute(LOCK, [key, scope.space_id])
        (_, captures_inline) = cursor.fetchone()
    return bool(captures_inline)


def lock_lore(space_id: uuid.UUID) -> None:
    """Lock the lore of a space for the transaction, after the user's scope if both."""
    _lock_name(f"lore:{space_id}")


def lock_snapshot(space_id: uuid.UUID) -> None:
    """Lock the operators' snapshot of a space for the transaction."""
    _lock_name(f"snapshot:{space_id}")


def _lock_name(name: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_lock_key(name)])


def _lock_key(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], signed=True)


def load_rows(scope: Scope, keys: Sequence[uuid.UUID]) -> dict[uuid.UUID, Memory]:
    """The scope's own rows, active or retired."""
    if not keys:
        return {}
    owned = Memory.objects.owned_by(scope).defer("embedding", "near")
    return owned.in_bulk(keys)


def same_text(scope: Scope, content_hash: str) -> Memory | None:
    """The scope's row, active or retired."""
    return Memory.objects.owned_by(scope).filter(content_hash=content_hash).first()


def insert(memory: Memory) -> None:
    """Insert a memory and its link in one statement."""
    memory.inserted_at = memory.updated_at = timezone.now()
    values = [f.get_prep_value(getattr(memory, f.attname)) for f in FIELDS]
    linked = (memory.user_id, memory.space_id, memory.pk)
    with connection.cursor() as cursor:
        cursor.execute(
            INSERT_MEMORY, [*values, uuid.uuid4(), *linked, memory.inserted_at]
        )


def insert_superseded(scope: Scope, memory: Memory, by: Memory, reason: str) -> None:
    """Insert an older statement as history, without a link."""
    memory.active, memory.retired_reason = False, Memory.RetiredReason.SUPERSEDED
    memory.retired_at = timezone.now()
    memory.save(force_insert=True)
    audit(scope, memory, by, reason)
    periods.end_replaced(versions_of(scope, by), memory, by, reason)


def unlink(scope: Scope, memory: Memory) -> None:
    """Others with a link keep the memory."""
    memory.links.filter(user_id=owner(scope), space_id=scope.space_id).delete()


def is_lent(scope: Scope, memory: Memory) -> bool:
    """Whether a memory that the scope sees is another user's."""
    return memory.user_id != scope.user_id


def link(scope: Scope, memory: Memory) -> None:
    new = MemoryLink(user_id=owner(scope), space_id=scope.space_id, memory=memory)
    new.lent = is_lent(scope, memory)
    MemoryLink.objects.bulk_create([new], ignore_conflicts=True)


def reinstate(scope: Scope, memory: Memory) -> None:
    memory.reactivate()
    if memory.user_id is not None:
        link(scope, memory)
    audit(scope, None, memory, "restored")


def revive(scope: Scope, memory: Memory) -> None:
    """Store a retired memory as it was stated last. Withdrawn statements stay."""
    memory.active, memory.retired_reason, memory.retired_at = True, "", None
    memory.save()
    replaced = Q(withdrawn=False) | Q(message_id=memory.source_message_id)
    memory.statements.filter(replaced).delete()
    MemoryStatement.objects.all().add_first([memory])
    link(scope, memory)
    audit(scope, None, memory, "revived")


def supersede(scope: Scope, old: Memory, new: Memory, reason: str) -> None:
    """Replace a memory for this user. Others with a link keep it."""
    unlink(scope, old)
    kept = old.links.exists()
    if not kept:
        old.retire(Memory.RetiredReason.SUPERSEDED)
    audit(scope, old, new, reason)
    if not (kept or is_lent(scope, new)):
        periods.end_replaced(versions_of(scope, new), old, new, reason)


def audit(scope: Scope, old: Memory | None, new: Memory | None, reason: str) -> None:
    MemoryUpdate.objects.create(user_id=owner(scope), old=old, new=new, reason=reason)


def restate(
    scope: Scope, memory: Memory, confidence: float, provenance: Provenance
) -> None:
    """Refresh a memory that another message states, too. Rows of others stay."""
    if is_lent(scope, memory):
        return
    exported = provenance.message_id is None and (
        provenance.stated_at == memory.stated_at
    )
    if provenance.message_id != memory.source_message_id and not exported:
        MemoryStatement.objects.all().add_first([memory])
        further = MemoryStatement(
            memory=memory,
            message_id=provenance.message_id,
            stated_at=provenance.stated_at,
        )
        MemoryStatement.objects.bulk_create([further], ignore_conflicts=True)
    refresh(scope, memory, confidence, provenance.stated_at)


def refresh(
    scope: Scope, memory: Memory, confidence: float, stated_at: datetime
) -> None:
    """Keep the higher confidence and the newer date. Rows of others stay as they are."""
    if is_lent(scope, memory):
        return
    if confidence <= memory.confidence and stated_at <= memory.stated_at:
        return
    memory.confidence = max(memory.confidence, confidence)
    memory.stated_at = max(memory.stated_at, stated_at)
    memory.save(update_fields=["confidence", "stated_at", "updated_at"])


def versions_of(scope: Scope, memory: Memory) -> list[Memory]:
    lore = Memory.objects.lore_of(scope.space_id)
    rows = lore if memory.user_id is None else Memory.objects.owned_by(scope)
    found = {memory.pk: memory}
    last = {memory.pk}
    while last:
        older = rows.filter(active=False, updates_away__new__in=last)
        new = {
            row.pk: row for row in older.exclude(pk__in=found).defer(*Memory.VECTORS)
        }
        found |= new
        last = set(new)
    return list(found.values())


def find_successor(scope: Scope, memory: Memory) -> Successor | None:
    """Follow the latest replacements to the active memory at their end."""
    reasons: set[str] = set()
    seen = {memory.pk}
    while True:
        updates = MemoryUpdate.objects.filter(user_id=owner(scope), old=memory)
        update = updates.select_related("new").order_by("-created_at").first()
        if update is None or update.new is None or update.new.pk in seen:
            return None
        memory = update.new
        seen.add(memory.pk)
        reasons.add(update.reason)
        if memory.active:
            return Successor(memory, frozenset(reasons))


def read_active(scope: Scope, keys: Sequence[uuid.UUID]) -> list[Memory]:
    """The active memories that the scope sees, newest first (B-25)."""
    found = Memory.objects.visible_to(scope).active().filter(pk__in=keys)
    return list(found.defer("embedding", "near").order_by("-stated_at", "pk"))


def tell_of_vital(scope: Scope, stored: Mapping[uuid.UUID, Subject]) -> None:
    """If one of the facts is the first about someone that no answer may overlook."""
    others = Memory.objects.owned_by(scope).active().filter(safety=True)
    rows = others.exclude(pk__in=stored).values_list("subject", "person").distinct()
    known = {Subject.read(*row) for row in rows} if stored else set()
    if not known.issuperset(stored.values()):
        tell_of_first_vital(scope)
