"""The SQL statements of all threads."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connections
from django.db.backends.signals import connection_created


@contextmanager
def recorded_statements() -> Iterator[list[str]]:
    """Those of this thread's connections, and of those that are opened meanwhile."""
    statements: list[str] = []
    watched: list[Any] = []

    def record(execute: Callable[..., Any], sql: str, *told: Any) -> Any:
        statements.append(sql)
        return execute(sql, *told)

    def watch(connection: Any, **_sender: object) -> None:
        if record not in connection.execute_wrappers:
            connection.execute_wrappers.append(record)
            watched.append(connection)

    for connection in connections.all():
        watch(connection)
    connection_created.connect(watch, weak=False)
    try:
        yield statements
    finally:
        connection_created.disconnect(watch)
        for connection in watched:
            connection.execute_wrappers.remove(record)
