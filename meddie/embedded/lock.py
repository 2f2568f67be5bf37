"""Locks on the data folder: one owner of the servers, many commands.

The servers inherit the lock. A free lock means that none runs (decision 36).
"""

import fcntl
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from meddie.embedded.locations import Locations
from meddie.embedded.refusal import Refusal

DYING = 20.0  # seconds for the servers of a killed run to end


class InUse(Refusal):
    """Another process owns the servers."""


@contextmanager
def exclusive_lock(where: Locations) -> Iterator[int]:
    """Own the data folder; yields the descriptor that children inherit."""
    descriptor = _open(where.make_data() / "lock")
    try:
        _take(descriptor, where)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()} {_name()}".encode(), 0)
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def shared_lock(where: Locations) -> Iterator[bool]:
    """Use another process's servers; yields False while they are being ended."""
    descriptor = _open(where.make_data() / "guests")
    try:
        yield _try(descriptor, fcntl.LOCK_SH)
    finally:
        os.close(descriptor)


@contextmanager
def no_guests(where: Locations) -> Iterator[None]:
    """Wait until all commands have ended, and let no new one in."""
    descriptor = _open(where.make_data() / "guests")
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def check_mine(where: Locations) -> None:
    descriptor = _open(where.make_data() / "lock")
    try:
        owner, name = _owner(descriptor)
        if owner != os.getpid() and not _try(descriptor, fcntl.LOCK_SH):
            raise _in_use(where, owner, name)
    finally:
        os.close(descriptor)


def _take(descriptor: int, where: Locations) -> None:
    deadline = time.monotonic() + DYING
    while not _try(descriptor, fcntl.LOCK_EX):
        owner, name = _owner(descriptor)
        if owner and _alive(owner):
            raise _in_use(where, owner, name)
        if time.monotonic() > deadline:
            raise InUse(
                f"A server of an earlier run still uses {where.data}; "
                f"`fuser {where.data}/lock` names it."
            )
        time.sleep(0.05)


def _owner(descriptor: int) -> tuple[int, str]:
    """The process id and name; 0 if there is none yet."""
    number, _, name = os.pread(descriptor, 200, 0).decode().partition(" ")
    return int(number or 0), name


def _in_use(where: Locations, owner: int, name: str) -> InUse:
    return InUse(
        f"{where.data} is in use by another Meddie ({name}, process {owner}); "
        "end that one first."
    )


def _open(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise Refusal(f"{path} cannot be opened ({error.strerror}).") from error


def _try(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _name() -> str:
    return " ".join([Path(sys.argv[0]).name, *sys.argv[1:2]])
