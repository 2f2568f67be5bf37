"""Sizes: bytes of a row, the index on vectors, tokens of a turn.

docs/growth.md multiplies these figures. For comparison an index over the whole column is
built from the same rows.
"""

import time
from datetime import UTC, datetime
from typing import Any

import numpy as np
from django.conf import settings
from django.db import connection

from benchmarks import rows
from benchmarks.scene import Scene
from benchmarks.sentences import facts
from conversations.models import Conversation, Episode, Message, MessageIndex, Thread
from conversations.reply.prompt.context import Brief, HistoryLine, build
from conversations.reply.prompt.sections import FactLine
from meddie.ai import local_embedder
from meddie.ai.tokens import estimate
from memory.models import Memory, MemoryLink
from memory.models.embedded import DIMENSIONS
from memory.recall.large_scopes import EXACT_LIMIT, mark_large_scopes
from people.scope import Scope

ROWS = 5_000
EACH = 100
"""Memories of one user."""
SPOKEN = 234
"""Characters of a message."""
LARGE = EXACT_LIMIT + 1
FACTS = 6
HISTORIES = (8, 30)
INDEX = "memories_near_hnsw"
WHOLE = """
CREATE INDEX whole_hnsw ON memories USING hnsw (embedding vector_cosine_ops)
  WITH (m = 16, ef_construction = 64) WHERE ann
"""
TABLES = (Memory, MemoryLink, Message, MessageIndex)


def run(_scene: Scene) -> dict[str, Any]:
    """Bytes, the index, and tokens."""
    base = rows.base()
    vectors = rows.mixed(base, ROWS, seed=ROWS)
    rows.fill(rows.scopes(ROWS // EACH), facts(ROWS, seed=ROWS), vectors)
    _speak(rows.scopes(1)[0], vectors)
    per_row = {table._meta.db_table: _per_row(table._meta.db_table) for table in TABLES}  # noqa: SLF001 -- Django documents it
    many = rows.mixed(base, LARGE, seed=LARGE)
    rows.fill(rows.scopes(1), facts(LARGE, seed=LARGE), many)
    return {
        "rows": ROWS,
        "bytes a row": per_row,
        "index": _index(),
        "tokens": _tokens(),
    }


def _messages() -> list[str]:
    """What is said, all of one length: four sentences of a fact's."""
    said = facts(4 * ROWS, seed=4)
    return [" ".join(said[n::ROWS]).ljust(SPOKEN, ".")[:SPOKEN] for n in range(ROWS)]


def _speak(scope: Scope, vectors: rows.Matrix) -> None:
    """One long conversation, found by recall."""
    assert scope.user_id is not None  # noqa: S101 -- the scope is a user's
    thread = Thread.objects.create(
        space_id=scope.space_id, user_id=scope.user_id, channel="web", external_id="1"
    )
    where = {"thread": thread, "space_id": scope.space_id, "user_id": scope.user_id}
    conversation = Conversation.objects.create(**where, last_message_at=rows.START)
    episode = Episode.objects.create(thread=thread, conversation=conversation)
    messages = [
        Message(
            thread=thread,
            conversation=conversation,
            episode=episode,
            seq=number,
            role=Message.Role.USER,
            content=text,
        )
        for number, text in enumerate(_messages())
    ]
    Message.objects.bulk_create(messages, batch_size=1_000)
    padded = np.pad(vectors, ((0, 0), (0, DIMENSIONS - vectors.shape[1])))
    MessageIndex.objects.bulk_create(
        (
            MessageIndex(
                message=message,
                user_id=scope.user_id,
                space_id=scope.space_id,
                session=episode.pk,
                place=message.seq,
                speaker=message.role,
                content=message.content,
                stated_at=message.created_at,
                embedding=vector,
                embedding_model=local_embedder.NAME,
            )
            for message, vector in zip(messages, padded, strict=True)
        ),
        batch_size=500,
    )


def _per_row(table: str) -> dict[str, int]:
    """Of a table of so many rows: its own pages, its indexes, and all with TOAST."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {table}")  # noqa: S608 -- our own
        (count,) = cursor.fetchone()
        cursor.execute(
            "SELECT pg_relation_size(%(name)s), pg_indexes_size(%(name)s),"
            " pg_total_relation_size(%(name)s)",
            {"name": table},
        )
        sizes = cursor.fetchone()
    names = ("table", "indexes", "total")
    return {name: round(size / count) for name, size in zip(names, sizes, strict=True)}


def _index() -> dict[str, Any]:
    """Index the rows of a large scope as in production; then rebuild the index."""
    began = time.perf_counter()
    entered = mark_large_scopes()
    seconds = time.perf_counter() - began
    size = _megabytes(INDEX)
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute("SET maintenance_work_mem = '1GB'")
    return {
        "rows": entered,
        "seconds to enter": round(seconds, 1),
        "megabytes": size,
        "seconds to build": _seconds(f"REINDEX INDEX {INDEX}"),
        "whole column, seconds to build": _seconds(WHOLE),
        "whole column, megabytes": _megabytes("whole_hnsw"),
    }


def _seconds(statement: str) -> float:
    began = time.perf_counter()
    with connection.cursor() as cursor:
        cursor.execute(statement)
    return round(time.perf_counter() - began, 1)


def _megabytes(index: str) -> float:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_relation_size(%s) / 1048576.0", [index])
        (size,) = cursor.fetchone()
    return round(float(size), 1)


def _tokens() -> dict[str, int]:
    """What is sent for one turn, by Meddie's own estimate."""
    return {
        "question": _sent(0, 0),
        f"{FACTS} facts": _sent(FACTS, 0),
        **{
            f"{FACTS} facts, {many} messages before": _sent(FACTS, many)
            for many in HISTORIES
        },
    }


def _sent(known: int, before: int) -> int:
    history = [
        HistoryLine("assistant" if number % 2 else "user", text)
        for number, text in enumerate(_messages()[:before])
    ]
    history.append(HistoryLine("user", "What should I plan around swimming?"))
    now = datetime(2026, 1, 1, tzinfo=UTC)
    told = [FactLine(text, now.date()) for text in facts(known)]
    brief = Brief(history, now, facts=told)
    return sum(
        estimate(message["content"])
        for message in build(brief, settings.PROMPT_TOKENS).messages
    )
