"""Look for what is left of an erased user in tables, files and Redis."""

import re
from collections.abc import Collection, Iterator
from itertools import groupby
from pathlib import Path
from uuid import UUID

from asgiref.sync import async_to_sync
from django.conf import settings
from django.db import connection, transaction

from conversations.forgetting.erasing import Traces, count_rows
from conversations.models.attachment import attachment_storage
from conversations.reply import event_log

LINE_KEY = re.compile(rb"<!-- ([0-9a-f-]{36}) -->")
EXPECTED = "people_deleteduser"  # the list of deleted users
COLUMNS = """
SELECT c.table_name, c.column_name, c.data_type
  FROM information_schema.columns c JOIN information_schema.tables t
       USING (table_schema, table_name)
 WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
   AND c.is_generated = 'NEVER'
   AND c.data_type IN ('uuid', 'text', 'character varying', 'jsonb')
 ORDER BY c.table_name
"""


def find_remains(traces: Traces) -> list[str]:
    """Names of tables, "files", "journals" and "Redis" that have something."""
    user, space = traces.user, traces.space
    if space is None:
        left = [*_tables_with(str(user.pk), user.email)]
    else:
        left = [*count_rows(user, space)]
    if any(map(attachment_storage().exists, traces.files)):
        left.append("files")
    if _in_journals(traces.messages | traces.facts):
        left.append("journals")
    if async_to_sync(event_log.logged_replies)() & traces.messages:
        left.append("Redis")
    return left


@transaction.atomic
def _tables_with(key: str, address: str) -> Iterator[str]:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 0")
        cursor.execute(COLUMNS)
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


def _in_journals(keys: Collection[UUID]) -> bool:
    """In journals or snapshots, whose lines name their rows."""
    wanted = {str(key).encode() for key in keys}
    files = Path(settings.JOURNALS_FOLDER).rglob("*.md")
    return any(wanted & set(LINE_KEY.findall(file.read_bytes())) for file in files)
