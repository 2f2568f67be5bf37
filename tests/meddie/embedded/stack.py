"""`make run`'s supervisor as a process of its own, as a newcomer starts it."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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
    command: list[str] = field(default_factory=SUPERVISOR.copy)
    environment: dict[str, str] = field(default_factory=dict)

    def start(self) -> "Stack":
        """Start it and wait for the line that ends the start."""
        self.log = self.data.with_suffix(".log")
        with self.log.open("w") as output:
            self.process = subprocess.Popen(
                self.command,
                cwd=PROJECT,
                env={
                    **os.environ,
                    **self.environment,
                    "MEDDIE_DATA": str(self.data),
                    "PORT": str(self.port),
                },
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        wait_until(lambda: "\nOpen http" in self.output() or self.process.poll())
        self.family = psutil.Process(self.process.pid).children(recursive=True)
        return self

    def output(self) -> str:
        return self.log.read_text()

    def lines(self) -> list[str]:
        """Lines of the supervisor, without those of its programs."""
        return [line for line in self.output().splitlines() if " | " not in line]

    def child(self, part: str) -> psutil.Process | None:
        """The running child with this name or this argument."""
        for child in psutil.Process(self.process.pid).children():
            with suppress(psutil.Error):
                if part in (child.name(), *child.cmdline()):
                    return child
        return None

    def get(self, path: str) -> httpx2.Response:
        return httpx2.get(f"http://127.0.0.1:{self.port}{path}", timeout=PATIENCE)

    def wait_until_ready(self) -> dict[str, str]:
        """What /readyz says when all is ready."""
        answers: dict[str, str] = {}

        def ready() -> bool:
            with suppress(httpx2.TransportError):  # the web process starts
                response = self.get("/readyz")
                answers.update(response.json())
                return response.is_success
            return False

        wait_until(ready, lambda: answers)
        return answers

    def end(self, by: signal.Signals) -> int:
        """Send the signal; the exit code."""
        self.family = psutil.Process(self.process.pid).children(recursive=True)
        self.process.send_signal(by)
        return self.process.wait(PATIENCE)

    @contextmanager
    def signed_in(self) -> Iterator[httpx2.Client]:
        """A browser in which the new demo account is signed in."""
        [line] = [line for line in self.lines() if line.startswith("Sign in: ")]
        email, password = line.removeprefix("Sign in: ").split(" / ")
        url = f"http://127.0.0.1:{self.port}"
        headers = {"Origin": url}
        with httpx2.Client(base_url=url, headers=headers, timeout=PATIENCE) as client:
            client.get("/sign-in")
            client.post(
                "/sign-in",
                data={"username": email, "password": password},
                headers={"X-CSRFToken": client.cookies["csrftoken"]},
            )
            yield client

    def left_over(self) -> list[str]:
        """Processes that do not end."""
        _, alive = psutil.wait_procs(self.family, timeout=PATIENCE)
        return [process.name() for process in alive]
