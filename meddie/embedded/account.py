"""The user that runs PostgreSQL, which refuses to run as root."""

import os
import pwd
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from meddie.embedded.refusal import Refusal

NOBODY = "nobody"
USER_NAMESPACE = ("unshare", "--user", "--map-user=1000", "--map-group=1000", "--")


@dataclass(frozen=True, slots=True)
class Account:
    """A user, and the prefix of commands run as this user."""

    name: str
    uid: int
    gid: int
    prefix: tuple[str, ...] = ()

    def cannot_pass(self, folder: Path) -> Path | None:
        """The first folder that this user cannot enter."""
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

    def passes(self, *folders: Path) -> bool:
        return all(self.cannot_pass(folder) is None for folder in folders)


# Root with another user id: it owns root's files and has no rights over others.
ROOT_IN_NAMESPACE = Account("root", 0, 0, USER_NAMESPACE)


def account_for(cluster: Path, *used: Path) -> Account | None:
    """None is the current user. A new cluster belongs to `nobody` or the namespace."""
    if os.getuid() != 0:
        return None
    if not cluster.exists():
        return unprivileged(*used) or _account_of(NOBODY)
    owner = cluster.stat().st_uid
    if owner:
        return _account_of(owner)
    if namespaces_work():
        return ROOT_IN_NAMESPACE
    raise Refusal(
        f"{cluster} was made in a user namespace, which is not allowed here now: allow"
        " `unshare --user`, or name another data folder with MEDDIE_DATA."
    )


def unprivileged(*folders: Path) -> Account | None:
    with suppress(Refusal):
        nobody = _account_of(NOBODY)
        if nobody.passes(*folders):
            return nobody
    if ROOT_IN_NAMESPACE.passes(*folders) and namespaces_work():
        return ROOT_IN_NAMESPACE
    return None


@cache
def namespaces_work() -> bool:
    try:
        probe = subprocess.run(  # noqa: S603 -- our own words
            [*USER_NAMESPACE, "true"], capture_output=True, check=False
        )
    except OSError:
        return False
    return probe.returncode == 0


def _account_of(user: int | str) -> Account:
    try:
        entry = pwd.getpwuid(user) if isinstance(user, int) else pwd.getpwnam(user)
    except KeyError as error:
        raise Refusal(
            "PostgreSQL does not run as root, and the user to run it as does not exist"
            f" here: {user}."
        ) from error
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)
