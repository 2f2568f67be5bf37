"""Programs from registries, each of one version, in a folder of the test."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ENOUGH = 300
"""Seconds for an installation or a program, on a busy machine."""
NPM_INSTALL = (
    "--legacy-peer-deps",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--no-package-lock",
)


def run(
    *command: str | Path,
    folder: Path,
    statuses: Sequence[int] = (0,),
    **more: str,
) -> str:
    """What the command writes; `more` is in its environment."""
    environment: Mapping[str, str] = os.environ | {"HOME": str(folder)} | more
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=ENOUGH,
    )
    assert done.returncode in statuses, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def install_from_npm(folder: Path, *packages: str) -> Path:
    """Where their programs are. The tests need Node.js 20 with npm."""
    npm = shutil.which("npm")
    assert npm, "these tests need Node.js 20 and npm (docs/developing.md)"
    # With the settings of this machine's user.
    home = str(Path.home())
    run(
        *(npm, "install", "--silent", "--prefix", folder),
        *(*NPM_INSTALL, *packages),
        folder=folder,
        HOME=home,
    )
    return folder / "node_modules" / ".bin"


def install_from_pypi(folder: Path, *packages: str) -> Path:
    """Where the programs of a new environment are."""
    folder.mkdir(exist_ok=True)
    run(sys.executable, "-m", "venv", folder, folder=folder)
    python = folder / "bin" / "python"
    quiet = ("--quiet", "--disable-pip-version-check", "--no-input")
    home = str(Path.home())
    run(python, "-m", "pip", "install", *quiet, *packages, folder=folder, HOME=home)
    return folder / "bin"
