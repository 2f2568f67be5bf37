"""Moments, as a model and a program are told them, and as programs send them."""

from datetime import datetime
from typing import Annotated

from django.utils.translation import gettext as _
from pydantic import AwareDatetime, BeforeValidator


def _written(moment: object) -> object:
    """Pydantic takes a number for seconds since 1970."""
    if isinstance(moment, str) and moment[:5].rstrip("-").isdigit() and "-" in moment:
        return moment
    if isinstance(moment, datetime):
        return moment
    raise ValueError(_("it must be a time as in 2026-05-31T12:00:00Z"))


Moment = Annotated[AwareDatetime, BeforeValidator(_written)]


def told_moment(moment: datetime) -> str:
    """Like "2026-11-28T00:30+13:00, Saturday, Pacific/Auckland", in the moment's own zone."""
    return f"{moment.isoformat(timespec='minutes')}, {moment:%A}, {moment.tzinfo}"


def json_time(moment: datetime) -> str:
    """Like "2026-11-28T00:30:00.958870Z", as pydantic writes it."""
    return moment.isoformat().replace("+00:00", "Z")
