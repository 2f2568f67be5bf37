"""Log records without tracebacks."""

import logging


class WithoutTraceback(logging.Filter):
    """One line for an error that a client causes."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.exc_info = None
        return True
