"""The table of docs/security.md that names the bundled servers.

`python -m tests.bundled_servers` warns about old ones (`make pins`).
"""

import re
import sys
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

PAGE = Path(__file__).parent.parent / "docs" / "security.md"
ROW = re.compile(
    r"^\| (?P<server>\S+) (?P<version>\d[\d.]*) \| `(?P<package>\S+)==(?P<pinned>\S+)`"
    r" \| (?P<built>\d{4}-\d{2}-\d{2}) \|$",
    re.MULTILINE,
)
OLD = timedelta(days=548)  # eighteen months


class Bundled(NamedTuple):
    server: str
    version: str
    package: str
    pinned: str
    built: str


def bundled() -> list[Bundled]:
    return [Bundled(*row) for row in ROW.findall(PAGE.read_text())]


def warnings(today: date) -> list[str]:
    return [
        f"Warning: the bundled {row.server} {row.version} was built on {row.built}, more"
        f" than eighteen months ago; is {row.package} kept up?"
        for row in bundled()
        if today - date.fromisoformat(row.built) > OLD
    ]


if __name__ == "__main__":
    sys.stdout.writelines(f"{text}\n" for text in warnings(date.today()))  # noqa: DTZ011
