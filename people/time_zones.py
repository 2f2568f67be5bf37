"""Time zones by one name for each place."""

from functools import cache
from pathlib import Path
from zoneinfo import TZPATH, available_timezones


@cache
def zone_names() -> frozenset[str]:
    """Without aliases, if this machine has the list."""
    rows = [line.split("\t") for line in _lines("zone.tab") if line[0] != "#"]
    known = available_timezones()
    return frozenset({row[2] for row in rows} & known or known) | {"UTC"}


def current_name(name: str) -> str:
    """The listed name of a zone or of its alias; else empty."""
    found = name if name in zone_names() else _links().get(name, "")
    return found if found in zone_names() else ""


@cache
def _links() -> dict[str, str]:
    links = (line.split() for line in _lines("tzdata.zi") if line.startswith("L "))
    return {alias: name for _, name, alias in links}


def _lines(file: str) -> list[str]:
    found = [
        path for path in (Path(folder, file) for folder in TZPATH) if path.is_file()
    ]
    return found[0].read_text().splitlines() if found else []
