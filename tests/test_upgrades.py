"""The process of the version before can write while a new one is migrated to.

There is no release yet, so the current models are the version before.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import IntegrityError, connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

from conversations.models import Message
from tests.conversations import transcripts
from tests.factories import MembershipFactory

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
