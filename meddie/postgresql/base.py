"""Django's PostgreSQL backend, whose errors name no values.

PostgreSQL adds rows, keys and parts of the statement to its messages ("DETAIL: Failing
row contains (…)"). Errors end in tracebacks of many loggers.
"""

from types import TracebackType

import psycopg
from django.db.backends.postgresql import base
from django.db.utils import DatabaseErrorWrapper
from django.utils.functional import cached_property


class DatabaseWrapper(base.DatabaseWrapper):
    @cached_property
    def wrap_database_errors(self) -> "PrimaryMessages":
        return PrimaryMessages(self)


class PrimaryMessages(DatabaseErrorWrapper):
    """Reduces errors of the server to their first line; `diag` keeps all of it."""

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if isinstance(exc_value, psycopg.Error) and exc_value.diag.message_primary:
            exc_value.args = (exc_value.diag.message_primary,)
        super().__exit__(exc_type, exc_value, traceback)
