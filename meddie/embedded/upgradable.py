"""Which databases this version can bring up to date, by the names of their migrations.

It needs no Django: a data folder is looked at before anything is loaded.
"""

from meddie.embedded.locations import PROJECT
from meddie.embedded.refusal import Refusal

Names = set[tuple[str, str]]  # of an app and its migration

BEFORE_0_2_0 = ("memory", "0002_memories")  # until the migrations were squashed


def known_migrations() -> Names:
    """Those of Meddie's own apps."""
    files = PROJECT.glob("*/migrations/[0-9]*.py")
    return {(file.parent.parent.name, file.stem) for file in files}


def require_upgradable(applied: Names, what: str) -> None:
    """Refuse a database of an older or a newer Meddie. `what` begins the sentence."""
    if BEFORE_0_2_0 in applied:
        raise too_old(what)
    known = known_migrations()
    apps = {app for app, _name in known}
    unknown = sorted(name for name in applied - known if name[0] in apps)
    if unknown:
        raise Refusal(
            f"{what} is of a newer Meddie, whose migration {'.'.join(unknown[-1])} this"
            " version does not have: use the newer version."
        )


def require_meddie(applied: Names, what: str) -> None:
    """Refuse also what is not of Meddie."""
    if {app for app, _name in known_migrations()} - {app for app, _name in applied}:
        raise Refusal(f"{what} is no back-up of Meddie.")
    require_upgradable(applied, what)


def too_old(what: str) -> Refusal:
    return Refusal(
        f"{what} is of a Meddie before 0.2.0, which cannot be upgraded: export its facts"
        " there with `manage.py export_facts`, and import them here."
    )
