"""Checks before the first start, and the installation: `python meddie/embedded/installation.py`.

It needs nothing but Python, also an old one, which it refuses in one sentence.
"""

from __future__ import annotations

import os
import pwd
import re
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

OLDEST_PYTHON = (3, 11)
PROJECT = Path(__file__).resolve().parent.parent.parent
PACKAGES = (["requirements.txt"], ["--require-hashes", "requirements-embedder.txt"])
PIP = ["-m", "pip", "--disable-pip-version-check", "--no-input"]
DOWNLOADED = re.compile(
    r"\s*(?:Downloading|Using cached) ([\w.]+)-\d\S*(?<!metadata) \((.+)\)"
)


class Unready(Exception):
    """Shown as one sentence."""


def check() -> None:
    """Raises Unready."""
    _check_python()
    _check_port()
    if not _setting("DATABASE_URL"):
        _check_user()
        _check_folder()


def install() -> None:
    """Install the runtime packages into this environment. Raises Unready."""
    _check_python()
    _check_network()
    for options in PACKAGES:
        _install(options)
    print("Preparing the translations ...", flush=True)  # noqa: T201
    subprocess.run(
        [sys.executable, "manage.py", "translations", "--compile"],
        cwd=PROJECT,
        check=True,
    )


def _check_python() -> None:
    version = tuple(sys.version_info[:2])
    if version >= OLDEST_PYTHON:
        return
    found = "{}.{}".format(*version)
    if Path(sys.prefix) == PROJECT / ".venv":
        raise Unready(
            f"The environment .venv has Python {found}, and Meddie needs 3.11 or newer:"
            " run `rm -rf .venv` and start again."
        )
    raise Unready(
        f"Meddie needs Python 3.11 or newer, and {sys.executable} is {found}."
    )


def _setting(name: str) -> str:
    """A value of the environment, else of the file .env."""
    file = PROJECT / ".env"
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    line = re.search(rf"^(?:export )?{name}=['\"]?([^'\"\n]*)", text, re.MULTILINE)
    return os.environ.get(name) or (line[1].strip() if line else "")


def _check_port() -> None:
    """Other values than numbers are refused later."""
    named = _setting("PORT") or "8000"
    if not named.isdecimal() or not 0 < int(named) < 65536:
        return
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", int(named)))
        except OSError as error:
            raise Unready(
                f"Port {named} cannot be used ({error.strerror}); choose another:"
                f" PORT={int(named) % 60000 + 123} make run"
            ) from error


def _check_user() -> None:
    try:
        pwd.getpwuid(os.getuid())
    except KeyError as error:
        raise Unready(
            f"The user with the number {os.getuid()} has no name (no entry in"
            " /etc/passwd), which PostgreSQL needs: start Meddie as another user, or"
            " name a database with DATABASE_URL."
        ) from error


def _check_folder() -> None:
    """PostgreSQL does not run as root, and its user has to enter the data folder."""
    named = _setting("MEDDIE_DATA")
    data = Path(named).resolve() if named else PROJECT / ".data"
    if os.getuid() != 0 or not (named or data.exists()) or _namespaces_work():
        return
    parents = [folder for folder in (data, *data.parents) if folder.exists()]
    closed = [folder for folder in parents if not folder.stat().st_mode & 0o001]
    if closed:
        raise Unready(
            f"PostgreSQL does not run as root, and no other user can enter {closed[-1]}:"
            " run `MEDDIE_DATA=/var/lib/meddie make run`."
        )


def _namespaces_work() -> bool:
    command = ["unshare", "--user", "--map-user=1000", "true"]
    try:
        return not subprocess.run(command, capture_output=True, check=False).returncode  # noqa: S603
    except OSError:
        return False


def _check_network() -> None:
    """Fetch the smallest package. pip may be told of another index or of a folder."""
    first = (PROJECT / PACKAGES[0][-1]).read_text(encoding="utf-8").split()[0]
    with tempfile.TemporaryDirectory() as folder:
        options = ["download", "--quiet", "--no-deps", "--timeout", "10"]
        command = [sys.executable, *PIP, "--retries", "1", *options, "-d", folder]
        found = subprocess.run([*command, first], capture_output=True, check=False)  # noqa: S603
    if found.returncode:
        raise Unready(
            "Packages cannot be fetched: is there a network? pip reads the address of a"
            " proxy from HTTPS_PROXY, and that of an index from PIP_INDEX_URL."
        )


def _install(options: list[str]) -> None:
    """Show each package with its size: on a terminal in one line that changes."""
    file = options[-1]
    total = len(re.findall(r"^\w", (PROJECT / file).read_text(encoding="utf-8"), re.M))
    print(f"Installing the {total} packages of {file} ...", flush=True)  # noqa: T201
    command = [sys.executable, *PIP, "install", "--no-deps", "--progress-bar=off"]
    process = subprocess.Popen(  # noqa: S603
        [*command, *options[:-1], "-r", file],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    count, said = 0, ""
    for line in process.stdout or ():
        said = line if line.startswith("ERROR") else said
        count += line.startswith("Collecting")
        found = DOWNLOADED.match(line)
        if found:
            _show(f"{count} of {total}: {found[1]} ({found[2]})")
        elif line.startswith("Installing"):
            _show("Unpacking ...")
    _show("")
    if process.wait():
        raise Unready(f"pip could not install {file}. {said.strip()}")


def _show(text: str) -> None:
    if sys.stdout.isatty():
        print(f"\r\033[K{text}", end="", flush=True)  # noqa: T201
    elif text:
        print(f"  {text}", flush=True)  # noqa: T201


def main(arguments: list[str]) -> int:
    try:
        if "check" in arguments:
            check()
        else:
            install()
    except KeyboardInterrupt:
        print("\nStopped.")  # noqa: T201
        return 130
    except Unready as unready:
        print(unready, file=sys.stderr)  # noqa: T201
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
