"""How staff see a row that has no name: by its kind and its time."""

from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst


def dated_name(kind: Any, at: datetime) -> str:
    """Such as "Conversation, 22 November 2026, 14:05"."""
    time = date_format(timezone.localtime(at), "DATETIME_FORMAT")
    return f"{capfirst(str(kind))}, {time}"
