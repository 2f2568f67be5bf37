"""Erase a user, or what a space has of one, and look for what is left."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any
from uuid import UUID

from asgiref.sync import async_to_sync
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection, transaction
from django.db.models import ForeignKey, Model, Q, QuerySet

from conversations import event_log
from conversations.attachments.file_removal import remove_files
from conversations.event_log import clear_deleted
from conversations.forgetting.deletion import delete_conversation
from conversations.models import Attachment, Conversation, Message
from conversations.models.attachment import attachment_storage
from memory.models import Memory, ProfileFact
from people.members import delete_accounts
from people.models import Erasure, Person, Space, User

LINE_KEY = re.compile(rb"<!-- ([0-9a-f-]{36}) -->")
EXPECTED = "people_deleteduser"  # the list of deleted users
TEXT_COLUMNS = """
SELECT c.table_name, c.column_name, c.data_type
  FROM information_schema.columns c JOIN information_schema.tables t
       USING (table_schema, table_name)
 WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
   AND c.is_generated = 'NEVER'
   AND c.data_type IN ('uuid', 'text', 'character varying', 'jsonb')
 ORDER BY c.table_name
"""

ERASED_FROM_A_SPACE = ("memory", "conversations")  # people stay the space's


@dataclass(frozen=True, slots=True)
class Traces:
    """Where a user's rows, files, facts and replies were before they were erased."""

    user: User
    space: Space | None
    files: frozenset[str]
    messages: frozenset[UUID]
    facts: frozenset[UUID]


def count_rows(user: User, space: Space | None) -> dict[str, int]:
    """Rows by the names of their models; messages too."""
    counts = {
        str(_meta(rows.model).verbose_name_plural): rows.count()
        for rows in _rows(user, space)
    }
    counts["messages"] = _messages(user, space).count()
    return {name: count for name, count in counts.items() if count}


def read_traces(user: User, space: Space | None) -> Traces:
    own = Attachment.objects.filter(user=user)
    files = own.filter(space=space) if space else own
    return Traces(
        user,
        space,
        frozenset(files.values_list("file", flat=True)),
        frozenset(_messages(user, space).values_list("pk", flat=True)),
        frozenset(
            row.pk
            for rows in _rows(user, space)
            if rows.model in {Memory, ProfileFact}
            for row in rows.only("pk")
        ),
    )


def erase_user(traces: Traces) -> None:
    """Delete the rows now, and the copies in files and in Redis.

    Raises LastAdmin and BotConnected, with nothing deleted.
    """
    if traces.space is None:
        delete_accounts([traces.user])
    else:
        erase_from(traces.user, traces.space)
    remove_files()
    call_command("refresh_journals")
    async_to_sync(clear_deleted)()


@transaction.atomic
def erase_from(user: User, space: Space) -> None:
    """Delete what a space has of a user, and note it for restores."""
    erased = {"user": user.pk, "space": space.pk}
    Erasure.objects.create(kind=Erasure.Kind.CONTENT, **erased)
    for conversation in Conversation.objects.filter(user=user, space=space):
        delete_conversation(conversation)
    for rows in _rows(user, space):
        rows.delete()
    Person.objects.deleted().filter(user=user, space=space).erase()


def _rows(user: User, space: Space | None) -> Iterator[QuerySet[Model]]:
    for model in apps.get_models():
        owned = Q()
        for field in _keys_to(model, User):
            owned |= Q(**{field: user})
        in_space = _keys_to(model, Space)
        if not owned or _meta(model).proxy or (space and not in_space):
            continue
        if space is None:
            yield QuerySet(model).filter(owned)
        elif _meta(model).app_label in ERASED_FROM_A_SPACE:
            yield QuerySet(model).filter(owned, **{in_space[0]: space})


def _meta(model: type[Model]) -> Any:
    return model._meta  # noqa: SLF001 -- Django documents it


def _keys_to(model: type[Model], other: type[Model]) -> list[str]:
    fields = _meta(model).concrete_fields
    keys = (field for field in fields if isinstance(field, ForeignKey))
    return [key.name for key in keys if key.related_model is other]


def _messages(user: User, space: Space | None) -> QuerySet[Message]:
    own = Message.objects.filter(conversation__user=user)
    return own.filter(conversation__space=space) if space else own


def find_remains(traces: Traces) -> list[str]:
    """Names of tables, "files", "journals" and "Redis" that have something."""
    user, space = traces.user, traces.space
    if space is None:
        left = [*_tables_with(str(user.pk), user.email)]
    else:
        left = [*count_rows(user, space)]
    if any(map(attachment_storage().exists, traces.files)):
        left.append("files")
    if in_journals(traces.messages | traces.facts):
        left.append("journals")
    logged = async_to_sync(event_log.logged_replies)() or set()
    if logged & traces.messages:
        left.append("Redis")
    return left


@transaction.atomic
def _tables_with(key: str, address: str) -> Iterator[str]:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 0")
        cursor.execute(TEXT_COLUMNS)
        for table, columns in groupby(cursor.fetchall(), key=lambda row: row[0]):
            tests = " OR ".join(_test(name, kind) for _, name, kind in columns)
            quoted = connection.ops.quote_name(table)
            query = f"SELECT EXISTS (SELECT FROM {quoted} WHERE {tests})"  # noqa: S608 -- names of the schema
            cursor.execute(query, {"key": key, "address": address})
            if table != EXPECTED and cursor.fetchone()[0]:
                yield table


def _test(column: str, kind: str) -> str:
    name = connection.ops.quote_name(column)
    if kind == "uuid":
        return f"{name} = %(key)s::uuid"
    text = f"lower({name}::text)"
    return f"strpos({text}, %(key)s::text) > 0 OR strpos({text}, %(address)s) > 0"


def in_journals(keys: Collection[UUID]) -> bool:
    """In journals or snapshots, whose lines name their rows."""
    wanted = {str(key).encode() for key in keys}
    files = Path(settings.JOURNALS_FOLDER).rglob("*.md")
    return any(wanted & set(LINE_KEY.findall(file.read_bytes())) for file in files)
