"""Files that only the user of the server can read, under any umask."""

import os
from collections.abc import Iterable
from pathlib import Path

FILE_MODE, FOLDER_MODE = 0o600, 0o700
PART_SUFFIX = ".part"


def append_text(path: Path, texts: Iterable[str]) -> int:
    return _write(path, texts, os.O_APPEND)


def replace_text(path: Path, texts: Iterable[str]) -> int:
    """Replace the file as a whole; both return bytes."""
    _make_folder(path.parent)
    part = path.with_name(path.name + PART_SUFFIX)
    size = _write(part, texts, os.O_CREAT | os.O_TRUNC)
    part.replace(path)
    return size


def replace_if_changed(path: Path, text: str) -> None:
    path.with_name(path.name + PART_SUFFIX).unlink(missing_ok=True)
    if not path.exists() or path.read_bytes() != text.encode():
        replace_text(path, [text])


def size_of(path: Path) -> int | None:
    """None without a file."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return None


def remove_file(path: Path) -> None:
    """Also what a killed process left of it."""
    path.unlink(missing_ok=True)
    path.with_name(path.name + PART_SUFFIX).unlink(missing_ok=True)


def _write(path: Path, texts: Iterable[str], how: int) -> int:
    descriptor = os.open(path, os.O_WRONLY | os.O_NOFOLLOW | how, FILE_MODE)
    with os.fdopen(descriptor, "wb") as file:
        os.fchmod(file.fileno(), FILE_MODE)
        return sum(file.write(text.encode()) for text in texts)


def _make_folder(folder: Path) -> None:
    for each in (folder.parent, folder):
        if not each.exists():
            each.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
            each.chmod(FOLDER_MODE)
