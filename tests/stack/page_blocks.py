"""Blocks of code in docs/, run as they are written."""

import re
import subprocess
import sys
from pathlib import Path

from tests.stack.processes import environment

ROOT = Path(__file__).parent.parent.parent


def blocks(name: str) -> list[tuple[str, str]]:
    """Language and code of each block of a page."""
    page = (ROOT / "docs" / name).read_text()
    return re.findall(r"^```(\w+)\n(.*?)^```", page, re.MULTILINE | re.DOTALL)


def run(kind: str, code: str, folder: Path = ROOT, **more: str) -> str:
    command = ["bash", "-e", "-c"] if kind == "sh" else [sys.executable, "-c"]
    done = subprocess.run(
        [*command, code],
        env=environment(**more),
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{code}\n{done.stderr or done.stdout}"
    return done.stdout
