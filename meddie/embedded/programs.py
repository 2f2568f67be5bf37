"""Our own programs: web and workers, with the schedule and Telegram polling in them."""

import http.client
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from django.conf import settings

from meddie.embedded.locations import Locations
from meddie.embedded.preflight import HOST
from meddie.embedded.processes import Child, start_process
from meddie.embedded.refusal import Refusal

PROGRAM_COLOURS = {"web": 36, "worker": 35, "chat": 32}
_writing = threading.Lock()

STARTING = 60.0  # seconds until the first page has to answer
ROOT_IS_KNOWN = "ignore:You're running the worker"
CELERY = ("-W", ROOT_IS_KNOWN, "-m", "celery", "--quiet", "-A", "meddie")
WORKER = (
    *(*CELERY, "worker", "--pool", "threads"),
    *("--without-gossip", "--without-mingle"),
)


@contextmanager
def running_programs(
    where: Locations, port: int, lock: int, servers: list[Child]
) -> Iterator[list[Child]]:
    """Start the programs, the web first, and end them."""
    environment = {
        **os.environ,
        "MEDDIE_DATA": str(where.data),
        "PYTHONUNBUFFERED": "1",
    }
    for schedule in where.data.glob("beat*"):  # made by an older Meddie
        schedule.chmod(0o600)
    children: list[Child] = []
    copying: list[threading.Thread] = []
    try:
        for name, command in program_commands(where, port).items():
            children.append(start_program(name, command, lock, environment, copying))
            if name == "web":
                _wait_for_page(port, [*servers, *children])
        yield children
    finally:
        _end(children)
        for thread in copying:
            thread.join(1)


@contextmanager
def demo_account(where: Locations, lock: int) -> Iterator[Callable[[], str]]:
    """Make it meanwhile; yields what waits for it and returns how to sign in.

    In a process of its own, because the embedding model stays in memory.
    """
    if not settings.BUNDLED_DATABASE:
        yield str
        return
    named = {"MEDDIE_DATA": str(where.data), "LOG_LEVEL": "WARNING"}
    with start_process(
        [sys.executable, "manage.py", "demo"],
        output=subprocess.PIPE,
        lock=lock,
        environment={**os.environ, **named},
    ) as process:

        def said() -> str:
            text = process.communicate()[0].decode(errors="replace").strip()
            if process.returncode:
                raise Refusal(text)
            return text

        try:
            yield said
        finally:
            process.kill()


def check_alive(children: list[Child]) -> None:
    for child in children:
        code = child.process.poll()
        if code is not None:
            raise Refusal(f"{child.name} ended by itself (exit code {code}).")


def program_commands(where: Locations, port: int) -> dict[str, list[str]]:
    """The arguments of each program, after the interpreter."""
    return {
        "web": [
            *("-m", "uvicorn", "meddie.asgi:application", "--lifespan", "on"),
            *("--host", HOST, "--port", str(port), "--log-level", "warning"),
            *("--timeout-graceful-shutdown", "3"),
            *("--http", "meddie.http.header_deadline:HeaderDeadline"),
        ],
        "chat": [*WORKER, "--concurrency", "16", "--queues", "chat", "--with-polling"],
        # Separate, so that chats waiting for a slow provider delay no sweep.
        "worker": [
            *(*WORKER, "--concurrency", "4", "--queues", "memory,upkeep"),
            *("--with-beat", str(where.data / "beat")),
        ],
    }


def _wait_for_page(port: int, children: list[Child]) -> None:
    deadline = time.monotonic() + STARTING
    while time.monotonic() < deadline:
        check_alive(children)
        web = http.client.HTTPConnection(HOST, port, timeout=5)
        try:
            web.request("GET", "/healthz")
            web.getresponse()
        except (OSError, http.client.HTTPException):
            time.sleep(0.03)
        else:
            return
        finally:
            web.close()
    raise Refusal(f"The web process did not answer within {STARTING:.0f} seconds.")


def _end(children: list[Child]) -> None:
    for child in children:
        child.ask_to_end()
    # 3 s for open streams, 5 s to store replies, and a margin.
    deadline = time.monotonic() + 10.0
    for child in children:
        child.wait(max(0.0, deadline - time.monotonic()))


def start_program(
    name: str,
    command: Sequence[str],
    lock: int,
    environment: Mapping[str, str],
    copying: list[threading.Thread],
) -> Child:
    """Start a program; the threads that copy its output are added to `copying`."""

    def start() -> subprocess.Popen[bytes]:
        process = start_process(
            [sys.executable, *command],
            output=subprocess.PIPE,
            lock=lock,
            environment=environment,
        )
        copying.append(copy(name, process))
        return process

    return Child(name, start)


def copy(name: str, process: subprocess.Popen[bytes]) -> threading.Thread:
    """Print a process's output in a thread."""
    thread = threading.Thread(target=_copy, args=[name, process], daemon=True)
    thread.start()
    return thread


def _copy(name: str, process: subprocess.Popen[bytes]) -> None:
    prefix = f"{name:{8}} | "
    if sys.stdout.isatty() and not os.environ.get("NO_COLOR"):
        prefix = f"\033[{PROGRAM_COLOURS.get(name, 0)}m{prefix}\033[0m"
    for raw in process.stdout or ():
        line = raw.decode(errors="replace").rstrip()
        with _writing:
            if line:
                print(prefix + line, flush=True)  # noqa: T201 -- for the terminal
