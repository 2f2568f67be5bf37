"""The process of `make run`: servers, web, workers and beat in one terminal.

All are its children and end with it. One that ends by itself is started again.
"""

import os
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from types import FrameType
from typing import NoReturn

if __name__ == "__main__":  # Ctrl-C during the imports prints no traceback
    signal.signal(signal.SIGINT, signal.SIG_DFL)

import django
from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError
from environs import EnvError

from meddie.ai.provider import current_provider
from meddie.embedded import preflight, processes, programs, restarts, servers
from meddie.embedded.command_line import bundled, close_database
from meddie.embedded.locations import locations
from meddie.embedded.lock import exclusive_lock
from meddie.embedded.refusal import Refusal


def main(arguments: Sequence[str]) -> int:
    for asking in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(asking, _stop_once)
    if "--end-with-parent" in arguments:  # a killed make forwards no signal
        processes.end_with_parent(signal.SIGTERM, os.getppid())
    try:
        supervise()
    except KeyboardInterrupt:
        with suppress(OSError):
            print("Stopped.", flush=True)  # noqa: T201 -- for the terminal
        return 0
    except Refusal as refusal:
        print(refusal, file=sys.stderr)  # noqa: T201 -- for the terminal
        return 1


def supervise() -> NoReturn:
    port = _port()
    where = locations()
    with exclusive_lock(where) as lock:
        warning = preflight.check_all(port)
        with servers.started_servers(where, bundled(), lock) as children:
            _prepare()
            with (
                programs.demo_account(where, lock) as sign_in,
                programs.running_programs(where, port, lock, children) as own,
            ):
                _say(warning, f"Answers come from: {current_provider().name}")
                _say(sign_in(), f"Open http://{preflight.HOST}:{port}")
                watched = [restarts.Watched(child) for child in (*children, *own)]
                while True:
                    for each in watched:
                        each.restart_if_ended()
                    time.sleep(0.2)


def _stop_once(_signal: int, _frame: FrameType | None) -> None:
    """Start the shutdown and ignore further signals."""
    for asking in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(asking, signal.SIG_IGN)
    raise KeyboardInterrupt


def _port() -> int:
    try:
        django.setup()
        return int(settings.PORT)
    except EnvError as error:
        raise Refusal(f"The configuration is wrong: {error}") from error


def _prepare() -> None:
    """Migrate, and collect static files."""
    try:
        call_command("migrate", verbosity=0, interactive=False)
    except DatabaseError as error:
        reason = str(error).partition("\n")[0]
        raise Refusal(f"The database cannot be brought up to date: {reason}") from error
    call_command("collectstatic", verbosity=0, interactive=False)
    close_database()  # its threads must be gone before children are made


def _say(*lines: str | None) -> None:
    for line in filter(None, lines):
        print(line, flush=True)  # noqa: T201 -- for the terminal


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
