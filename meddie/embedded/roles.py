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

Connect = Callable[[str, str], psycopg.Connection[Any]]  # role and database

OWNED = """
SELECT format('ALTER %s %s OWNER TO meddie', kind, name) FROM (
    SELECT 'TABLE', oid::regclass::text, oid FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
    UNION ALL
    SELECT 'ROUTINE', oid::regprocedure::text, oid FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace
    UNION ALL
    SELECT 'STATISTICS', format('public.%I', stxname), oid FROM pg_statistic_ext
    WHERE stxnamespace = 'public'::regnamespace
) AS mine (kind, name, oid)
WHERE NOT EXISTS (
    SELECT FROM pg_depend WHERE objid = mine.oid AND deptype = 'e'
)
"""


def access_rules(where: Locations) -> str:
    """The text of pg_hba.conf. Another password makes another text."""
    digest = hashlib.sha256(where.database_password().encode()).hexdigest()
    return f"# for the password {digest}\nlocal all all scram-sha-256\n"


def make_roles(where: Locations, connect: Connect, *, durable: bool) -> None:
    """Make or mend roles and database; `connect` needs no password.

    Until November 2026 `meddie` was the superuser. Tests, which are not durable, need one.
    """
    try:
        connect("postgres", "postgres").close()
    except psycopg.OperationalError:
        _rename_superuser(connect)
    with closing(connect("postgres", "postgres")) as server:
        if not server.execute("SELECT FROM pg_roles WHERE rolname = 'meddie'").rowcount:
            server.execute("CREATE ROLE meddie LOGIN")
        rights = sql.SQL("NOSUPERUSER" if durable else "SUPERUSER")
        password = sql.Literal(where.database_password())
        server.execute(
            sql.SQL("ALTER ROLE meddie {} PASSWORD {}").format(rights, password)
        )
        known = server.execute("SELECT FROM pg_database WHERE datname = 'meddie'")
        verb = (
            "ALTER DATABASE meddie OWNER TO"
            if known.rowcount
            else "CREATE DATABASE meddie OWNER"
        )
        server.execute(f"{verb} meddie")
    with closing(connect("postgres", "meddie")) as database:
        database.execute("CREATE EXTENSION IF NOT EXISTS vector")
        database.execute("ALTER SCHEMA public OWNER TO pg_database_owner")
        for (statement,) in database.execute(OWNED).fetchall():
            database.execute(statement)


def _rename_superuser(connect: Connect) -> None:
    """By another one, because no session renames its own role."""
    with closing(connect("meddie", "postgres")) as server:
        server.execute("DROP ROLE IF EXISTS mover")
        server.execute("CREATE ROLE mover LOGIN SUPERUSER")
    with closing(connect("mover", "postgres")) as server:
        server.execute("ALTER ROLE meddie RENAME TO postgres")
    with closing(connect("postgres", "postgres")) as server:
        server.execute("DROP ROLE mover")
