"""What stands behind `make run`: servers, web, worker and beat in one terminal.

All are children of this one process, started from its main thread. It ends them when it
is asked to (Ctrl-C, SIGTERM, a closed terminal); when it is killed, the kernel does.
"""

import http.client
import io
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType

import django
from django.conf import settings
from django.core.management import call_command
from django.db import connections
from django.db.backends.postgresql.base import DatabaseWrapper
from environs import EnvError

from meddie.ai import chat
from meddie.embedded import output, preflight, processes, servers
from meddie.embedded.command_line import bundled
from meddie.embedded.locations import Locations, locations
from meddie.embedded.lock import exclusive
from meddie.embedded.processes import Child
from meddie.embedded.refusal import Refusal

STARTING = 60.0  # seconds until the first page has to answer
ROOT_IS_KNOWN = "ignore:You're running the worker"
ENDING = 8.0  # seconds to store running replies and to finish a task


def main(arguments: Sequence[str]) -> int:
    """Run everything until asked to end; the exit code."""
    for asking in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(asking, _stop_once)
    if "--end-with-parent" in arguments:  # make, when it is killed, tells nobody
        processes.end_with_parent(signal.SIGTERM, os.getppid())
    try:
        run()
    except KeyboardInterrupt:
        with suppress(OSError):
            print("Stopped.", flush=True)  # noqa: T201 -- for the terminal
        return 0
    except Refusal as refusal:
        print(refusal, file=sys.stderr)  # noqa: T201 -- for the terminal
        return 1
    return 0


def run() -> None:
    """Start everything, say where it is, and watch it."""
    where = locations()
    port = _port()
    with exclusive(where) as lock:
        warning = preflight.check(port)
        with servers.started(where, bundled(), lock) as children:
            sign_in = _prepare()
            with _programs(where, port, lock) as programs:
                watched = [*children, *programs]
                _wait_for_web(port, watched)
                _say(warning, f"Answers come from: {chat.provider()}")
                _say(f"Open http://{preflight.HOST}:{port}", sign_in)
                _watch(watched)


def _stop_once(_signal: int, _frame: FrameType | None) -> None:
    """Begin the end. It has its own time limits, so a second Ctrl-C adds nothing."""
    for asking in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(asking, signal.SIG_IGN)
    raise KeyboardInterrupt


def _port() -> int:
    try:
        django.setup()
        return int(settings.PORT)
    except EnvError as error:
        raise Refusal(f"The configuration is wrong: {error}") from error


def _prepare() -> str | None:
    """Bring the database up to date; how to sign in, if there is a demo account."""
    call_command("migrate", verbosity=0, interactive=False)
    call_command("collectstatic", verbosity=0, interactive=False)
    said = io.StringIO()
    if settings.BUNDLED_DATABASE:
        call_command("demo", stdout=said)
    connections.close_all()
    for wrapper in connections.all(initialized_only=True):
        if isinstance(wrapper, DatabaseWrapper):
            wrapper.close_pool()  # its threads must be gone before children are made
    return said.getvalue().strip() or None


@contextmanager
def _programs(where: Locations, port: int, lock: int) -> Iterator[list[Child]]:
    beat_state = where.data / "beat"
    commands: dict[str, list[str]] = {
        "web": [
            *("-m", "uvicorn", "meddie.asgi:application", "--lifespan", "on"),
            *("--host", preflight.HOST, "--port", str(port)),
            *("--timeout-graceful-shutdown", "3", "--log-level", "warning"),
        ],
        "worker": [
            *("-W", ROOT_IS_KNOWN, "-m", "celery", "--quiet", "-A", "meddie"),
            *("worker", "--pool", "threads"),
            *("--concurrency", "8", "--loglevel", "WARNING"),
            *("--without-gossip", "--without-mingle"),
        ],
        "beat": [
            *("-m", "celery", "--quiet", "-A", "meddie", "beat"),
            *("--loglevel", "WARNING"),
            *("--schedule", str(beat_state), "--pidfile", ""),
        ],
    }
    environment = {
        **os.environ,
        "MEDDIE_DATA": str(where.data),
        "PYTHONUNBUFFERED": "1",
    }
    children: list[Child] = []
    try:
        for name, command in commands.items():
            children.append(output.start(name, command, lock, environment))
        output.show(children)
        yield children
    finally:
        for child in children:
            child.ask_to_end()
        deadline = time.monotonic() + ENDING
        for child in children:
            child.wait(max(0.0, deadline - time.monotonic()))


def _wait_for_web(port: int, watched: list[Child]) -> None:
    deadline = time.monotonic() + STARTING
    while time.monotonic() < deadline:
        _check_alive(watched)
        web = http.client.HTTPConnection(preflight.HOST, port, timeout=5)
        try:
            web.request("GET", "/healthz")
            web.getresponse()
        except (OSError, http.client.HTTPException):
            time.sleep(0.05)
        else:
            return
        finally:
            web.close()
    raise Refusal(f"The web process did not answer within {STARTING:.0f} seconds.")


def _watch(watched: list[Child]) -> None:
    while True:
        _check_alive(watched)
        time.sleep(0.2)


def _check_alive(watched: list[Child]) -> None:
    for child in watched:
        code = child.process.poll()
        if code is not None:
            raise Refusal(f"{child.name} ended by itself (exit code {code}).")


def _say(*lines: str | None) -> None:
    for line in filter(None, lines):
        print(line, flush=True)  # noqa: T201 -- for the terminal


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
