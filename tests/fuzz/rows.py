"""The rows of the test's database: their state, their owners, and back to the start."""

from collections.abc import Iterable
from typing import Any

from django.apps import apps
from django.db import connection, models, transaction

from conversations import models as conversations
from conversations.api import models as api
from conversations.telegram import models as telegram
from memory import models as memory
from people import models as people
from tests.emptying import KEPT

OWNERS: dict[type[models.Model], str] = {
    conversations.Thread: "user",
    conversations.Conversation: "user",
    conversations.Episode: "conversation__user",
    conversations.Message: "conversation__user",
    conversations.MemoryReference: "message__conversation__user",
    conversations.OutdatedAnswer: "message__conversation__user",
    conversations.AnswerCheck: "user",
    conversations.ProbeJob: "user",
    conversations.DeletionProof: "user",
    conversations.Attachment: "user",
    conversations.AttachmentText: "user",
    conversations.DerivationJob: "attachment__user",
    conversations.RemovedFile: "pk",
    conversations.ChatModel: "pk",
    conversations.EmergencyCard: "user",
    conversations.SheetLink: "user",
    conversations.SheetOpening: "link__user",
    conversations.DailyUse: "user",
    conversations.Feedback: "user",
    conversations.MessageIndex: "user",
    conversations.Receipt: "message__conversation__user",
    conversations.Summary: "conversation__user",
    conversations.SummaryJob: "episode__conversation__user",
    api.AnsweredCall: "user",
    api.IngestedMessage: "thread__user",
    telegram.TelegramUpdate: "bot__space",
    telegram.TelegramPart: "update__bot__space",
    telegram.TelegramNotice: "thread__space",
    memory.EpisodicMemory: "user",
    memory.Memory: "user",
    memory.MemoryEvent: "user",
    memory.JournalFile: "space",
    memory.JournalLine: "user",
    memory.MemoryLink: "user",
    memory.MemoryUpdate: "user",
    memory.MemoryStatement: "memory__user",
    memory.CalibrationJob: "pk",
    memory.CaptureJob: "user",
    memory.MemoryPolicy: "space",
    memory.ProfileFact: "user",
    people.ApiKey: "space",
    people.ExternalUser: "space",
    people.Program: "pk",
    people.ProgramCode: "user",
    people.AccessToken: "user",
    people.RefreshToken: "user",
    people.DeletedUser: "pk",
    people.EmailChange: "user",
    people.User: "pk",
    people.Erasure: "space",
    people.Space: "pk",
    people.Membership: "space",
    people.Invitation: "space",
    people.Person: "space",
    people.ProfileUpdate: "person__space",
    telegram.TelegramBot: "space",
    telegram.TelegramLink: "space",
    telegram.TelegramLinkCode: "user",
}
"""The path to the user or space whose members may change the row."""
SHARED = {"person", "person_removed", "removed_person", "profile_update"}
"""What another member changes in a user's own rows by deleting a person."""
FOR_ALL = {
    *("admin", "auth", "axes", "contenttypes", "oauth2_provider", "sessions"),
}
"""Apps whose rows have no owner."""

State = dict[str, str]
Owned = dict[tuple[str, Any], tuple[str, tuple[Any, ...]]]


class Rows:
    """The database as it is now, to compare with and to return to."""

    def __init__(self) -> None:
        self.tables = {m._meta.db_table: m for m in _all_models()}
        self.at_first = self.state()
        self.kept = {table: _copied_out(table, m) for table, m in self.tables.items()}
        self.owned = {table: _owned(model) for table, model in self.tables.items()}
        owners = (owner for rows in self.owned.values() for owner, _ in rows.values())
        self.owners = set(owners) - {"None"}

    def state(self) -> State:
        """A checksum of each table."""
        with connection.cursor() as cursor:
            cursor.execute(" UNION ALL ".join(map(_checksum, self.tables.items())))
            return dict(cursor.fetchall())

    def changed(self) -> set[str]:
        """Tables that differ from the start."""
        now = self.state()
        return {table for table in self.tables if now[table] != self.at_first[table]}

    def changed_of_others(self, tables: Iterable[str], own: set[str]) -> list[str]:
        """Rows that changed although they belong to another owner than `own`."""
        found = []
        for table in tables:
            before, now = self.owned[table], _owned(self.tables[table])
            for key in before.keys() | now.keys():
                owners = {rows[key][0] for rows in (before, now) if key in rows}
                if before.get(key) != now.get(key) and owners & (self.owners - own):
                    found.append(f"{key[0]} {key[1]}")
        return found

    @transaction.atomic
    def restore(self, tables: Iterable[str]) -> None:
        """Put these tables back to their first state."""
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            for table in tables:
                columns, rows = self.kept[table]
                cursor.execute(f"DELETE FROM {table}")  # noqa: S608 -- names of models
                with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copying:
                    copying.write(rows)


def _all_models() -> list[type[models.Model]]:
    found = apps.get_models(include_auto_created=True)
    own = [m for m in found if m._meta.managed and not m._meta.proxy]
    return [m for m in own if m._meta.db_table not in KEPT]


def _columns(model: type[models.Model]) -> str:
    fields = model._meta.local_concrete_fields
    return ", ".join(f'"{f.column}"' for f in fields if not f.generated)


def _checksum(table: tuple[str, type[models.Model]]) -> str:
    name, model = table
    row = f"md5(ROW({_columns(model)})::text)"
    whole = f"coalesce(md5(string_agg({row}, '' ORDER BY {row})), '')"
    return f"SELECT '{name}', {whole} FROM {name}"  # noqa: S608 -- names of models


def _copied_out(table: str, model: type[models.Model]) -> tuple[str, bytes]:
    columns = _columns(model)
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY {table} ({columns}) TO STDOUT") as copying,
    ):
        return columns, b"".join(bytes(piece) for piece in copying)


def _owned(model: type[models.Model]) -> Owned:
    if model._meta.app_label in FOR_ALL or model._meta.auto_created:
        return {}
    assert model in OWNERS, f"Say in tests/fuzz/rows.py who owns a {model.__name__}."
    fields = [
        f.attname
        for f in model._meta.local_concrete_fields
        if not f.generated and f.name not in SHARED | {"embedding"}
    ]
    found = model._base_manager.values_list("pk", OWNERS[model], *fields)
    return {
        (model.__name__, pk): (str(owner), tuple(map(str, rest)))
        for pk, owner, *rest in found
    }
