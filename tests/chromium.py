"""The browser of the browser tests: one that is there, or Debian's package."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")


def executable() -> str | None:
    """The path of an installed Chromium or Chrome."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    return found or (str(MAC) if MAC.exists() else None)


def install() -> None:
    """Install Debian's package, where that is possible."""
    if os.getuid() == 0 and shutil.which("apt-get"):
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for arguments in (["update"], ["install", "-y", "chromium"]):
            subprocess.run(["apt-get", "-qq", *arguments], env=quiet, check=False)


def main() -> int:
    if executable() is None:
        install()
    if executable() is None:
        print(  # noqa: T201 -- for the terminal
            "The browser tests need Chromium or Chrome, and there is none: install one "
            "(Debian: apt install chromium).",
            file=sys.stderr,
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
