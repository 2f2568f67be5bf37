"""Log lines without what they must not tell."""

import logging
import re

# Paths of invitations, password resets, changes of address and links to sheets, also as a
# `next` in a query.
SLASH = r"(?:/|%(?:25)*2F)+"
SECRET_PATH = re.compile(
    rf'({SLASH}(?:invitation|shared-sheet|password{SLASH}reset|account{SLASH}email){SLASH})[^"\n]*',
    re.IGNORECASE,
)


JSON_LOGGER = "memory.decisions"  # its lines are JSON alone


class RedactingFormatter(logging.Formatter):
    """Cuts the rest of the line, or of the quotation, after such a path."""

    def format(self, record: logging.LogRecord) -> str:
        if record.name == JSON_LOGGER:
            return record.getMessage()
        return SECRET_PATH.sub(r"\1…", super().format(record))


class WithoutTraceback(logging.Filter):
    """One line for an error that a client causes."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.exc_info = None
        return True
