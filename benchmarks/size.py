"""Sizes: bytes of a turn and of a row, the index on vectors, tokens of a turn.

docs/growth.md multiplies these figures.
"""

import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.db import connection

from benchmarks import rows
from benchmarks.scene import Scene
from benchmarks.sentences import facts, questions
from conversations.models import Conversation, Episode, Message, MessageIndex, Thread
from conversations.reply.prompt.context import Brief, HistoryLine, build
from conversations.reply.prompt.sections import FactLine
from conversations.reply.runner import write_reply
from conversations.reply.turn import begin
from meddie.ai import local_embedder
from meddie.ai.tokens import estimate
from meddie.jobs.registry import QUEUES
from meddie.threads import run_coroutine
from memory.facts.imports import import_facts
from memory.models import Memory, MemoryLink
from memory.recall.large_scopes import EXACT_LIMIT, mark_large_scopes
from memory.reembedding import reembed_rows
from memory.values import Candidate, ImportedFact
from people.models import User
from people.scope import Scope
from tests.openai_answers import says

ROWS = 5_000
EACH = 100
"""Memories of one user."""
SPOKEN = 234
"""Characters of a message."""
LARGE = EXACT_LIMIT + 1
TURNS, KNOWN = 200, 40  # turns, in conversations of ten, and facts of the user
PATIENCE = 60.0  # seconds for one reply
ANSWER = " ".join(["words"] * 40)
FACTS = 6
HISTORIES = (8, 30)
INDEX = "memories_near_hnsw"
TABLES = (Memory, MemoryLink, Message, MessageIndex)


def run(scene: Scene) -> dict[str, Any]:
    """Bytes, the index, and tokens."""
    scene.server.chat.default = lambda _: says(ANSWER)
    turn = _turn()
    base = rows.base()
    vectors = rows.mixed(base, ROWS, seed=ROWS)
    rows.fill(rows.scopes(ROWS // EACH), facts(ROWS, seed=ROWS), vectors)
    _speak(rows.scopes(1)[0], vectors)
    per_row = {table._meta.db_table: _per_row(table._meta.db_table) for table in TABLES}  # noqa: SLF001 -- Django documents it
    many = rows.mixed(base, LARGE, seed=LARGE)
    rows.fill(rows.scopes(1), facts(LARGE, seed=LARGE), many)
    return {
        "a turn": turn,
        "rows": ROWS,
        "bytes a row": per_row,
        "index": _index(),
        "tokens": _tokens(),
    }


def _turn() -> dict[str, list[float]]:
    """Rows and bytes that a turn leaves in each table, with indexes, TOAST and dead rows."""
    (scope,) = rows.scopes(1)
    user, space = User.objects.get(memberships__space=scope.space_id), scope.space_id
    known = [ImportedFact(Candidate(text), rows.START) for text in facts(KNOWN)]
    list(import_facts(replace(scope, channel="web"), known))
    before, conversation = _grown(), None
    for number, asked in enumerate(questions(TURNS)):
        new = number % 10 == 0
        turn = begin(user, space, asked, conversation_id=None if new else conversation)
        conversation = turn.conversation_id
        run_coroutine(write_reply(turn), PATIENCE)
        reembed_rows(MessageIndex.to_embed())
        for queue in QUEUES.values():
            for key in queue.due_keys():
                queue.run(key)
    after = _grown()
    grown = {
        table: [round((now - then) / TURNS, 1) for now, then in zip(*both, strict=True)]
        for table, both in ((name, (after[name], before[name])) for name in after)
    }
    together = [round(sum(column), 1) for column in zip(*grown.values(), strict=True)]
    return {"together": together} | {t: g for t, g in grown.items() if any(g)}


def _grown() -> dict[str, tuple[int, int]]:
    """Rows and bytes of each table."""
    sizes = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names():
            cursor.execute(
                f"SELECT count(*), pg_total_relation_size(%s) FROM {table}",  # noqa: S608
                [table],
            )
            sizes[table] = cursor.fetchone()
    return sizes


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
    indexed = []
    for message, vector in zip(messages, vectors, strict=True):
        row = MessageIndex(
            message=message,
            user_id=scope.user_id,
            space_id=scope.space_id,
            session=episode.pk,
            place=message.seq,
            speaker=message.role,
            content=message.content,
            stated_at=message.created_at,
            embedding_model=local_embedder.NAME,
        )
        row.vector = vector
        indexed.append(row)
    MessageIndex.objects.bulk_create(indexed, batch_size=500)


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
