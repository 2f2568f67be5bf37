"""The bundled servers: recovery, locks, accounts and refusals."""

import os
import pwd
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest
import redis

from meddie.embedded import (
    locations,
    lock,
    postgres,
    processes,
    programs,
    removal,
    server_account,
    servers,
)
from meddie.embedded.locations import Locations, package
from meddie.embedded.lock import InUse, exclusive_lock, shared_lock
from meddie.embedded.postgres import INSTALLED
from meddie.embedded.refusal import Refusal
from meddie.embedded.server_account import Account, account_for
from meddie.embedded.servers import POSTGRES, REDIS, available, running_servers
from tests.meddie.embedded.stack import data_folder
from tests.waiting import PATIENCE, wait_until


@pytest.fixture
def where() -> Iterator[Locations]:
    with data_folder() as folder:
        yield Locations(folder)


def remember(where: Locations) -> None:
    with psycopg.connect(where.database_url, autocommit=True) as opened:
        opened.execute("CREATE TABLE kept AS SELECT 'Zażółć' AS text")


def remembered(where: Locations) -> object:
    with psycopg.connect(where.database_url) as opened:
        row = opened.execute("SELECT lower(upper(text)) FROM kept").fetchone()
    return row and row[0]


def test_stale_pid_of_an_unrelated_process_is_not_taken_for_a_server(
    where: Locations,
) -> None:
    with running_servers(where, [POSTGRES], durable=False):
        remember(where)
    unrelated = subprocess.Popen(["/bin/sleep", "60"])
    try:
        (where.cluster / "postmaster.pid").write_text(f"{unrelated.pid}\n/x\n")
        where.make_runtime()
        where.sockets.mkdir()
        (where.sockets / ".s.PGSQL.5432").touch()
        (where.sockets / ".s.PGSQL.5432.lock").write_text(f"{unrelated.pid}\n")
        with running_servers(where, durable=False):
            assert remembered(where) == "zażółć"
            with redis.Redis.from_url(where.redis_url) as broker:
                assert broker.ping()
        assert unrelated.poll() is None
    finally:
        unrelated.kill()
        unrelated.wait()


def test_server_started_by_hand_is_left_alone(where: Locations) -> None:
    with (
        running_servers(where, [POSTGRES], durable=False),
        exclusive_lock(Locations(where.data / "elsewhere")) as lock,
    ):
        before = (where.cluster / "postmaster.pid").read_text()
        with pytest.raises(Refusal, match="Another PostgreSQL"):
            postgres.start_postgres(where, lock, durable=False)
        assert (where.cluster / "postmaster.pid").read_text() == before
        remember(where)


def test_aborted_initdb_is_repeated(where: Locations) -> None:
    draft = where.make_data() / "postgres.draft"
    draft.mkdir()
    (draft / "PG_VERSION").write_text("18\n")
    with running_servers(where, [POSTGRES], durable=False):
        remember(where)


def test_the_servers_work_where_their_programs_cannot_be_reached(
    where: Locations, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pytest's folders are closed to others, as a clone in a closed folder is."""
    monkeypatch.setattr(server_account, "namespaces_work", lambda: False)
    (tmp_path / "site").symlink_to(INSTALLED.parent.parent)
    unreachable = tmp_path / "site" / INSTALLED.relative_to(INSTALLED.parent.parent)
    monkeypatch.setattr(postgres, "INSTALLED", unreachable)
    stale = where.make_data() / "postgres-programs-1"
    stale.mkdir()
    with running_servers(where, [POSTGRES], durable=False):
        remember(where)
    copies = list(where.data.glob("postgres-programs-*"))
    assert len(copies) == 1
    assert (copies == [stale]) is (os.getuid() != 0)  # only root needs a copy


def test_a_server_that_does_not_start_names_its_log(where: Locations) -> None:
    with running_servers(where, [POSTGRES], durable=False):
        pass
    (where.cluster / "postgresql.conf").write_text("nonsense\n")
    with (
        pytest.raises(Refusal, match=r"did not start; .*/postgres\.log says why"),
        running_servers(where, [POSTGRES], durable=False),
    ):
        pass
    assert "syntax error" in (where.data / "postgres.log").read_text()


def test_the_logs_are_closed_to_others_and_hold_nothing_that_was_said(
    where: Locations,
) -> None:
    where.make_data()
    (where.data / "postgres.log").touch(mode=0o644)
    with running_servers(where, durable=False):
        remember(where)
        with psycopg.connect(where.database_url, autocommit=True) as opened:
            opened.execute("ALTER TABLE kept ADD CONSTRAINT known UNIQUE (text)")
            with pytest.raises(psycopg.errors.UniqueViolation):
                opened.execute("INSERT INTO kept VALUES ('Zażółć') -- a diagnosis")
    logged = (where.data / "postgres.log").read_text()
    assert "duplicate key" in logged
    assert "diagnosis" not in logged
    assert "Zażółć" not in logged
    for name in ("postgres.log", "redis.log"):
        assert (where.data / name).stat().st_mode & 0o777 == 0o600


def test_a_second_owner_is_told_who_the_first_is(where: Locations) -> None:
    with (
        exclusive_lock(where),
        pytest.raises(InUse, match=f"process {os.getpid()}"),
        exclusive_lock(where),
    ):
        pass


def test_a_dead_owner_is_waited_for_while_its_servers_end(where: Locations) -> None:
    with exclusive_lock(where) as descriptor:
        gone = subprocess.Popen(["/bin/true"])
        gone.wait()
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{gone.pid} make".encode(), 0)
        inherited = os.dup(descriptor)
    threading.Timer(0.3, os.close, [inherited]).start()
    with exclusive_lock(where):
        pass


def test_a_command_uses_the_servers_that_are_there(where: Locations) -> None:
    with (
        running_servers(where, [REDIS]),
        available(where, [REDIS]),
        redis.Redis.from_url(where.redis_url) as broker,
    ):
        assert broker.set("a", "1")
    with available(where, [REDIS]), redis.Redis.from_url(where.redis_url) as broker:
        assert broker.get("a") is None  # its own, which began with nothing


def test_servers_of_a_command_wait_for_its_guests(where: Locations) -> None:
    with available(where, [REDIS]):
        guest = shared_lock(where)
        assert guest.__enter__()
        threading.Timer(0.3, guest.__exit__, [None, None, None]).start()
    with exclusive_lock(where), shared_lock(where) as let_in:
        assert let_in


def test_children_are_started_from_the_main_thread_only(where: Locations) -> None:
    """The kernel would end them with the thread."""
    found: list[BaseException] = []

    def start() -> None:
        try:
            processes.start_process(["/bin/true"], output=subprocess.DEVNULL, lock=0)
        except RuntimeError as error:
            found.append(error)

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    assert len(found) == 1


def test_a_child_that_does_not_end_is_made_to() -> None:
    def stubborn() -> subprocess.Popen[bytes]:
        return subprocess.Popen(["/bin/sleep", "60"])

    child = processes.Child("stubborn", stubborn, ending=signal.SIGCONT)
    child.ask_to_end()
    assert child.wait(0.05) is False
    assert child.process.returncode == -signal.SIGKILL


def test_a_closed_folder_is_named() -> None:
    stranger = Account("stranger", uid=54321, gid=54321)
    with tempfile.TemporaryDirectory() as folder:  # in one that everybody can pass
        closed = Path(folder)
        open_again = closed / "open"
        open_again.mkdir()
        closed.chmod(0o750)
        assert stranger.cannot_pass(open_again) == closed
        closed.chmod(0o751)
        assert stranger.cannot_pass(open_again) is None


root_only = pytest.mark.skipif(
    os.getuid() != 0, reason="only root runs PostgreSQL as another user"
)
namespaces_only = pytest.mark.skipif(
    not server_account.namespaces_work(), reason="needs `unshare --user`"
)


@pytest.fixture
def closed(tmp_path: Path) -> Locations:
    """A data folder below one that only its owner can enter."""
    tmp_path.chmod(0o700)
    return Locations(tmp_path / "data")


@root_only
@namespaces_only
def test_root_serves_data_in_a_closed_folder_and_owns_it(closed: Locations) -> None:
    with running_servers(closed, [POSTGRES], durable=False):
        remember(closed)
    assert closed.cluster.stat().st_uid == 0
    assert not list(closed.data.glob("postgres-programs-*"))
    with running_servers(closed, [POSTGRES], durable=False):
        assert remembered(closed) == "zażółć"


@root_only
@namespaces_only
def test_server_in_a_namespace_ends_with_its_parent(closed: Locations) -> None:
    holding = (
        "import sys, time; from pathlib import Path;"
        "from meddie.embedded.locations import Locations;"
        "from meddie.embedded.servers import running_servers\n"
        "with running_servers(Locations(Path(sys.argv[1])), ['postgres'], durable=False):\n"
        "  print('up', flush=True); time.sleep(60)"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", holding, str(closed.data)], stdout=subprocess.PIPE
    )
    assert parent.stdout
    assert parent.stdout.readline() == b"up\n"
    (server,) = psutil.Process(parent.pid).children()
    parent.kill()
    parent.communicate()
    assert psutil.wait_procs([server], timeout=PATIENCE)[1] == []
    closed.remove_runtime()


@root_only
def test_closed_folder_without_namespaces_is_one_sentence(
    closed: Locations, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_account, "namespaces_work", lambda: False)
    with (
        pytest.raises(Refusal, match=r"user 58431, .* cannot pass /"),
        running_servers(closed, [POSTGRES], durable=False),
    ):
        pass
    closed.cluster.mkdir()
    with (
        pytest.raises(Refusal, match="was made in a user namespace"),
        running_servers(closed, [POSTGRES], durable=False),
    ):
        pass
    closed.remove_runtime()


@pytest.mark.parametrize("name", ["unshare", "no-such-program-anywhere"])
def test_namespaces_are_probed(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(server_account, "USER_NAMESPACE", [name, "--no-such-option"])
    assert server_account.namespaces_work.__wrapped__() is False


@root_only
def test_closed_project_without_namespaces_keeps_its_data_elsewhere(
    tmp_path: Path,
    where: Locations,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("MEDDIE_DATA")
    monkeypatch.setattr(server_account, "namespaces_work", lambda: False)
    monkeypatch.setattr(locations, "PROJECT", tmp_path)
    monkeypatch.setattr(locations, "FALLBACK", where.make_data())
    found = locations.locations()
    assert found == locations.locations()
    assert found.data.parent == where.data
    with running_servers(found, [POSTGRES], durable=False):
        remember(found)
    assert f"the data is in {found.data}\n" in capsys.readouterr().err
    assert not (tmp_path / ".data").exists()
    (tmp_path / ".data").mkdir()  # made before, so it holds keys that are in use
    assert locations.locations().data == tmp_path / ".data"


def test_cleaning_names_the_data_and_removes_it_when_asked(
    where: Locations,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("MEDDIE_DATA", str(where.data))
    assert removal.main([]) == 0
    assert capsys.readouterr().out == ""
    where.secret("word")
    assert removal.main([]) == 0
    assert f"The data in {where.data} stays" in capsys.readouterr().out
    with exclusive_lock(where):
        assert removal.main(["--data"]) == 1
    assert where.data.exists()
    assert removal.main(["--data"]) == 0
    assert not where.data.exists()


def test_runtime_folder_of_another_user_is_refused(where: Locations) -> None:
    where.runtime.symlink_to(where.data.parent)
    try:
        with pytest.raises(Refusal, match="is not a folder of this user's"):
            where.make_runtime()
    finally:
        where.runtime.unlink()


def test_sockets_leave_nothing_in_the_temporary_folder(where: Locations) -> None:
    with running_servers(where, [REDIS]):
        assert where.runtime.exists()
    assert not where.runtime.exists()


def test_a_path_too_long_for_a_socket_is_one_sentence(
    where: Locations, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = where.make_data() / ("x" * 100)
    long.mkdir()
    monkeypatch.setattr(locations, "SHORT_FOLDER", long)
    with (
        pytest.raises(Refusal, match="too long a path"),
        running_servers(where, [POSTGRES], durable=False),
    ):
        pass


def test_a_redis_that_does_not_start_names_its_log(where: Locations) -> None:
    where.make_runtime()
    where.redis_socket.mkdir()
    with (
        pytest.raises(Refusal, match=r"did not start; .*/redis\.log says why"),
        running_servers(where, [REDIS]),
    ):
        pass
    where.redis_socket.rmdir()
    where.remove_runtime()


def test_a_server_that_outlives_its_killed_run_is_one_sentence(
    where: Locations, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "DYING", 0.1)
    with exclusive_lock(where) as descriptor:
        os.ftruncate(descriptor, 0)
        with pytest.raises(InUse, match="of an earlier run"), exclusive_lock(where):
            pass


def test_a_command_does_not_wait_for_ever_for_the_servers_of_another(
    where: Locations, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers, "COMING", 0.3)
    with (
        exclusive_lock(where),  # and starts nothing
        pytest.raises(Refusal, match="do not answer"),
        available(where, [REDIS]),
    ):
        pass


def test_a_lock_that_cannot_be_opened_is_one_sentence(where: Locations) -> None:
    (where.make_data() / "lock").mkdir()
    with pytest.raises(Refusal, match="cannot be opened"), exclusive_lock(where):
        pass


@root_only
def test_data_is_served_by_its_owner(
    where: Locations,
) -> None:
    where.make_data()
    where.cluster.mkdir()
    os.chown(where.cluster, 54321, 54321)
    owner = account_for(where.cluster)
    assert owner
    assert owner.uid == 54321


@root_only
def test_server_of_root_has_a_number_without_an_account(where: Locations) -> None:
    with running_servers(where, [POSTGRES]):
        number = int((where.cluster / "postmaster.pid").read_text().split()[0])
        assert psutil.Process(number).uids().real == server_account.UID
    with pytest.raises(KeyError):
        pwd.getpwuid(server_account.UID)
    owners = {path.stat().st_uid for path in where.cluster.rglob("*")}
    assert owners == {server_account.UID}


def connect(where: Locations, role: str = "meddie", password: str | None = None):
    return psycopg.connect(
        host=str(where.sockets), user=role, password=password, dbname="meddie"
    )


def check_isolated(where: Locations) -> None:
    """One role signs in, with the password, and is no superuser."""
    for role in ("meddie", "postgres"):
        with pytest.raises(psycopg.OperationalError, match="password"):
            connect(where, role)
        with pytest.raises(psycopg.OperationalError, match="password"):
            connect(where, role, "guessed")
    file = where.data / "database_password"
    assert file.stat().st_mode & 0o777 == 0o600
    with connect(where, password=file.read_text()) as opened:
        found = opened.execute(
            "SELECT rolsuper OR rolcreaterole OR rolreplication OR rolbypassrls"
            " FROM pg_roles WHERE rolname = current_user"
        )
        assert found.fetchone() == (False,)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            opened.execute("COPY (SELECT 1) TO PROGRAM 'true'")


def test_database_has_a_password_and_no_superuser(where: Locations) -> None:
    with running_servers(where, [POSTGRES]):
        check_isolated(where)


def test_lost_password_is_replaced(where: Locations) -> None:
    with running_servers(where, [POSTGRES]):
        remember(where)
    (where.data / "database_password").unlink()
    with running_servers(where, [POSTGRES]):
        assert remembered(where) == "zażółć"


def test_data_of_before_0_2_0_is_refused_and_not_changed(where: Locations) -> None:
    """Its superuser was `meddie`, without a password, and its user `nobody`."""
    cluster, root = where.make_data() / "postgres", os.getuid() == 0
    cluster.mkdir(mode=0o700)
    where.make_runtime()
    where.sockets.mkdir(mode=0o700)
    old = server_account.maker_account() if root else None
    if old:
        os.chown(cluster, old.uid, old.gid)
    as_old: dict[str, Any] = (
        {"user": old.uid, "group": old.gid, "extra_groups": []} if old else {}
    )
    made = ("initdb", "-D", cluster, "-U", "meddie", "-A", "trust", "--no-sync")
    program = postgres._programs(where, old) / "bin"
    subprocess.run(
        [program / made[0], *made[1:]],
        check=True,
        capture_output=True,
        cwd="/",
        **as_old,
    )
    with (
        pytest.raises(Refusal, match=r"is of a Meddie before 0\.2\.0"),
        running_servers(where, [POSTGRES]),
    ):
        pass
    where.make_runtime()
    where.sockets.mkdir(mode=0o700)
    if old:
        os.chown(where.sockets, old.uid, old.gid)
    options = ("-D", cluster, "-k", where.sockets, "-clisten_addresses=")
    server = subprocess.Popen(
        [program / "postgres", *options], cwd="/", stderr=subprocess.DEVNULL, **as_old
    )
    wait_until(lambda: runs(where, "SELECT 1", "postgres"))
    assert runs(where, "CREATE DATABASE meddie", "postgres")
    server.send_signal(signal.SIGINT)
    server.wait(PATIENCE)


def test_data_of_a_newer_meddie_is_refused_and_its_rules_stay(
    where: Locations,
) -> None:
    with (
        running_servers(where, [POSTGRES]),
        psycopg.connect(where.database_url) as opened,
    ):
        opened.execute("CREATE TABLE django_migrations (app text, name text)")
        opened.execute("INSERT INTO django_migrations VALUES ('memory', '0999_new')")
    rules = where.cluster / "pg_hba.conf"
    rules.write_text("# as the newer one wants them\n")
    with (
        pytest.raises(Refusal, match="is of a newer Meddie"),
        running_servers(where, [POSTGRES]),
    ):
        pass
    assert rules.read_text() == "# as the newer one wants them\n"


def runs(where: Locations, statements: str, database: str) -> bool:
    try:
        with psycopg.connect(
            host=str(where.sockets), user="meddie", dbname=database, autocommit=True
        ) as opened:
            opened.execute(statements)
    except psycopg.OperationalError:
        return False
    return True


def test_bundled_broker_has_a_limit_and_no_dangerous_commands(
    where: Locations,
) -> None:
    with (
        running_servers(where, [REDIS]),
        redis.Redis.from_url(where.redis_url) as broker,
    ):
        told = broker.info()
        assert (told["server_name"], told["maxmemory"]) == ("valkey", 256 * 1024**2)
        for command in (
            *("EVAL", "EVALSHA", "EVAL_RO", "SCRIPT", "FUNCTION", "FCALL", "MODULE"),
            *("CONFIG", "KEYS", "DEBUG", "SAVE", "REPLICAOF", "MIGRATE", "MONITOR"),
        ):
            with pytest.raises(redis.ResponseError, match="unknown command"):
                broker.execute_command(command, "return 1", 0)


def test_each_line_says_whose_it_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def show() -> str:
        process = subprocess.Popen(["/bin/echo", "a\n\nb"], stdout=subprocess.PIPE)
        with process:
            programs.copy("web", process).join()
        return capsys.readouterr().out

    assert show() == "web      | a\nweb      | b\n"
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert show().startswith("\033[36mweb      | \033[0ma")


def test_a_secret_is_made_once_and_kept_to_its_owner(where: Locations) -> None:
    first = where.secret("word")
    assert len(first) >= 48
    assert where.secret("word") == first
    assert (where.data / "word").stat().st_mode & 0o777 == 0o600


def test_a_secret_that_cannot_be_read_is_one_sentence(where: Locations) -> None:
    (where.make_data() / "word").mkdir()
    with pytest.raises(Refusal, match="belong to another user"):
        where.secret("word")


def test_a_missing_package_is_one_sentence() -> None:
    with pytest.raises(Refusal, match="make install"):
        package("no_such_package_anywhere")
