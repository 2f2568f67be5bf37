"""The output of several children in one terminal, prefixed with their names."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterable, Mapping, Sequence

from meddie.embedded.processes import Child, start_process

COLOURS = {"web": 36, "worker": 35, "beat": 33, "telegram": 34, "chat": 32}
WIDTH = 8
_writing = threading.Lock()


def start_program(
    name: str, command: Sequence[str], lock: int, environment: Mapping[str, str]
) -> Child:
    process = start_process(
        [sys.executable, *command],
        output=subprocess.PIPE,
        lock=lock,
        environment=environment,
    )
    return Child(name, process)


def show(children: Iterable[Child]) -> list[threading.Thread]:
    """Print the children's output in threads. Call it after the last start."""
    threads = [threading.Thread(target=_copy, args=[each]) for each in children]
    for thread in threads:
        thread.daemon = True
        thread.start()
    return threads


def _copy(child: Child) -> None:
    prefix = f"{child.name:{WIDTH}} | "
    if sys.stdout.isatty() and not os.environ.get("NO_COLOR"):
        prefix = f"\033[{COLOURS.get(child.name, 0)}m{prefix}\033[0m"
    for raw in child.process.stdout or ():
        line = raw.decode(errors="replace").rstrip()
        with _writing:
            if line:
                print(prefix + line, flush=True)  # noqa: T201 -- for the terminal
