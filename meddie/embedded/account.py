"""Who runs PostgreSQL. It refuses to be root, so root needs somebody else for it."""

import os
import pwd
from dataclasses import dataclass
from pathlib import Path

from meddie.embedded.refusal import Refusal

NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Account:
    """A user other than ourselves."""

    name: str
    uid: int
    gid: int

    def cannot_pass(self, folder: Path) -> Path | None:
        """The first folder on the way that keeps this user out, if there is one."""
        for step in [*reversed(folder.parents), folder]:
            found = step.stat()
            passes = (
                found.st_mode & 0o001
                or (found.st_uid == self.uid and found.st_mode & 0o100)
                or (found.st_gid == self.gid and found.st_mode & 0o010)
            )
            if not passes:
                return step
        return None


def account_for(cluster: Path) -> Account | None:
    """Who runs the cluster: for root its owner, or nobody; else None, ourselves."""
    if os.getuid() != 0:
        return None
    owner = cluster.stat().st_uid if cluster.exists() else 0
    try:
        entry = pwd.getpwuid(owner) if owner else pwd.getpwnam(NOBODY)
    except KeyError as error:
        raise Refusal(
            "PostgreSQL does not run as root, and there is no user to run it as: "
            f"{cluster} belongs to {owner or NOBODY}, who does not exist here."
        ) from error
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)
