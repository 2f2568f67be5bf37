"""Django's PostgreSQL backend, whose errors name no values.

PostgreSQL adds rows, keys and parts of the statement to its messages ("DETAIL: Failing
row contains (…)"), and quotes values that it cannot read. Errors end in tracebacks of
many loggers.
"""

import re
from types import TracebackType

import psycopg
from django.db.backends.postgresql import base
from django.db.utils import DatabaseErrorWrapper
from django.utils.functional import cached_property

# Data exceptions, exceeded limits and syntax errors, of tsquery, too; others quote names
QUOTE_VALUES = ("22", "54", "42601")
QUOTED_NAME = re.compile(r'".*"', re.DOTALL)


class DatabaseWrapper(base.DatabaseWrapper):
    @cached_property
    def wrap_database_errors(self) -> "PrimaryMessages":
        return PrimaryMessages(self)


class PrimaryMessages(DatabaseErrorWrapper):
    """Reduces errors of the server to their message; `diag` keeps all of it."""

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if isinstance(exc_value, psycopg.Error) and exc_value.diag.message_primary:
            message = exc_value.diag.message_primary
            if (exc_value.sqlstate or "").startswith(QUOTE_VALUES):
                message = QUOTED_NAME.sub('"…"', message)
            exc_value.args = (message,)
        super().__exit__(exc_type, exc_value, traceback)
