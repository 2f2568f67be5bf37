"""Many new memories at once, the way that is quickest for a database: COPY, in binary, so
that nobody writes out and reads the numbers of a vector."""

import struct
import uuid
from collections.abc import Iterable, Sequence

from django.db import connection
from django.utils import timezone

from meddie.ai.vectors import Vector
from memory.models import Memory
from memory.models.embedded import DIMENSIONS

TYPES = {
    "id": "uuid",
    "user_id": "uuid",
    "space_id": "uuid",
    "audience": "text",
    "content": "text",
    "content_hash": "text",
    "kind": "text",
    "source": "text",
    "origin": "text",
    "source_message_id": "uuid",
    "run_id": "uuid",
    "channel": "text",
    "confidence": "float8",
    "evidence": "text",
    "stated_at": "timestamptz",
    "active": "bool",
    "retired_reason": "text",
    "retired_at": "timestamptz",
    "ann": "bool",
    "inserted_at": "timestamptz",
    "updated_at": "timestamptz",
    "embedding_model": "text",
    "embedding": "bytea",
}
LINK_TYPES = {
    "id": "uuid",
    "user_id": "uuid",
    "space_id": "uuid",
    "memory_id": "uuid",
    "created_at": "timestamptz",
}
HEADER = struct.pack(">hh", DIMENSIONS, 0)
"""What stands before the numbers of a vector, highest byte first."""


def insert_many(memories: Sequence[Memory]) -> None:
    """Write new memories and their owners' links."""
    now = timezone.now()
    for memory in memories:
        memory.inserted_at = memory.updated_at = now
    _copy("memories", TYPES, map(_row, memories))
    links = ((uuid.uuid4(), m.user_id, m.space_id, m.pk, now) for m in memories)
    _copy("memory_memorylink", LINK_TYPES, links)


def _row(memory: Memory) -> list[object]:
    *names, _ = TYPES
    return [*(getattr(memory, name) for name in names), _sent(memory.embedding)]


def _sent(vector: Vector) -> bytes:
    """As PostgreSQL receives a vector."""
    return HEADER + vector.astype(">f4").tobytes()


def _copy(table: str, types: dict[str, str], rows: Iterable[Sequence[object]]) -> None:
    statement = f"COPY {table} ({', '.join(types)}) FROM STDIN (FORMAT BINARY)"
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        copy.set_types(list(types.values()))
        for row in rows:
            copy.write_row(row)
