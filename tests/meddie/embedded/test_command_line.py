"""Which commands get servers and tables, and what their configuration can get wrong."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from meddie.embedded.command_line import needs_database
from meddie.embedded.locations import locations
from tests.corpus import each_of
from tests.meddie.embedded.stack import data_folder, manage, run


@each_of(
    ("arguments", "needed"),
    [
        (["migrate"], True),
        (["calibrate", "--embedder", "local"], True),
        (["check"], False),
        (["check", "--database", "default"], True),
        (["makemigrations", "--check"], False),
        (["translations", "--check"], False),
        (["migrate", "--help"], False),
        (["help"], False),
        ([], False),
    ],
)
def test_servers_are_for_commands_that_read_or_write_rows(
    arguments: list[str], needed: bool
) -> None:
    assert needs_database(arguments) is needed


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"DAILY_MESSAGES": "many"}, '"DAILY_MESSAGES" invalid: Not a valid integer'),
        ({"OPENAI_API_KEY": "ключ"}, '"OPENAI_API_KEY" invalid: [\'has characters'),
        (
            {"PUBLIC_URL": "https://meddie.example/path"},
            '"PUBLIC_URL" invalid: [\'has to be https://HOST',
        ),
        ({"CHUNK_MESSAGES": "10"}, '"CHUNK_MESSAGES" invalid: [\'Must be greater'),
        ({"RECENT_MESSAGES": "9"}, '"RECENT_MESSAGES" invalid: [\'Must be greater'),
        ({"SECRET_KEY": "", "MEDDIE_DATA": "/proc/meddie"}, "cannot be made"),
    ],
)
def test_a_wrong_configuration_is_one_sentence(
    environment: dict[str, str], sentence: str
) -> None:
    code, output = run([sys.executable, "manage.py", "migrate"], **environment)
    assert code == 1
    assert sentence in output
    assert len(output.splitlines()) == 1


def test_a_public_address_may_end_with_a_slash() -> None:
    shown = "from django.conf import settings as s; print(*s.CSRF_TRUSTED_ORIGINS)"
    given = {"PUBLIC_URL": "https://meddie.example/"}
    code, output = run([sys.executable, "-c", shown], **given)
    assert (code, output) == (0, "https://meddie.example")


@pytest.mark.req("S2-23")
def test_pause_that_begins_an_episode_is_a_setting() -> None:
    shown = (
        "import django; django.setup();"
        " from conversations.episodes.switching import TIME_GAP; print(TIME_GAP)"
    )
    given = {"EPISODE_HOURS": "12", "DJANGO_SETTINGS_MODULE": "meddie.settings"}
    assert run([sys.executable, "-c", shown], **given) == (0, "12:00:00")


@each_of(
    ("environment", "local"),
    [
        ({}, True),
        ({"ALLOWED_HOSTS": "localhost"}, True),
        ({"ALLOWED_HOSTS": "localhost,meddie.example"}, False),
        ({"ALLOWED_HOSTS": "*"}, False),
        ({"PUBLIC_URL": "http://192.168.1.2:8000"}, False),
    ],
)
def test_others_are_let_in_by_a_host_or_a_public_url(
    environment: dict[str, str], local: bool
) -> None:
    shown = "from django.conf import settings; print(settings.LOCAL)"
    assert run([sys.executable, "-c", shown], **environment) == (0, str(local))


def test_missing_migrations_are_found_without_a_database(tmp_path: Path) -> None:
    command = [sys.executable, "manage.py", "makemigrations", "--check", "--dry-run"]
    code, output = run(command, MEDDIE_DATA=str(tmp_path))
    assert output == "No changes detected"
    assert code == 0


@pytest.fixture
def empty_database() -> Iterator[str]:
    servers, name = locations(), f"empty_{os.getpid()}"
    with psycopg.connect(servers.database_url, autocommit=True) as opened:
        opened.execute(f"CREATE DATABASE {name}")
        yield servers.database_url.removesuffix("meddie") + name
        opened.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.mark.parametrize("applied", [None, "contenttypes"])
def test_bundled_database_is_migrated_first(applied: str | None) -> None:
    with data_folder() as data:
        if applied:
            manage(data, "migrate", applied)
        code, output = manage(data, "demo")
    assert code == 0
    assert "Sign in: demo@example.com / " in output


def test_other_database_without_tables_is_one_sentence(empty_database: str) -> None:
    for command in ("demo", "poll_telegram"):
        code, output = run(
            [sys.executable, "manage.py", command], DATABASE_URL=empty_database
        )
        assert output == "The database is not up to date. Run manage.py migrate."
        assert code == 1


def test_unreachable_database_is_one_sentence() -> None:
    url = "postgres://nobody:secret@127.0.0.1:1/x"
    code, output = run([sys.executable, "manage.py", "demo"], DATABASE_URL=url)
    assert code == 1
    assert output.startswith("DATABASE_URL: the database 127.0.0.1/x cannot be reached")
    assert "secret" not in output
    assert len(output.splitlines()) == 1
