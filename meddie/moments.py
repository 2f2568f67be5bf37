"""Moments, as a model is told them."""

from datetime import datetime


def told_moment(moment: datetime) -> str:
    """Like "2026-11-28T00:30+13:00, Saturday, Pacific/Auckland", in the moment's own zone."""
    return f"{moment.isoformat(timespec='minutes')}, {moment:%A}, {moment.tzinfo}"
