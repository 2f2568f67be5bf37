"""Lost connections to PostgreSQL and Redis, which are no failure of the work (decision 13)."""

import errno

import redis
from django.db import (
    InterfaceError,
    OperationalError,
    close_old_connections,
    connection,
)

PAUSE = 0.5  # seconds until a lost service is tried again
LIMIT = 60.0  # seconds; a statement that crashes PostgreSQL is not repeated for ever
# SQLSTATEs of PostgreSQL: lost connections, a full disk, too many connections, its start
# and its end. Others of class 53 can come of one greedy statement.
AWAY = ("08", "53100", "53300", "57P")


def is_outage(error: BaseException | None) -> bool:
    """Whether a service was lost. A deadlock or a statement's time-out is no outage."""
    if isinstance(error, redis.ConnectionError | redis.TimeoutError):
        return True
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    sqlstate = getattr(error.__cause__, "sqlstate", None)
    return sqlstate is None or sqlstate.startswith(AWAY)


def is_disk_full(error: BaseException | None) -> bool:
    """Whether a file, or a row of PostgreSQL, found no room."""
    if isinstance(error, OperationalError):
        return getattr(error.__cause__, "sqlstate", None) == "53100"
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


def replace_connections() -> None:
    """Replace lost connections of this thread and of the pool; each would fail once."""
    close_old_connections()
    pool = getattr(connection, "pool", None)
    if pool is not None and not pool.closed:
        pool.check()
