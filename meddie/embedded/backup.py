"""Backup and restore with the bundled pg_dump and pg_restore, of version 18.

A backup is a tar archive of the database's dump and the files of users.
"""

import os
import re
import shutil
import subprocess
import tarfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.core.files.base import File
from django.core.files.storage import storages
from django.db import connection
from psycopg.conninfo import make_conninfo

from meddie.embedded.locations import locations
from meddie.embedded.lock import check_mine
from meddie.embedded.postgres import INSTALLED
from meddie.embedded.refusal import Refusal
from meddie.file_storage import all_files

EMPTY = "DROP SCHEMA public CASCADE; CREATE SCHEMA public;"
# The bundled database keeps the extension, which only its superuser can make.
EMPTY_BUNDLED = "DROP OWNED BY CURRENT_USER;"

DUMP = "database.dump"
ATTACHMENT = re.compile(r"attachments/(\w+/\w+)")


def write_backup(file: Path) -> None:
    """Write database and files; Meddie may run meanwhile."""
    draft, dump = (file.with_name(f"{file.name}.{end}") for end in ("tar", "dump"))
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _make_private(draft)
    try:
        dump_database(dump)
        with tarfile.open(draft, "w") as archive:
            archive.add(dump, DUMP)
            _add_files(archive)
        draft.rename(file)
    finally:
        dump.unlink(missing_ok=True)
        draft.unlink(missing_ok=True)


def read_backup(file: Path) -> None:
    """Replace the database and add the files of a backup; also of an older dump."""
    if not tarfile.is_tarfile(file):
        restore_database(file)
        return
    with tarfile.open(file) as archive, _extracted(archive, file) as dump:
        restore_database(dump)
        storage = storages["attachments"]
        for member in archive:
            found = ATTACHMENT.fullmatch(member.name)
            content = archive.extractfile(member) if found else None
            if found and content and not storage.exists(found[1]):
                storage.save(found[1], File(content))


def _add_files(archive: tarfile.TarFile) -> None:
    storage = storages["attachments"]
    for name in all_files(storage):
        try:
            with storage.open(name) as content:
                entry = tarfile.TarInfo(f"attachments/{name}")
                entry.size = storage.size(name)
                archive.addfile(entry, content)
        except FileNotFoundError:
            continue  # deleted meanwhile


@contextmanager
def _extracted(archive: tarfile.TarFile, file: Path) -> Iterator[Path]:
    dump = file.with_name(f"{file.name}.dump")
    content = archive.extractfile(DUMP)
    if content is None:
        raise Refusal(f"{file} is no backup of Meddie.")
    try:
        _make_private(dump)
        with content, dump.open("wb") as target:
            shutil.copyfileobj(content, target)
        yield dump
    finally:
        dump.unlink(missing_ok=True)


def dump_database(file: Path) -> None:
    """Write a consistent copy of the whole database; Meddie may run meanwhile."""
    draft = file.with_name(f"{file.name}.part")
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _make_private(draft)
    _run("pg_dump", "--format=custom", "--no-owner", "--file", str(draft))
    draft.rename(file)


def restore_database(file: Path) -> None:
    """Replace the database's content with the file's, in one transaction."""
    if settings.BUNDLED_DATABASE:
        check_mine(locations())
    if others := _other_sessions():
        raise Refusal(
            f"{others} other connections use the database; end Meddie before restoring."
        )
    statements = file.with_name(f"{file.name}.sql")
    try:
        _make_private(statements)
        only = ("--no-owner", "--no-comments")
        _run("pg_restore", *only, "--file", str(statements), str(file), to=False)
        _run(
            "psql",
            *("--no-psqlrc", "--quiet", "--single-transaction", "--output", os.devnull),
            *(
                "--set",
                "ON_ERROR_STOP=1",
                "--command",
                EMPTY_BUNDLED if settings.BUNDLED_DATABASE else EMPTY,
                "--file",
                str(statements),
            ),
        )
    finally:
        statements.unlink(missing_ok=True)


def _make_private(file: Path) -> None:
    file.unlink(missing_ok=True)
    file.touch(mode=0o600, exist_ok=False)


def _other_sessions() -> int:
    """Count other sessions; a closed one takes a moment to end."""
    count = 0
    with psycopg.connect(**_place(), autocommit=True) as opened:
        for _attempt in range(10):
            row = opened.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                " AND datname = current_database() AND backend_type = 'client backend'"
            ).fetchone()
            count = row[0] if row else 0
            if not count:
                break
            time.sleep(0.1)
    return count


def _place() -> dict[str, Any]:
    """Connection parameters without the statement time-out."""
    values = connection.get_connection_params()
    names = ("host", "port", "user", "password", "dbname", "sslmode", "sslrootcert")
    return {name: values[name] for name in names if name in values}


def _run(program: str, *arguments: str, to: bool = True) -> None:
    place = _place()
    password = str(place.pop("password", ""))  # arguments are public
    finished = subprocess.run(  # noqa: S603 -- our own program
        [
            INSTALLED / "bin" / program,
            *(["--dbname", make_conninfo(**place)] if to else []),
            *arguments,
        ],
        env={**os.environ, "PGPASSWORD": password},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if finished.returncode:
        reason = finished.stderr.strip().partition("\n")[0]
        raise Refusal(f"{program} failed: {reason}")
