"""The process of `make run`: servers, web and workers in one terminal.

All are its children and end with it. One that ends by itself is started again.
"""

import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from types import FrameType
from typing import NoReturn

from meddie.embedded.processes import Child
from meddie.embedded.refusal import Refusal

_stop_asked = threading.Event()
MOST_ENDS = 5
# Each further restart waits longer: processes of a killed PostgreSQL end first.


@dataclass(slots=True)
class Watched:
    child: Child
    ends: deque[float] = field(default_factory=lambda: deque(maxlen=MOST_ENDS + 1))
    due: float | None = None

    def restart_if_ended(self) -> None:
        """Raises Refusal if the child ends more than MOST_ENDS times within a minute."""
        if self.child.process.poll() is None:
            return
        now = time.monotonic()
        if self.due is None:
            self.due = now + self._pause(now)
        if now >= self.due:
            self.due = None
            self.child.process = self.child.start()

    def _pause(self, now: float) -> float:
        self.ends.append(now)
        recent = sum(now - end < 60.0 for end in self.ends)
        ended = f"{self.child.name} ended by itself"
        code = self.child.process.returncode
        if recent > MOST_ENDS:
            raise Refusal(f"{ended} {recent} times within a minute (exit code {code}).")
        print(f"{ended} (exit code {code}) and is started again.", flush=True)  # noqa: T201
        return 2.0 * (recent - 1)


if __name__ == "__main__":  # Ctrl-C during the imports prints no traceback
    signal.signal(signal.SIGINT, signal.SIG_DFL)

import django
from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError
from environs import EnvError

from meddie import ocr
from meddie.ai.provider import current_provider
from meddie.embedded import preflight, processes, programs, servers
from meddie.embedded.command_line import bundled, close_database
from meddie.embedded.locations import locations
from meddie.embedded.lock import exclusive_lock
from meddie.embedded.restoring import drop_former


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
                _say(ocr.described())
                drop_former()
                watched = [Watched(child) for child in (*children, *own)]
                while not _stop_asked.is_set():
                    for each in watched:
                        each.restart_if_ended()
                    time.sleep(0.2)
    raise KeyboardInterrupt


def _stop_once(_signal: int, _frame: FrameType | None) -> None:
    """Start the shutdown and ignore further signals.

    Python drops an exception that is raised in a callback of a fork.
    """
    _stop_asked.set()
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
