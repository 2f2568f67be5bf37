"""Errors of PostgreSQL and Redis that are no failure of the work (decision 13)."""

import errno

import redis
from django.core.exceptions import ObjectDoesNotExist
from django.db import (
    DatabaseError,
    IntegrityError,
    InterfaceError,
    OperationalError,
    close_old_connections,
    connection,
)

RETRY_PAUSE = 0.5  # seconds until a lost service is tried again
LIMIT = 60.0  # seconds; a statement that crashes PostgreSQL is not repeated for ever
# SQLSTATEs of PostgreSQL: lost connections, a full disk, too many connections, its start
# and its end. Others of class 53 can come of one greedy statement.
AWAY_CODES = ("08", "53100", "53300", "57P")


def is_outage(error: BaseException | None) -> bool:
    """Whether a service was lost. A deadlock or a statement's time-out is no outage."""
    if isinstance(error, redis.ConnectionError | redis.TimeoutError):
        return True
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    sqlstate = _sqlstate(error)
    return sqlstate is None or sqlstate.startswith(AWAY_CODES)


def is_disk_full(error: BaseException | None) -> bool:
    """Whether a file, or a row of PostgreSQL, found no room."""
    if isinstance(error, OperationalError):
        return _sqlstate(error) == "53100"
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


def is_deadlock(error: BaseException | None) -> bool:
    """Whether PostgreSQL rolled the transaction back, which can be repeated."""
    return _sqlstate(error) == "40P01"


def refers_to_deleted(error: BaseException | None) -> bool:
    """Whether a user, a space or another row was deleted while work began for it.

    It is not found, cannot be referred to, or its update changes no row.
    """
    if isinstance(error, IntegrityError):
        return _sqlstate(error) == "23503"
    changed_nothing = type(error) is DatabaseError and error.__cause__ is None
    return changed_nothing or isinstance(error, ObjectDoesNotExist)


def _sqlstate(error: BaseException | None) -> str | None:
    return getattr(getattr(error, "__cause__", None), "sqlstate", None)


def replace_connections() -> None:
    """Replace lost connections of this thread and of the pool; each would fail once."""
    close_old_connections()
    pool = getattr(connection, "pool", None)
    if pool is not None and not pool.closed:
        pool.check()
