"""The rows of one scope, as capture and forgetting read and write them.

Everything here runs inside the caller's transaction, under the scope's lock.
"""

import hashlib
import uuid
from collections.abc import Sequence
from datetime import datetime

from django.contrib.postgres.search import SearchQuery
from django.db import connection
from django.utils import timezone

from meddie.ai.vectors import Vector
from memory.models import Memory, MemoryLink, MemoryUpdate
from memory.recall.vector_text import vector_text
from people.scope import Scope

NEIGHBOURS = 10
RERANKED = 200


class Nobody(Exception):
    """A scope without a user has no rows."""


def owner(scope: Scope) -> uuid.UUID:
    """Whose rows these are. Without a user there are none, and nobody may come here."""
    if scope.user_id is None:
        raise Nobody
    return scope.user_id


def lock(scope: Scope) -> None:
    """Let one writer at a time into a scope, until the transaction ends (B-08)."""
    name = f"memory:{owner(scope)}:{scope.space_id}".encode()
    key = int.from_bytes(hashlib.sha256(name).digest()[:8], signed=True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [key])


def same_text(scope: Scope, content_hash: str) -> Memory | None:
    """The scope's row of this very sentence, whatever became of it."""
    same = Memory.objects.filter(
        audience=Memory.Audience.PRIVATE,
        user_id=owner(scope),
        space_id=scope.space_id,
        content_hash=content_hash,
    )
    return same.defer("embedding", "near").first()


def is_linked(scope: Scope, memory: Memory) -> bool:
    """Whether the scope's user still has the memory."""
    return MemoryLink.objects.filter(
        user_id=owner(scope), space_id=scope.space_id, memory=memory
    ).exists()


def neighbours(
    scope: Scope, vector: Vector, model: str
) -> Sequence[tuple[Memory, float]]:
    """Active rows and tombstones of the same model, nearest first, with their cosine."""
    found = Memory.objects.raw(
        """
        WITH scope AS MATERIALIZED (
            SELECT id, near <=> %(near)s::vector::halfvec(384) AS distance
              FROM memories
             WHERE user_id = %(user)s AND space_id = %(space)s
               AND audience = 'private' AND embedding_model = %(model)s
               AND (active OR retired_reason = 'retracted')
        ), nearest AS MATERIALIZED (
            SELECT id FROM scope ORDER BY distance, id LIMIT %(reranked)s
        )
        SELECT m.id, m.content, m.active, m.retired_reason, m.retired_at, m.stated_at,
               m.confidence, m.embedding_model, 1 - (m.embedding <=> %(vector)s::vector) AS cosine
          FROM nearest JOIN memories m USING (id)
         ORDER BY cosine DESC, m.id LIMIT %(limit)s
        """,
        {
            "user": owner(scope),
            "space": scope.space_id,
            "model": model,
            "near": vector_text(vector[:384]),
            "vector": vector_text(vector),
            "reranked": RERANKED,
            "limit": NEIGHBOURS,
        },
    )
    return [(row, vars(row)["cosine"]) for row in found]


def mentioning(scope: Scope, beginnings: Sequence[str]) -> Sequence[Memory]:
    """The scope's active rows with a word that begins like one of these."""
    if not beginnings:
        return []
    query = SearchQuery(
        " | ".join(f"'{word}':*" for word in beginnings),
        config="simple",
        search_type="raw",
    )
    rows = Memory.objects.visible_to(scope).active().filter(content_tsv=query)
    wanted = rows.only("content", "content_hash", "stated_at")
    return list(wanted.order_by("-stated_at", "pk"))


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


def supersede(scope: Scope, old: Memory, new: Memory, reason: str) -> None:
    """Let the new one take the old one's place, and keep that on record."""
    retire(old, Memory.RetiredReason.SUPERSEDED)
    audit(scope, old, new, reason)


def audit(scope: Scope, old: Memory | None, new: Memory | None, reason: str) -> None:
    """Keep on record which row gave way to which."""
    MemoryUpdate.objects.create(user_id=owner(scope), old=old, new=new, reason=reason)


def refresh(memory: Memory, confidence: float, stated_at: datetime) -> None:
    """Said again: the higher confidence and the newer date stand."""
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


def own(scope: Scope, memory_id: uuid.UUID) -> Memory | None:
    """The scope's active memory of this id; nobody else's (B-25)."""
    return Memory.objects.visible_to(scope).active().filter(pk=memory_id).first()
