"""`make run`'s supervisor as a process of its own, as a newcomer starts it."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
import psutil

from tests.waiting import PATIENCE, wait_until

PROJECT = Path(__file__).resolve().parents[3]
SUPERVISOR = [sys.executable, "-m", "meddie.embedded.supervisor"]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def run(command: list[str], **environment: str) -> tuple[int, str]:
    """Exit code and whole output of something that ends by itself."""
    finished = subprocess.run(
        command,
        cwd=PROJECT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return finished.returncode, finished.stdout.strip()


def manage(data: Path, *arguments: str) -> tuple[int, str]:
    return run([sys.executable, "manage.py", *arguments], MEDDIE_DATA=str(data))


@contextmanager
def data_folder() -> Iterator[Path]:
    """A new one that PostgreSQL's user can pass; pytest's own are closed to others."""
    with tempfile.TemporaryDirectory(prefix="meddie-stack-") as name:
        Path(name).chmod(0o711)
        yield Path(name) / "data"


@dataclass
class Stack:
    """A running supervisor and everything that it started."""

    data: Path
    port: int = field(default_factory=free_port)
    lines: list[str] = field(default_factory=list)
    environment: dict[str, str] = field(default_factory=dict)

    def start(
        self, command: Sequence[str] = SUPERVISOR, until: str = "Sign in:"
    ) -> "Stack":
        """Start it and read its output up to the line that ends the start."""
        self.process = subprocess.Popen(
            command,
            cwd=PROJECT,
            env={
                **os.environ,
                **self.environment,
                "MEDDIE_DATA": str(self.data),
                "PORT": str(self.port),
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.lines = []
        assert self.process.stdout
        for line in self.process.stdout:
            self.lines.append(line.strip())
            if line.startswith(until):
                break
        self.family = psutil.Process(self.process.pid).children(recursive=True)
        return self

    def get(self, path: str) -> httpx2.Response:
        return httpx2.get(f"http://127.0.0.1:{self.port}{path}", timeout=PATIENCE)

    def wait_until_ready(self) -> dict[str, str]:
        """What /readyz says when all is ready."""
        answers: dict[str, str] = {}

        def ready() -> bool:
            response = self.get("/readyz")
            answers.update(response.json())
            return response.is_success

        wait_until(ready, lambda: answers)
        return answers

    def end(self, by: signal.Signals) -> tuple[int, str]:
        """Send the signal; exit code and the rest of the output."""
        self.process.send_signal(by)
        output, _ = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, output

    def left_over(self) -> list[str]:
        """Processes that do not end."""
        _, alive = psutil.wait_procs(self.family, timeout=PATIENCE)
        return [process.name() for process in alive]
