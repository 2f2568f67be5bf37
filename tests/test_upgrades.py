"""Every release since 0.2.0 is upgraded, and its processes can write meanwhile."""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import psycopg
import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import IntegrityError, connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

from conversations.models import Message
from meddie.embedded.locations import locations
from meddie.version import VERSION
from tests import release
from tests.conversations import transcripts
from tests.factories import MembershipFactory
from tests.meddie.embedded.stack import run
from tests.stack.web import WebProcess

OWN_APPS = {
    config.label
    for config in apps.get_app_configs()
    if Path(config.path).is_relative_to(settings.BASE_DIR)
    and ".venv" not in Path(config.path).parts
}
HAND_WRITTEN = {"0001_enable_pgvector", "0003_sql"}  # of the first installation


def problems(migration: migrations.Migration) -> Iterator[str]:
    """What would keep the version before from writing."""
    made = set()
    for operation in migration.operations:
        match operation:
            case migrations.CreateModel():
                made.add(operation.name.lower())
            case migrations.AddField(field=field) if not (
                field.null or field.many_to_many or field.has_db_default()
            ):
                yield f"{migration}: {operation.name} is NOT NULL without db_default"
            case migrations.AddField(field=models.ForeignKey() as field) if (
                getattr(field, "db_index", False)
                and operation.model_name.lower() not in made
            ):
                yield f"{migration}: {operation.name} is not indexed concurrently"
            case AddIndexConcurrently():
                pass
            case migrations.AddIndex() if operation.model_name.lower() not in made:
                yield f"{migration}: {operation.index.name} is not made concurrently"
            case (
                migrations.RemoveField()
                | migrations.RenameField()
                | migrations.DeleteModel()
                | migrations.RenameModel()
            ):
                yield f"{migration}: {operation.describe()} while it is still used"


def later_migrations() -> list[migrations.Migration]:
    found = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    return [
        migration
        for (app, name), migration in found.items()
        if app in OWN_APPS and not migration.initial and name not in HAND_WRITTEN
    ]


def test_every_migration_lets_the_version_before_write():
    assert {"people", "memory", "conversations"} <= OWN_APPS
    assert [text for one in later_migrations() for text in problems(one)] == []


def migration_of(*operations: Operation) -> migrations.Migration:
    made = type("Next", (migrations.Migration,), {"operations": list(operations)})
    return made("0004_next", "conversations")


INDEX = models.Index(fields=["tone"], name="message_tone")


@pytest.mark.parametrize(
    ("operation", "count"),
    [
        (migrations.AddField("message", "tone", models.TextField()), 1),
        (migrations.AddField("message", "tone", models.TextField(default="")), 1),
        (migrations.AddField("message", "tone", models.TextField(db_default="")), 0),
        (migrations.AddField("message", "tone", models.TextField(null=True)), 0),
        (migrations.AddIndex("message", INDEX), 1),
        (AddIndexConcurrently("message", INDEX), 0),
        (migrations.RemoveField("message", "text"), 1),
    ],
)
def test_migration_that_stops_the_version_before_is_found(operation, count):
    assert len(list(problems(migration_of(operation)))) == count


@contextmanager
def migrated(*operations: Operation) -> Iterator[None]:
    """The database after the operations, without the models knowing."""
    state = MigrationLoader(connection).project_state()
    done: list[tuple[Operation, ProjectState, ProjectState]] = []

    def change(
        operation: Any, verb: str, before: ProjectState, after: ProjectState
    ) -> None:
        atomic = not isinstance(operation, AddIndexConcurrently)
        with connection.schema_editor(atomic=atomic) as editor:
            getattr(operation, verb)("conversations", editor, before, after)

    try:
        for operation in operations:
            after = state.clone()
            operation.state_forwards("conversations", after)
            change(operation, "database_forwards", state, after)
            done.append((operation, state, after))
            state = after
        yield
    finally:
        for operation, before, after in reversed(done):
            change(operation, "database_backwards", after, before)


def a_turn():
    member = MembershipFactory()
    conversation = transcripts.start_conversation(member.user, member.space)
    transcripts.exchange(conversation, "Tea?", "Yes.")


@pytest.mark.django_db(transaction=True)
def test_version_before_writes_after_an_additive_migration():
    column = migrations.AddField("message", "tone", models.TextField(db_default=""))
    with migrated(column, AddIndexConcurrently("message", INDEX)):
        a_turn()
        with connection.cursor() as cursor:
            cursor.execute("SELECT DISTINCT tone FROM conversations_message")
            assert cursor.fetchall() == [("",)]
        assert Message.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_version_before_cannot_write_without_a_default_of_the_database():
    column = migrations.AddField("message", "tone", models.TextField(default=""))
    with migrated(column), pytest.raises(IntegrityError):
        a_turn()


RELEASES = sorted(release.FOLDER.glob("*.tar"))
COLUMNS = """
SELECT table_name, column_name, udt_name, is_nullable, column_default
FROM information_schema.columns WHERE table_schema = 'public'
"""
CONSTRAINTS = """
SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid)
FROM pg_constraint WHERE connamespace = 'public'::regnamespace
"""
INDEXES = "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'"
SCHEMA = (COLUMNS, CONSTRAINTS, INDEXES)


@pytest.fixture
def new_database() -> Iterator[str]:
    servers, name = locations(), f"upgraded_{os.getpid()}"
    with psycopg.connect(servers.database_url, autocommit=True) as opened:
        opened.execute(f"CREATE DATABASE {name}")
        yield servers.database_url.removesuffix("meddie") + name
        opened.execute(f"DROP DATABASE {name} WITH (FORCE)")


def plain(rows: list[tuple[Any, ...]]) -> set[tuple[str, ...]]:
    """Without casts and brackets, which change when a dump is restored."""
    return {
        tuple(re.sub(r"::[a-z ]+(?:\[\])?|[()]", "", str(part)) for part in row)
        for row in rows
    }


def command(database: str, *arguments: str) -> str:
    """What a command of manage.py prints last."""
    code, said = run([sys.executable, "manage.py", *arguments], DATABASE_URL=database)
    assert code == 0, said
    return said.splitlines()[-1]


def test_this_release_has_its_backup():
    assert release.FOLDER / f"{VERSION}.tar" in RELEASES


@pytest.mark.process
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("backup", RELEASES, ids=lambda path: path.stem)
def test_backup_of_a_release_is_restored_upgraded_and_used(backup: Path, new_database):
    command(new_database, "migrate", "-v1")
    assert command(new_database, "restore", str(backup)) == f"Restored: {backup}"
    with psycopg.connect(new_database) as opened, connection.cursor() as cursor:
        for query in SCHEMA:
            cursor.execute(query)
            upgraded = opened.execute(query).fetchall()
            assert plain(upgraded) == plain(cursor.fetchall()), (
                "python -m tests.release"
            )
        (space,) = opened.execute(
            "SELECT space_id::text FROM memories WHERE content ILIKE '%ibuprofen%'"
        ).fetchone() or [""]
    who = ("--user", "demo@example.com", "--space", space, "--name", "upgrade")
    key = command(new_database, "create_api_key", *who)
    with WebProcess(DATABASE_URL=new_database, OPENAI_API_KEY="") as web:
        client = httpx2.Client(
            base_url=web.url, headers={"Authorization": f"Bearer {key}"}, timeout=60
        )
        found = client.get("/api/memories/search", params={"q": "ibuprofen"}).json()
        told = client.post("/api/memories", json={"text": "I am allergic to nuts."})
        client.close()
    assert "ibuprofen" in found["memories"][0]["text"]
    assert told.json()["decisions"][0]["action"] == "add"
