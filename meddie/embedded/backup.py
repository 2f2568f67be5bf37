"""Back-ups: a tar archive of the database's dump and the files of users.

A dump alone is read, too.
"""

import os
import re
import shutil
import subprocess
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.files.base import File
from django.core.files.storage import storages
from django.db import connection
from psycopg.conninfo import make_conninfo

from meddie.embedded.locations import locations
from meddie.embedded.postgres import INSTALLED
from meddie.embedded.refusal import Refusal
from meddie.embedded.upgradable import Names, require_meddie
from meddie.file_storage import all_files

DUMP = "database.dump"
LAST = "last_backup"  # an empty file of the data folder, by whose time it is known
ATTACHMENT = re.compile(r"attachments/(\w+/\w+)")
MIGRATIONS = re.compile(
    r"^COPY public\.django_migrations \((.+?)\) FROM stdin;\n(.*?)^\\\.$",
    re.MULTILINE | re.DOTALL,
)
END_OF_TAR = bytes(tarfile.BLOCKSIZE)  # what follows the last file of a whole archive
TORN = (tarfile.TarError, EOFError, zlib.error)


def write_backup(file: Path) -> None:
    """Write database and files; Meddie may run meanwhile."""
    draft, dump = (file.with_name(f"{file.name}.{end}") for end in ("tar", "dump"))
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    make_private(draft)
    make_private(dump)
    try:
        run_program("pg_dump", "--format=custom", "--no-owner", "--file", str(dump))
        with tarfile.open(draft, "w") as archive:
            archive.add(dump, DUMP)
            _add_files(archive)
        draft.rename(file)
    finally:
        dump.unlink(missing_ok=True)
        draft.unlink(missing_ok=True)


def record_backup() -> None:
    """Note for the desk that one was written, into any folder."""
    locations().data.mkdir(parents=True, exist_ok=True)
    (locations().data / LAST).touch()


def last_backup() -> datetime | None:
    file = locations().data / LAST
    return datetime.fromtimestamp(file.stat().st_mtime, UTC) if file.exists() else None


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
def checked_dump(file: Path) -> Iterator[Path]:
    """The dump of a whole back-up that this version can restore. Raises Refusal."""
    dump = file.with_name(f"{file.name}.dump")
    try:
        if tarfile.is_tarfile(file):
            make_private(dump)
            _extract_dump(file, dump)
        else:
            dump = file
        require_meddie(_applied_migrations(dump), str(file))
        yield dump
    finally:
        if dump != file:
            dump.unlink(missing_ok=True)


def add_files_of(file: Path) -> None:
    """Add the back-up's files of users that are not there."""
    if not tarfile.is_tarfile(file):
        return
    storage = storages["attachments"]
    with tarfile.open(file) as archive:
        for member in archive:
            found = ATTACHMENT.fullmatch(member.name)
            content = archive.extractfile(member) if found else None
            if found and content and not storage.exists(found[1]):
                storage.save(found[1], File(content))


def _extract_dump(file: Path, dump: Path) -> None:
    """Read the archive to its end."""
    try:
        with tarfile.open(file) as archive:
            members = {member.name: member for member in archive}
            found = DUMP in members and archive.extractfile(members[DUMP])
            if not found:
                raise Refusal(f"{file} is no back-up of Meddie.")
            with found, dump.open("wb") as target:
                shutil.copyfileobj(found, target)
            archive.fileobj.seek(archive.offset)
            is_whole = archive.fileobj.read(len(END_OF_TAR)) == END_OF_TAR
    except TORN as error:
        raise Refusal(f"{file} is damaged or cut off: {error}") from error
    if not is_whole:
        raise Refusal(f"{file} is damaged or cut off.")


def _applied_migrations(dump: Path) -> Names:
    only = ("--data-only", "--table=django_migrations", "--file=-")
    found = MIGRATIONS.search(run_program("pg_restore", *only, str(dump), to=None))
    if not found:
        return set()
    columns = found[1].split(", ")
    rows = (line.split("\t") for line in found[2].splitlines())
    named = (dict(zip(columns, row, strict=True)) for row in rows)
    return {(row["app"], row["name"]) for row in named}


def make_private(file: Path) -> None:
    file.unlink(missing_ok=True)
    file.touch(mode=0o600, exist_ok=False)


def connection_values() -> dict[str, Any]:
    """Parameters of Django's connection without the statement time-out."""
    values = connection.get_connection_params()
    names = ("host", "port", "user", "password", "dbname", "sslmode", "sslrootcert")
    return {name: values[name] for name in names if name in values}


def run_program(program: str, *arguments: str, to: str | None = "") -> str:
    """Run one of PostgreSQL's on a database ("" is Meddie's). Raises Refusal."""
    values = connection_values()
    password = str(values.pop("password", ""))  # arguments are public
    values["dbname"] = to or values["dbname"]
    finished = subprocess.run(  # noqa: S603 -- our own program
        [
            INSTALLED / "bin" / program,
            *([] if to is None else ["--dbname", make_conninfo(**values)]),
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
    return finished.stdout
