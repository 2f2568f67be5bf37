"""`make run` for real: started, killed, started again, and every refusal."""

import http.server
import os
import re
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx2
import psutil
import psycopg
import pytest

from meddie import ocr
from meddie.embedded.locations import Locations, locations
from tests.meddie.embedded.stack import (
    SUPERVISOR,
    Stack,
    data_folder,
    free_port,
    manage,
    run,
)
from tests.openai_answers import says
from tests.openai_server import OpenAIServer
from tests.waiting import PATIENCE, wait_until

PARTS = tuple(f"Part {number} goes on. " for number in range(10))
STORY = "".join(PARTS)
FORGET = """
UPDATE memories SET active = false, retired_reason = 'retracted', retired_at = now()
WHERE content = 'User likes tea'
"""


@pytest.fixture
def data() -> Iterator[Path]:
    with data_folder() as folder:
        yield folder


def test_one_command_starts_everything_and_its_end_leaves_nothing(data: Path) -> None:
    stack = Stack(data, environment={"LOG_LEVEL": "DEBUG"}).start()
    answers, sign_in, address, pictures = stack.lines()
    assert (answers, pictures) == (
        "Answers come from: offline (no OPENAI_API_KEY)",
        ocr.described(),
    )
    assert sign_in.startswith("Sign in: demo@example.com / ")
    assert address == f"Open http://127.0.0.1:{stack.port}"
    assert stack.get("/healthz").text == "ok\n"
    assert stack.wait_until_ready() == dict.fromkeys(
        ("database", "broker", "worker", "disk"), "ok"
    )
    letter = data / "attachments" / "ab" / "letter"
    letter.parent.mkdir(parents=True)
    letter.write_bytes(b"Dear Ann")
    kept = _back_up(data)
    letter.unlink()
    assert (stack.end(signal.SIGINT), stack.lines()[-1]) == (0, "Stopped.")
    assert stack.left_over() == []
    password = sign_in.split(" / ")[1]
    assert stack.output().count(password) == 1
    assert "Mails are printed here" in stack.output()

    # The same data again, and this time the supervisor is killed hard.
    code, output = manage(data, "restore", kept)
    last = output.splitlines()[-2:]
    assert (code, last) == (0, ["Forgotten again: 1 memory", f"Restored: {kept}"])
    assert letter.read_bytes() == b"Dear Ann"
    kept_in = (
        f"Sign in as demo@example.com; its password is in {data / 'demo_password'}"
    )
    assert stack.start().lines() == [answers, kept_in, address, pictures]
    assert _name_of_the_demo(data) == "Demo"
    with psycopg.connect(Locations(data).database_url, autocommit=True) as opened:
        left = "SELECT FROM pg_database WHERE datname LIKE 'meddie_%'"
        wait_until(lambda: not opened.execute(left).rowcount)
    assert len(stack.family) > 5
    stack.end(signal.SIGKILL)
    assert stack.left_over() == []


def test_supervisor_ends_when_make_is_killed(data: Path) -> None:
    command = f"{' '.join(SUPERVISOR)} --end-with-parent; true"
    make = subprocess.Popen(
        ["/bin/sh", "-c", command], env={**os.environ, "MEDDIE_DATA": str(data)}
    )
    wait_until((data / "postgres.log").exists)
    started = psutil.Process(make.pid).children(recursive=True)
    make.kill()
    make.wait()
    assert started
    assert psutil.wait_procs(started, timeout=PATIENCE)[1] == []


def test_signal_in_a_callback_of_a_fork_still_ends_it(
    data: Path, tmp_path: Path
) -> None:
    """Python drops the exception of a signal's handler there."""
    (tmp_path / "sitecustomize.py").write_text(
        "import os, signal, sys\n"
        "if 'meddie.embedded.supervisor' in sys.orig_argv:\n"
        "    ask = lambda: os.kill(os.getpid(), signal.SIGTERM)\n"
        "    os.register_at_fork(before=ask)\n"
    )
    folders = {"PYTHONPATH": str(tmp_path), "MEDDIE_DATA": str(data)}
    code, output = run(SUPERVISOR, PORT=str(free_port()), **folders)
    assert (code, output.splitlines()[-1]) == (0, "Stopped.")


def _back_up(data: Path) -> str:
    """Beside a running Meddie one can back up, but neither restore nor start another."""
    file, fact = str(data / "kept.dump"), data / "fact.jsonl"
    fact.write_text('{"text": "User likes tea", "stated_at": "2026-03-01T12:00:00Z"}')
    with psycopg.connect(Locations(data).database_url) as opened:
        found = opened.execute("SELECT space_id FROM people_membership").fetchone()
    who = ("--user", "demo@example.com", "--space", str(found and found[0]))
    assert manage(data, "import_facts", str(fact), *who)[0] == 0
    assert manage(data, "backup", file) == (0, f"Written: {file}")
    with psycopg.connect(Locations(data).database_url) as opened:
        opened.execute(FORGET)
    assert _name_of_the_demo(data, "changed since") == "changed since"
    for code, sentence in (
        manage(data, "restore", file),
        run(SUPERVISOR, MEDDIE_DATA=str(data), PORT=str(free_port())),
    ):
        assert (code, sentence.count("\n")) == (1, 0)
        assert f"{data} is in use by another Meddie" in sentence
    return file


def _name_of_the_demo(data: Path, changed: str | None = None) -> str:
    with psycopg.connect(Locations(data).database_url) as opened:
        if changed:
            opened.execute("UPDATE people_user SET name = %s", [changed])
        row = opened.execute("SELECT name FROM people_user").fetchone()
    assert row
    return str(row[0])


@pytest.fixture
def refusing_provider() -> Iterator[str]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(401)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()


@pytest.fixture
def outside_database() -> Iterator[str]:
    """A database on another server, with an owner of few rights."""
    servers = locations()
    name = f"outside_{os.getpid()}"
    with psycopg.connect(servers.database_url, autocommit=True) as opened:
        password = servers.database_password()
        opened.execute(f"CREATE ROLE {name} LOGIN PASSWORD '{password}'")
        opened.execute(f"CREATE DATABASE {name} OWNER {name}")
        yield servers.database_url.removesuffix("meddie") + name
        opened.execute(f"DROP DATABASE {name} WITH (FORCE)")
        opened.execute(f"DROP ROLE {name}")


def extensions_from(folder: Path, database: str) -> None:
    """Have the server look for extensions elsewhere (PostgreSQL 18 can be told so)."""
    with psycopg.connect(database, autocommit=True) as opened:
        name = opened.info.dbname
        opened.execute(f"ALTER DATABASE {name} SET extension_control_path = '{folder}'")


def refused(data: Path, **environment: str) -> str:
    """The one sentence with which `make run` ends."""
    port = str(free_port())
    code, output = run(
        SUPERVISOR, **{"PORT": port, "MEDDIE_DATA": str(data)} | environment
    )
    assert code == 1
    assert len(output.splitlines()) == 1, output
    return output


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("DATABASE_URL", "postgres://u:secret@127.0.0.1:1/x", "127.0.0.1/x cannot be"),
        ("DATABASE_URL", "sqlite:///x", "has to name a PostgreSQL database"),
        ("REDIS_URL", "redis://127.0.0.1:1", "REDIS_URL: the broker does not answer"),
        ("PORT", "80000", '"PORT" invalid'),
        ("MEDDIE_DATA", "/proc/meddie", "/proc/meddie cannot be made"),
    ],
)
def test_wrong_configuration_is_one_sentence(
    data: Path, name: str, value: str, sentence: str
) -> None:
    said = refused(data, **{name: value})
    assert sentence in said
    assert "secret" not in said


def test_a_wrong_line_in_the_env_file_is_one_sentence(data: Path) -> None:
    data.mkdir()
    file = data / "env"
    file.write_text("QUOTA_MB=ten\n")
    assert '"QUOTA_MB" invalid' in refused(data, ENV_FILE=str(file))


def test_a_taken_port_is_one_sentence(data: Path, taken_port: int) -> None:
    said = refused(data, PORT=str(taken_port))
    assert said.startswith(f"Port {taken_port} is taken; choose another: PORT=")


def test_a_wrong_key_is_one_sentence(data: Path, refusing_provider: str) -> None:
    said = refused(data, OPENAI_API_KEY="x", OPENAI_BASE_URL=refusing_provider)
    assert "refuses the key" in said


def test_a_database_without_pgvector_is_one_sentence(
    data: Path, outside_database: str
) -> None:
    extensions_from(data / "nowhere", outside_database)
    assert "has no pgvector" in refused(data, DATABASE_URL=outside_database)


def test_a_pgvector_that_is_too_old_is_one_sentence(
    data: Path, outside_database: str
) -> None:
    (data / "extension").mkdir(parents=True)
    data.chmod(0o755)
    (data / "extension" / "vector.control").write_text("default_version = '0.5.1'\n")
    (data / "extension" / "vector--0.5.1.sql").touch()
    extensions_from(data, outside_database)
    assert "has pgvector 0.5.1; 0.8" in refused(data, DATABASE_URL=outside_database)


def test_an_owner_who_may_not_add_pgvector_is_told_who_can(
    data: Path, outside_database: str
) -> None:
    owner = outside_database.rpartition("/")[2]
    url = outside_database.replace("//meddie:", f"//{owner}:")
    said = refused(data, DATABASE_URL=url)
    assert "have a superuser run CREATE EXTENSION vector" in said


def test_a_database_that_cannot_be_brought_up_to_date_is_one_sentence(
    data: Path, outside_database: str
) -> None:
    with psycopg.connect(outside_database, autocommit=True) as opened:
        opened.execute("CREATE TABLE people_user ()")
    said = refused(data, DATABASE_URL=outside_database, REDIS_URL=locations().redis_url)
    assert "cannot be brought up to date" in said


def test_database_of_a_newer_meddie_is_one_sentence(
    data: Path, outside_database: str
) -> None:
    with psycopg.connect(outside_database, autocommit=True) as opened:
        opened.execute("CREATE TABLE django_migrations (id int, app text, name text)")
        opened.execute("ALTER TABLE django_migrations ADD applied timestamptz")
        opened.execute("INSERT INTO django_migrations VALUES (1, 'memory', '0999_new')")
    said = refused(data, DATABASE_URL=outside_database, REDIS_URL=locations().redis_url)
    assert "is of a newer Meddie, whose migration memory.0999_new" in said
    with psycopg.connect(outside_database) as opened:
        tables = "SELECT FROM pg_tables WHERE schemaname = 'public'"
        assert opened.execute(tables).rowcount == 1


def test_configured_servers_are_used_and_a_child_that_keeps_ending_ends_the_run(
    data: Path, outside_database: str
) -> None:
    servers = {"DATABASE_URL": outside_database, "REDIS_URL": locations().redis_url}
    stack = Stack(data, environment=servers).start()
    assert stack.wait_until_ready()["worker"] == "ok"
    assert not {"postgres", "valkey-server"} & {each.name() for each in stack.family}

    while stack.process.poll() is None:
        if child := stack.child("chat"):
            child.kill()
    assert "Sign in" not in stack.output()
    assert stack.lines()[-1] == (
        "chat ended by itself 6 times within a minute (exit code -9)."
    )
    assert (stack.process.returncode, stack.left_over()) == (1, [])


def test_each_child_that_is_killed_comes_back_and_messages_are_answered(
    data: Path,
) -> None:
    stack = Stack(data).start()
    with stack.signed_in() as client:
        for part in ("chat", "memory,upkeep", "uvicorn"):
            _kill(stack, part)
        _ask(client)
        for part in ("valkey-server", "postgres"):
            _kill(stack, part)
            _ask(client)
    with psycopg.connect(Locations(data).database_url) as opened:
        found = opened.execute(
            "SELECT status FROM conversations_message WHERE role = 'assistant'"
            " AND created_at > now() - interval '1 hour'"
        )
        assert found.fetchall() == [("done",)] * 3
    stack.end(signal.SIGKILL)
    assert stack.left_over() == []


def test_end_during_a_reply_prints_no_traceback(
    data: Path, story_provider: str
) -> None:
    environment = {"OPENAI_API_KEY": "x", "OPENAI_BASE_URL": story_provider}
    local = "universal-sentence-encoder-multilingual-3"
    stack = Stack(data, environment=environment | {"EMBEDDING_MODEL": local}).start()
    with stack.signed_in() as client:
        sent = client.post(
            "/chat/send",
            data={"text": "Tell me a story.", "conversation": ""},
            headers={"HX-Request": "true", "X-CSRFToken": client.cookies["csrftoken"]},
        )
        path = re.findall(r'data-stream="([^"]+)"', sent.text)[0]
        with client.stream("GET", path) as following:
            assert any("Part" in text for text in following.iter_text())
            assert stack.end(signal.SIGINT) == 0
    assert "Traceback" not in stack.output()
    assert stack.lines()[-1] == "Stopped."
    assert stack.left_over() == []


@pytest.fixture
def story_provider() -> Iterator[str]:
    """A provider that stops in the middle of a story."""
    with OpenAIServer() as server:
        server.key = None
        server.chat.default = lambda _body: says(STORY, pieces=PARTS, hold=5)
        yield server.base_url


def _kill(stack: Stack, part: str) -> None:
    """Kill a child, and wait for its successor and until all work together."""
    killed = stack.child(part)
    assert killed
    killed.kill()
    wait_until(lambda: (new := stack.child(part)) and new.pid != killed.pid)
    stack.wait_until_ready()


def _ask(client: httpx2.Client) -> None:
    """Send a message and read its reply to the end.

    A connection that PostgreSQL's end broke shows an error page first.
    """
    path: list[str] = []

    def sent() -> bool:
        answer = client.post(
            "/chat/send",
            data={"text": "I have a cat.", "conversation": ""},
            headers={"HX-Request": "true", "X-CSRFToken": client.cookies["csrftoken"]},
        )
        path[:] = re.findall(r'data-stream="([^"]+)"', answer.text)
        return bool(path)

    wait_until(sent)
    assert "event: end" in client.get(path[0]).text
