"""Who may do what in the bundled database.

Meddie connects as `meddie`, which owns its database and has a password. The superuser
`postgres` cannot sign in.
"""

import hashlib
from collections.abc import Callable
from contextlib import closing
from typing import Any

import psycopg
from psycopg import sql

from meddie.embedded.locations import Locations
from meddie.embedded.upgradable import require_upgradable, too_old

Connect = Callable[[str, str], psycopg.Connection[Any]]  # role and database
RIGHTS = "NOSUPERUSER CREATEDB"  # restores go into a second database


def access_rules(where: Locations) -> str:
    """The text of pg_hba.conf. Other rights or another password make another text."""
    made = f"{RIGHTS} {where.database_password()}"
    digest = hashlib.sha256(made.encode()).hexdigest()
    return f"# for the rights and the password {digest}\nlocal all all scram-sha-256\n"


def make_roles(where: Locations, connect: Connect, *, durable: bool) -> None:
    """Make or mend roles and database; `connect` needs no password.

    Tests, which are not durable, need a superuser. Raises Refusal first.
    """
    try:
        server = connect("postgres", "postgres")
    except psycopg.OperationalError as error:  # there is no such role
        raise too_old(f"The data in {where.data}") from error
    with closing(server):
        known = server.execute("SELECT FROM pg_database WHERE datname = 'meddie'")
        if known.rowcount:
            _require_upgradable(where, connect)
        if not server.execute("SELECT FROM pg_roles WHERE rolname = 'meddie'").rowcount:
            server.execute("CREATE ROLE meddie LOGIN")
        rights = sql.SQL(RIGHTS if durable else "SUPERUSER")
        password = sql.Literal(where.database_password())
        server.execute(
            sql.SQL("ALTER ROLE meddie {} PASSWORD {}").format(rights, password)
        )
        if not known.rowcount:
            server.execute("CREATE DATABASE meddie OWNER meddie")
    with closing(connect("postgres", "meddie")) as database:
        database.execute("CREATE EXTENSION IF NOT EXISTS vector")


def _require_upgradable(where: Locations, connect: Connect) -> None:
    with closing(connect("postgres", "meddie")) as database:
        found = database.execute("SELECT to_regclass('public.django_migrations')")
        if found.fetchall() != [(None,)]:
            rows = database.execute("SELECT app, name FROM public.django_migrations")
            require_upgradable(set(rows.fetchall()), f"The data in {where.data}")
