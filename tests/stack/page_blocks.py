"""Blocks of code in docs/, run as they are written."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.stack.processes import environment

ROOT = Path(__file__).parent.parent.parent
INSTALL = ("--legacy-peer-deps", "--ignore-scripts", "--no-audit", "--no-package-lock")
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


def install_for_node(folder: Path, *packages: str) -> None:
    """Packages in a folder. Only where no Node.js is may the test be skipped."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if not (npm and node) and not os.environ.get("CI"):
        pytest.skip("clients for Node.js need node and npm")
    assert npm, "CI has no npm"
    subprocess.run(
        [npm, "install", "--silent", "--prefix", folder, *INSTALL, *packages],
        check=True,
    )
