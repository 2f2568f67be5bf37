"""A restore's second database, which takes the first's name when whole (decision 57)."""

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
from django.apps import apps
from django.conf import settings
from django.db import OperationalError, connection
from psycopg import sql

from meddie.embedded.backup import connection_values, make_private, run_program
from meddie.embedded.command_line import close_database
from meddie.embedded.locations import locations
from meddie.embedded.lock import check_mine
from meddie.embedded.refusal import Refusal

SECOND, FORMER, AWAY = "restoring", "before_restore", "away"
LONGEST_NAME = 44  # bytes; PostgreSQL cuts names after 63, and one could become another
ONE_RESTORE = 0x6D656464  # the key of a lock of the server
# A copy keeps the language of the first and its extensions, which only superusers make.
COPY = "CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY"
DROP = "DROP DATABASE IF EXISTS {} WITH (FORCE)"
RENAME = "ALTER DATABASE {} RENAME TO {}"
# Which a superuser cannot use, who owns the system's tables.
DROP_OWNED = "DROP OWNED BY CURRENT_USER"
DROP_SCHEMA = "DROP SCHEMA public CASCADE; CREATE SCHEMA public"


def require_alone() -> None:
    """Refuse while others use the database."""
    if settings.BUNDLED_DATABASE:
        check_mine(locations())
    close_database()
    count = 0
    with psycopg.connect(**connection_values(), autocommit=True) as opened:
        for _attempt in range(10):  # a closed session takes a moment to end
            row = opened.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                " AND datname = current_database() AND backend_type = 'client backend'"
            ).fetchone()
            count = row[0] if row else 0
            if not count:
                return
            time.sleep(0.1)
    raise Refusal(
        f"{count} other connections use the database; end Meddie before restoring."
    )


@contextmanager
def second_database(dump: Path) -> Iterator[None]:
    """Use a database made of the dump, which takes the name at the end."""
    second = _name(SECOND)
    close_database()
    with _maintenance() as server:
        _lock(server)
        _copy(server, second)
        try:
            with psycopg.connect(**connection_values() | {"dbname": second}) as opened:
                opened.execute(_emptying(opened))
            fill_database(dump, second)
            with _using(second):
                yield
            _rename(server, (_name(), _name(_next_former(server))), (second, _name()))
        except BaseException:
            with suppress(psycopg.Error), _maintenance() as dropping:
                _run(dropping, DROP, second)
            raise


@contextmanager
def former_database(which: str) -> Iterator[None]:
    """Use what a restore replaced, by default the last; at the end both change names."""
    close_database()
    with _maintenance() as server:
        _lock(server)
        former = [suffix for suffix in _suffixes(server) if suffix.startswith(FORMER)]
        if not former or (which and which not in former):
            there = ", ".join(former) or "none"
            raise Refusal(f"Of what restores replaced there is: {there}.")
        name, away = _name(which or former[-1]), _name(AWAY)
        try:
            with _using(name):
                yield
        except OperationalError as error:  # its removal was interrupted, for one
            raise Refusal(
                f"What the restore replaced cannot be used: {error}"
            ) from error
        _rename(server, (_name(), away), (name, _name()), (away, name))


def _lock(server: psycopg.Connection[tuple[object, ...]]) -> None:
    """One restore at a time, until the connection ends."""
    found = server.execute("SELECT pg_try_advisory_lock(%s)", (ONE_RESTORE,)).fetchone()
    if found != (True,):
        raise Refusal("Another restore is under way.")


def _copy(server: psycopg.Connection[tuple[object, ...]], second: str) -> None:
    try:
        _run(server, DROP, second)
        _run(server, COPY, second, _name())
    except psycopg.errors.InsufficientPrivilege as error:
        raise Refusal(
            "A restore needs a second database, and the user may make none."
            " Let it (ALTER ROLE … CREATEDB), or add"
            " --in-place: then a restore that fails half-way leaves neither state."
        ) from error
    except psycopg.Error as error:
        reason = str(error).partition("\n")[0]
        raise Refusal(f"A second database cannot be made: {reason}") from error


def _rename(
    server: psycopg.Connection[tuple[object, ...]], *names: tuple[str, str]
) -> None:
    """All or none."""
    close_database()
    try:
        with server.transaction():
            for pair in names:
                _run(server, RENAME, *pair)
    except psycopg.Error as error:  # others use it, for one
        raise Refusal(f"The database keeps its name: {error}") from error


def fill_in_place(dump: Path) -> None:
    """Replace the content of Meddie's database, in one transaction."""
    close_database()
    with psycopg.connect(**connection_values()) as opened:
        emptying = _emptying(opened)
    fill_database(dump, _name(), "--command", emptying)


def fill_database(dump: Path, name: str, *before: str) -> None:
    """Run the dump's statements in one transaction."""
    statements = dump.with_name(f"{dump.name}.sql")
    only = ("--no-owner", "--no-comments", "--file", str(statements))
    quiet = ("--no-psqlrc", "--quiet", "--output", os.devnull)
    whole = ("--single-transaction", "--set", "ON_ERROR_STOP=1")
    try:
        make_private(statements)
        run_program("pg_restore", *only, str(dump), to=None)
        run_program(
            *("psql", *quiet, *whole, *before, "--file", str(statements)), to=name
        )
    finally:
        statements.unlink(missing_ok=True)


def drop_former() -> None:
    """Drop what a restore left, after a successful start."""
    with suppress(psycopg.Error, Refusal), _maintenance() as server:
        _lock(server)
        for suffix in _suffixes(server):
            _run(server, DROP, _name(suffix))


def require_tables() -> None:
    """Refuse a database without a table or a column of this version."""
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            table = model._meta.db_table  # noqa: SLF001 -- Django documents it
            found = connection.introspection.get_table_description(cursor, table)
            fields = model._meta.local_concrete_fields  # noqa: SLF001
            columns = {column.name for column in found}
            for missing in {field.column for field in fields} - columns:
                raise Refusal(f"The back-up has no column {table}.{missing}.")


def _name(suffix: str = "") -> str:
    name = str(connection.settings_dict["NAME"])
    if len(name.encode()) > LONGEST_NAME:
        raise Refusal(f"The name of the database is longer than {LONGEST_NAME} bytes.")
    return f"{name}_{suffix}" if suffix else name


def _maintenance() -> psycopg.Connection[tuple[object, ...]]:
    """A connection to neither of the two."""
    other = "template1" if _name() == "postgres" else "postgres"
    return psycopg.connect(**connection_values() | {"dbname": other}, autocommit=True)


def _run(
    server: psycopg.Connection[tuple[object, ...]], text: str, *names: str
) -> None:
    server.execute(sql.SQL(text).format(*map(sql.Identifier, names)))


def _suffixes(server: psycopg.Connection[tuple[object, ...]]) -> list[str]:
    """Of the databases that restores left, the latest last."""
    rows = server.execute("SELECT datname FROM pg_database").fetchall()
    start, names = f"{_name()}_", [str(name) for (name,) in rows]
    names = [name.removeprefix(start) for name in names if name.startswith(start)]
    former = re.compile(rf"{SECOND}|{AWAY}|{FORMER}(?:_\d{{1,3}})?")
    return sorted(filter(former.fullmatch, names), key=lambda name: (len(name), name))


def _next_former(server: psycopg.Connection[tuple[object, ...]]) -> str:
    """Each restore keeps what it replaced, until a start."""
    kept = [suffix for suffix in _suffixes(server) if suffix.startswith(FORMER)]
    if not kept:
        return FORMER
    number = kept[-1].removeprefix(FORMER).strip("_") or "1"
    return f"{FORMER}_{int(number) + 1}"


def _emptying(opened: psycopg.Connection[tuple[object, ...]]) -> str:
    found = opened.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
    return DROP_SCHEMA if found.fetchone() == (True,) else DROP_OWNED


@contextmanager
def _using(name: str) -> Iterator[None]:
    first = connection.settings_dict["NAME"]
    close_database()
    connection.settings_dict["NAME"] = name
    try:
        yield
    finally:
        close_database()
        connection.settings_dict["NAME"] = first
