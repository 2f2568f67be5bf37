"""The output of several children in one terminal, prefixed with their names."""

import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence

from meddie.embedded.processes import Child, start_process

COLOURS = {"web": 36, "worker": 35, "beat": 33, "telegram": 34, "chat": 32}
WIDTH = 8
_writing = threading.Lock()


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
    prefix = f"{name:{WIDTH}} | "
    if sys.stdout.isatty() and not os.environ.get("NO_COLOR"):
        prefix = f"\033[{COLOURS.get(name, 0)}m{prefix}\033[0m"
    for raw in process.stdout or ():
        line = raw.decode(errors="replace").rstrip()
        with _writing:
            if line:
                print(prefix + line, flush=True)  # noqa: T201 -- for the terminal
