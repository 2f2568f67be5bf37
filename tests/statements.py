"""The SQL statements of all threads, with BEGIN and COMMIT."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connections
from django.db.backends.signals import connection_created

TOLD = logging.getLogger("django.db.backends")


@contextmanager
def recorded_statements() -> Iterator[list[str]]:
    """Those of this thread's connections, and of those that are opened meanwhile."""
    recorder = _Recorder()
    watched: list[Any] = []
    level, propagate = TOLD.level, TOLD.propagate

    def watch(connection: Any, **_sender: object) -> None:
        connection.force_debug_cursor = True
        watched.append(connection)

    for connection in connections.all():
        watch(connection)
    connection_created.connect(watch, weak=False)
    TOLD.addHandler(recorder)
    TOLD.setLevel(logging.DEBUG)
    TOLD.propagate = False
    try:
        yield recorder.statements
    finally:
        TOLD.removeHandler(recorder)
        TOLD.setLevel(level)
        TOLD.propagate = propagate
        connection_created.disconnect(watch)
        for connection in watched:
            connection.force_debug_cursor = False


class _Recorder(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.statements: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.statements.append(vars(record)["sql"] or "")
