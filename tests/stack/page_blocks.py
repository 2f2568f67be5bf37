"""Blocks of code in docs/, run as they are written."""

import re
import subprocess
import sys
from pathlib import Path

from tests.stack.processes import environment

ROOT = Path(__file__).parent.parent.parent
PROGRAMS = {
    "sh": ["bash", "-e", "-c"],
    "python": [sys.executable, "-c"],
    "ts": ["node", "--input-type=module", "-e"],  # the blocks need no types
}


def blocks(name: str) -> list[tuple[str, str]]:
    """Language and code of each block of a page."""
    page = (ROOT / "docs" / name).read_text()
    return re.findall(r"^```(\w+)\n(.*?)^```", page, re.MULTILINE | re.DOTALL)


def run(kind: str, code: str, folder: Path = ROOT, **more: str) -> str:
    done = subprocess.run(
        [*PROGRAMS[kind], code],
        env=environment(**more),
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{code}\n{done.stderr or done.stdout}"
    return done.stdout
