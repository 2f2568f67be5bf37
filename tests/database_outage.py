"""The test's database goes away, as when PostgreSQL is killed, and comes back.

Other tests share the server, so only this database refuses connections meanwhile.
"""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest
from django.db import connection

from tests.waiting import PATIENCE


class Outage:
    """Ends every connection and refuses new ones, from any thread."""

    def __init__(self) -> None:
        self.server = connection.settings_dict
        self.timer: threading.Timer | None = None

    def open_connections(self, count: int) -> None:
        """In the pool of this process, as after some traffic."""
        all_open = threading.Barrier(count)

        def query() -> None:
            connection.ensure_connection()
            all_open.wait(PATIENCE)
            connection.close()

        with ThreadPoolExecutor(count) as threads:
            for opened in [threads.submit(query) for _ in range(count)]:
                opened.result()

    def begin(self, seconds: float | None = None) -> None:
        """Without `seconds` it lasts until `end`."""
        self._allow_connections(False)
        for _ in range(5):
            self._execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                " WHERE datname = %s",
                [self.server["NAME"]],
            )
            time.sleep(0.1)  # one that was just being opened is not listed at once
        if seconds is not None:
            self.timer = threading.Timer(seconds, self._allow_connections, [True])
            self.timer.start()

    def end(self) -> None:
        """Wait for the end; the test's own connections are new ones."""
        if self.timer is not None:
            self.timer.join()
        self._allow_connections(True)
        connection.close()
        connection.pool.check()  # type: ignore[attr-defined] # psycopg's

    def _allow_connections(self, allowed: bool) -> None:
        name = connection.ops.quote_name(self.server["NAME"])
        self._execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS {allowed}")

    def _execute(self, statement: str, values: Any = None) -> None:
        with psycopg.connect(
            host=self.server["HOST"],
            user=self.server["USER"],
            password=self.server["PASSWORD"],
            dbname="postgres",
            autocommit=True,
        ) as other:
            other.execute(statement, values)


@pytest.fixture
def outage(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Outage]:
    """An outage for the test to begin; it has ended after the test."""
    pool = connection.pool  # type: ignore[attr-defined] # psycopg's
    monkeypatch.setattr(pool, "timeout", 2)
    outage = Outage()
    yield outage
    outage.end()
