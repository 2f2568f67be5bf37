"""Meddie's programs as processes with the database, provider and Redis of the test."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

from django.conf import settings
from django.db import connection

from meddie.embedded import programs
from meddie.embedded.locations import Locations
from tests.waiting import PATIENCE


def environment(**more: str) -> dict[str, str]:
    """The environment of a process that works with the services of the test.

    Its lines are not counted, which would take half as long again: `make run`'s tests
    count those of the same programs.
    """
    database = connection.settings_dict
    host = quote(database["HOST"], safe="")
    who = f"{database['USER']}:{database['PASSWORD']}"
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("COVERAGE_")}
    return inherited | {
        "DATABASE_URL": f"postgres://{who}@{host}/{database['NAME']}",
        "REDIS_URL": settings.REDIS_URL,
        "OPENAI_API_KEY": settings.OPENAI_API_KEY,
        "OPENAI_BASE_URL": settings.OPENAI_BASE_URL,
        "EMBEDDING_BASE_URL": settings.EMBEDDING_BASE_URL,
        **more,
    }


class Program:
    """One of the programs of `make run`, by its name; a context manager."""

    def __init__(
        self, name: str, log: Path | None = None, port: int = 0, **more: str
    ) -> None:
        """`more` is in its environment."""
        self.name, self.more = name, more
        self.folder = tempfile.TemporaryDirectory()  # of the schedule's own file
        where = Locations(Path(self.folder.name))
        self.command = programs.program_commands(where, port)[name]
        self.log = log
        self.process: subprocess.Popen[bytes]

    def __enter__(self) -> "Program":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()
        self.folder.cleanup()

    def start(self) -> None:
        """Start it, also after a kill."""
        with (self.log or Path(os.devnull)).open("ab") as output:
            self.process = subprocess.Popen(
                [sys.executable, *self.command],
                env=environment(**self.more),
                stdout=output if self.log else None,
                stderr=subprocess.STDOUT if self.log else None,
            )

    def kill(self) -> None:
        """SIGKILL."""
        self.process.kill()
        self.process.wait()
