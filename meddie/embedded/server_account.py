"""The user that runs PostgreSQL, which refuses to run as root."""

import os
import pwd
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from meddie.embedded.refusal import Refusal

NOBODY = "nobody"  # runs initdb, which wants a name
UID = 58431  # of no account, so that no other service has it
# 65534 has a name on most systems.
USER_NAMESPACE = ("unshare", "--user", "--map-user=65534", "--map-group=65534", "--")


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


OWN = Account(f"user {UID}", UID, UID)
# Root with another user id: it owns root's files and has no rights over others.
ROOT_IN_NAMESPACE = Account("root", 0, 0, USER_NAMESPACE)


def account_for(cluster: Path, *used: Path) -> Account | None:
    """None is the current user. A new cluster belongs to UID or the namespace."""
    if os.getuid() != 0:
        return None
    if not cluster.exists():
        return unprivileged(*used) or OWN
    owner = cluster.stat()
    if owner.st_uid:
        return Account(f"user {owner.st_uid}", owner.st_uid, owner.st_gid)
    if namespaces_work():
        return ROOT_IN_NAMESPACE
    raise Refusal(
        f"{cluster} was made in a user namespace, which is not allowed here now: allow"
        " `unshare --user`, or name another data folder with MEDDIE_DATA."
    )


def unprivileged(*folders: Path) -> Account | None:
    if OWN.passes(*folders):
        return OWN
    if ROOT_IN_NAMESPACE.passes(*folders) and namespaces_work():
        return ROOT_IN_NAMESPACE
    return None


def maker_account() -> Account:
    try:
        entry = pwd.getpwnam(NOBODY)
    except KeyError as error:
        raise Refusal(
            "PostgreSQL does not run as root, and the user that makes its folder does"
            f" not exist here: {NOBODY}."
        ) from error
    return Account(NOBODY, entry.pw_uid, entry.pw_gid)


def give(folder: Path, account: Account) -> None:
    """Make the account the owner of a folder and all that is in it."""
    for place, _folders, names in os.walk(folder):
        for path in (place, *(os.path.join(place, name) for name in names)):  # noqa: PTH118 -- thousands
            os.chown(path, account.uid, account.gid, follow_symlinks=False)


@cache
def namespaces_work() -> bool:
    try:
        probe = subprocess.run(  # noqa: S603 -- our own words
            [*USER_NAMESPACE, "true"], capture_output=True, check=False
        )
    except OSError:
        return False
    return probe.returncode == 0
