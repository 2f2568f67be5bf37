"""What the kernel keeps from a parser: the network, and all files but libraries and its own."""

import ctypes
import os
import struct
import sys
from collections.abc import Iterable
from pathlib import Path

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # Landlock, Linux 5.13
PATH_BENEATH = 1
MAY_ALL = (1 << 13) - 1  # that the first version of Landlock knows of
MAY_READ = 1 | 4 | 8  # execute, read files, list folders
PR_SET_NO_NEW_PRIVS = 38
CLONE_NEWNET, CLONE_NEWUSER = 0x40000000, 0x10000000


def confine(writable: Path, readable: Iterable[Path]) -> None:
    """Confine this process where the kernel allows it; docs/security.md says what else."""
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None)
    libc.unshare(CLONE_NEWNET | (CLONE_NEWUSER if os.getuid() else 0))
    handled = ctypes.create_string_buffer(struct.pack("=Q", MAY_ALL), 8)
    rules = libc.syscall(CREATE_RULESET, handled, 8, 0)
    if rules < 0:
        return
    allowed = [(writable, MAY_ALL), *((folder, MAY_READ) for folder in readable)]
    for folder, rights in allowed:
        try:
            opened = os.open(folder, os.O_PATH | os.O_DIRECTORY)
        except OSError:
            continue  # not here, or not ours to read
        rule = ctypes.create_string_buffer(struct.pack("=Qi", rights, opened), 12)
        libc.syscall(ADD_RULE, rules, PATH_BENEATH, rule, 0)
        os.close(opened)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    libc.syscall(RESTRICT_SELF, rules, 0)
    os.close(rules)
