"""Moments, as a model and a program are told them."""

from datetime import datetime


def told_moment(moment: datetime) -> str:
    """Like "2026-11-28T00:30+13:00, Saturday, Pacific/Auckland", in the moment's own zone."""
    return f"{moment.isoformat(timespec='minutes')}, {moment:%A}, {moment.tzinfo}"


def json_time(moment: datetime) -> str:
    """Like "2026-11-28T00:30:00.958870Z", as pydantic writes it."""
    return moment.isoformat().replace("+00:00", "Z")
