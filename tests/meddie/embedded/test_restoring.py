"""A restore leaves the old state or the new one, whole, at any moment."""

import os
import shutil
import signal
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from django.db import connection

from meddie.embedded.locations import Locations, locations
from meddie.embedded.postgres import INSTALLED
from meddie.embedded.servers import POSTGRES, running_servers
from meddie.jobs.tasks import daily
from tests import release
from tests.meddie.embedded.stack import PROJECT, data_folder, run
from tests.waiting import PATIENCE, wait_until

RELEASE = release.FOLDER / "0.2.0.tar"
BEFORE = release.FOLDER / "before" / "0.1.0.tar"
MOMENTS = 10
NEWER = "INSERT INTO django_migrations (app, name, applied) VALUES ('memory', '0999_dreams', now())"
TABLES = """
SELECT relname FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
"""

State = tuple[str, dict[str, int]]


class Server:
    """A database whose owner is no superuser, as `make run` has it."""

    def __init__(self, database: str, data: Path) -> None:
        self.database = database
        self.data = data

    def connect(self) -> psycopg.Connection:
        return psycopg.connect(self.database, autocommit=True)

    @property
    def environment(self) -> dict[str, str]:
        return {
            "DATABASE_URL": self.database,
            "MEDDIE_DATA": str(self.data),
            "REDIS_URL": locations().redis_url,
        }

    def manage(self, *arguments: str) -> tuple[int, str]:
        return run([sys.executable, "manage.py", *arguments], **self.environment)

    def state(self) -> State:
        """The demo's name, and how many rows each table has."""
        with closing(self.connect()) as opened:
            [(name,)] = opened.execute("SELECT name FROM people_user").fetchall()
            return name, {
                table: len(opened.execute(f"SELECT FROM {table}").fetchall())
                for (table,) in opened.execute(TABLES).fetchall()
            }

    def say(self, statement: str) -> None:
        with closing(self.connect()) as opened:
            opened.execute(statement)

    def dump(self, file: Path) -> None:
        program = INSTALLED / "bin" / "pg_dump"
        command = [str(program), "-Fc", "-f", str(file), "-d", self.database]
        subprocess.run(command, check=True)

    def databases(self) -> set[str]:
        with closing(self.connect()) as opened:
            rows = opened.execute("SELECT datname FROM pg_database").fetchall()
        return {name for (name,) in rows} - {"postgres", "template0", "template1"}


@pytest.fixture(scope="module")
def running() -> Iterator[Server]:
    with data_folder() as data, running_servers(Locations(data), [POSTGRES]) as where:
        server = Server(where.database_url, where.data)
        assert server.manage("restore", str(RELEASE))[0] == 0
        server.say("DROP DATABASE meddie_before_restore")
        yield server


@pytest.fixture
def server(running: Server) -> Server:
    running.say("UPDATE people_user SET name = 'Before'")
    for name in running.databases() - {"meddie"}:
        running.say(f"DROP DATABASE {name}")
    return running


def torn_dump(server: Server, file: Path) -> None:
    file.write_bytes(RELEASE.read_bytes()[:200_000])


def torn_between_files(server: Server, file: Path) -> None:
    with tarfile.open(file, "w") as archive, tarfile.open(RELEASE) as whole:
        content = whole.extractfile("database.dump")
        archive.addfile(whole.getmember("database.dump"), content)
        end = archive.offset
    file.write_bytes(file.read_bytes()[:end])


def torn_file_of_a_user(server: Server, file: Path) -> None:
    letter = file.with_name("letter")
    letter.write_bytes(b"Dear Ann" * 1000)
    shutil.copy(RELEASE, file)
    with tarfile.open(file, "a") as archive:
        archive.add(letter, "attachments/ab/letter")
        end = archive.offset
    file.write_bytes(file.read_bytes()[: end - 2000])


def torn_dump_alone(server: Server, file: Path) -> None:
    with tarfile.open(RELEASE) as whole:
        content = whole.extractfile("database.dump")
        assert content
        file.write_bytes(content.read()[:-50_000])


def of_something_else(server: Server, file: Path) -> None:
    with tarfile.open(file, "w") as archive:
        archive.add(PROJECT / "README.md", "README.md")


def of_another_program(server: Server, file: Path) -> None:
    server.say("CREATE DATABASE shop")
    shop = Server(server.database.removesuffix("meddie") + "shop", server.data)
    shop.say("CREATE TABLE django_migrations (app text, name text)")
    shop.say("INSERT INTO django_migrations VALUES ('shop', '0001_initial')")
    shop.dump(file)
    server.say("DROP DATABASE shop")


def newer(server: Server, file: Path) -> None:
    server.say(NEWER)
    server.dump(file)
    server.say("DELETE FROM django_migrations WHERE name = '0999_dreams'")


def without_a_column(server: Server, file: Path) -> None:
    server.say("ALTER TABLE people_user RENAME name TO called")
    server.dump(file)
    server.say("ALTER TABLE people_user RENAME called TO name")


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda _server, file: shutil.copy(BEFORE, file), "of a Meddie before 0.2.0"),
        (newer, "of a newer Meddie, whose migration memory.0999_dreams"),
        (torn_dump, "is damaged or cut off"),
        (torn_between_files, "is damaged or cut off"),
        (torn_file_of_a_user, "is damaged or cut off"),
        (torn_dump_alone, "pg_restore"),
        (lambda _server, file: file.touch(), "pg_restore failed"),
        (of_something_else, "is no back-up of Meddie"),
        (of_another_program, "is no back-up of Meddie"),
        (without_a_column, "has no column people_user.name"),
    ],
)
def test_backup_that_cannot_be_used_is_refused_and_changes_nothing(
    server: Server,
    tmp_path: Path,
    make: Callable[[Server, Path], object],
    sentence: str,
) -> None:
    file = tmp_path / "kept.tar"
    make(server, file)
    before = server.state()
    code, said = server.manage("restore", str(file))
    assert (code, said.count("\n")) == (1, 0), said
    assert sentence in said
    assert server.state() == before
    assert server.databases() == {"meddie"}
    assert {path.name for path in tmp_path.iterdir()} <= {"kept.tar", "letter"}


def test_former_database_stays_through_restores_and_comes_back(server: Server) -> None:
    former = server.state()
    for name in ("Anna", "Between"):
        assert server.manage("restore", str(RELEASE)) == (0, f"Restored: {RELEASE}")
        assert server.state()[0] == "Anna"
        server.say(f"UPDATE people_user SET name = '{name}'")  # noqa: S608
    kept = {"meddie", "meddie_before_restore", "meddie_before_restore_2"}
    assert server.databases() == kept
    assert server.manage("restore", "--former")[0] == 0
    assert server.state()[0] == "Anna"
    assert server.manage("restore", "--former", "before_restore")[0] == 0
    assert server.state() == former
    assert server.databases() == kept
    code, said = server.manage("restore", "--former", "another")
    told = "Of what restores replaced there is: before_restore, before_restore_2."
    assert (code, said) == (1, told)


ABOUT = "SELECT content, subject, person_id FROM memories ORDER BY id"


def test_facts_come_back_with_those_whom_they_are_about(
    server: Server, tmp_path: Path
) -> None:
    """Also of a Person that was deleted."""
    server.say(
        "UPDATE memories SET subject = 'daughter Mia',"
        " person_id = (SELECT id FROM people_person LIMIT 1)"
    )
    server.say("UPDATE people_person SET deleted_at = now()")
    with closing(server.connect()) as opened:
        told = opened.execute(ABOUT).fetchall()
    assert told
    assert all(person for *_, person in told)
    file = tmp_path / "kept.dump"
    server.dump(file)
    server.say("UPDATE memories SET subject = '', person_id = NULL")
    assert server.manage("restore", str(file))[0] == 0
    with closing(server.connect()) as opened:
        assert opened.execute(ABOUT).fetchall() == told


def test_former_database_that_is_not_whole_is_not_put_back(server: Server) -> None:
    assert server.manage("restore", str(RELEASE))[0] == 0
    state = server.state()
    former = Server(f"{server.database}_before_restore", server.data)
    former.say("DROP TABLE conversations_message CASCADE")
    assert server.manage("restore", "--former")[0] == 1
    assert server.state() == state


class Restore:
    """A process of `restore`, from the moment on at which it has a second database."""

    def __init__(self, server: Server) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "restore", str(RELEASE)],
            cwd=PROJECT,
            env=os.environ | server.environment,
            start_new_session=True,
        )
        wait_until(lambda: "meddie_restoring" in server.databases())
        self.began = time.monotonic()

    def seconds(self) -> float:
        assert self.process.wait(PATIENCE) == 0
        return time.monotonic() - self.began

    def kill(self) -> None:
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@pytest.mark.slow
def test_killed_restore_leaves_the_old_or_the_new_state(server: Server) -> None:
    old = server.state()
    takes = Restore(server).seconds()
    new = server.state()
    assert server.manage("restore", "--former")[0] == 0
    for moment in range(MOMENTS):
        restore = Restore(server)
        time.sleep(takes * moment / (MOMENTS - 1))
        restore.kill()
        found = server.state()
        assert found in (old, new)
        if found == new:
            assert server.manage("restore", "--former")[0] == 0
    Restore(server).seconds()
    assert server.state() == new
    assert {"meddie", "meddie_before_restore"} <= server.databases()
    assert "meddie_restoring" not in server.databases()


@pytest.mark.django_db(transaction=True)
def test_daily_job_drops_the_former_database() -> None:
    name = f"{connection.settings_dict['NAME']}_before_restore"
    with psycopg.connect(locations().database_url, autocommit=True) as opened:
        opened.execute(f"CREATE DATABASE {name}")
        daily()
        left = opened.execute("SELECT FROM pg_database WHERE datname = %s", [name])
        assert left.rowcount == 0


@pytest.fixture
def few_rights(tmp_path: Path) -> Iterator[Server]:
    """A database of one's own on a server where one may not make another."""
    name, servers = f"few_{os.getpid()}", locations()
    place = servers.database_url.removesuffix("meddie")
    with psycopg.connect(servers.database_url, autocommit=True) as opened:
        password = servers.database_password()
        opened.execute(f"CREATE ROLE {name} LOGIN PASSWORD '{password}'")
        opened.execute(f"CREATE DATABASE {name} OWNER {name}")
        with psycopg.connect(place + name) as inside:
            inside.execute("CREATE EXTENSION vector")
        yield Server(place.replace("//meddie:", f"//{name}:") + name, tmp_path)
        opened.execute(f"DROP DATABASE {name} WITH (FORCE)")
        opened.execute(f"DROP ROLE {name}")


def test_user_who_may_make_no_database_is_told_so_and_restores_in_place(
    few_rights: Server,
) -> None:
    code, said = few_rights.manage("restore", str(RELEASE))
    assert (code, said.count("\n")) == (1, 0), said
    assert "ALTER ROLE … CREATEDB" in said
    assert few_rights.manage("restore", "--in-place", str(RELEASE))[0] == 0
    restored = few_rights.state()
    assert restored[0] == "Anna"
    code, said = few_rights.manage("restore", "--in-place", str(BEFORE))
    assert (code, "of a Meddie before 0.2.0" in said) == (1, True)
    assert few_rights.state() == restored
