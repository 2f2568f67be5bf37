"""Child processes that end with their parent (decision 37)."""

import ctypes
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from meddie.embedded.locations import PROJECT
from meddie.embedded.server_account import Account

PR_SET_PDEATHSIG = 1
_prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None


@dataclass(slots=True)
class Child:
    """`start` starts its process, also again; `ending` is the signal that ends it."""

    name: str
    start: Callable[[], subprocess.Popen[bytes]]
    ending: signal.Signals = signal.SIGTERM
    process: subprocess.Popen[bytes] = field(init=False)

    def __post_init__(self) -> None:
        self.process = self.start()

    def ask_to_end(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(self.ending)

    def wait(self, seconds: float) -> bool:
        """Wait, then kill; False if it had to be killed."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return False
        return True


def end_with_parent(asking: signal.Signals, parent: int) -> None:
    """Let the kernel signal this process when its parent dies (Linux)."""
    if _prctl is not None:
        _prctl(PR_SET_PDEATHSIG, asking)
        if os.getppid() != parent:  # it died before the line above
            os.kill(os.getpid(), signal.SIGKILL)


def start_process(
    command: Sequence[str | Path],
    *,
    output: IO[bytes] | int,
    lock: int,
    orphaned: signal.Signals = signal.SIGKILL,
    account: Account | None = None,
    environment: Mapping[str, str] | None = None,
) -> subprocess.Popen[bytes]:
    """Start a child that Ctrl-C does not reach and that inherits the lock.

    Call it in the main thread: the kernel ends the child with its thread.
    """
    if threading.current_thread() is not threading.main_thread():
        raise RuntimeError("Children are started from the main thread.")
    parent = os.getpid()
    return subprocess.Popen(  # noqa: S603 -- our own programs
        [*(account.prefix if account else ()), *(str(part) for part in command)],
        cwd="/" if account else PROJECT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        pass_fds=[lock],
        start_new_session=True,
        umask=-1 if account else 0o077,
        # Safe beside the threads that copy output: it takes no lock.
        preexec_fn=lambda: end_with_parent(orphaned, parent),  # noqa: PLW1509
        user=account.uid if account else None,
        group=account.gid if account else None,
        extra_groups=[] if account else None,  # none of root's
    )
