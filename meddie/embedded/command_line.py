"""Django's command line. It starts the bundled servers for commands that need them."""

import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext

import django
from django.conf import settings
from django.core.management import call_command, execute_from_command_line
from django.db import connection, connections
from django.db.backends.postgresql.base import DatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from environs import EnvError

from meddie.embedded import preflight, servers
from meddie.embedded.locations import locations
from meddie.embedded.refusal import Refusal
from meddie.embedded.upgradable import require_upgradable

WITHOUT_DATABASE = frozenset(
    {
        *("check", "collectstatic", "compilemessages", "diffsettings", "findstatic"),
        *("help", "makemessages", "makemigrations", "sendtestemail", "startapp"),
        *("translations", "version"),
    }
)
WITHOUT_TABLES = frozenset(
    {
        *("backup", "check", "dbshell", "inspectdb", "makemigrations", "migrate"),
        *("restore", "showmigrations", "sqlmigrate"),
    }
)
DUMMY = "django.db.backends.dummy"


def run_command(arguments: Sequence[str]) -> int:
    """Run a command and return its exit code."""
    try:
        with _servers_for(arguments[1:]):
            try:
                if needs_tables(arguments[1:]):
                    ensure_tables()
                execute_from_command_line(list(arguments))
            finally:
                close_database()
    except EnvError as error:
        print(f"The configuration is wrong: {error}", file=sys.stderr)  # noqa: T201
        return 1
    except Refusal as refusal:
        print(refusal, file=sys.stderr)  # noqa: T201 -- for the terminal
        return 1
    return 0


def bundled() -> frozenset[str]:
    wanted = {
        servers.POSTGRES: settings.BUNDLED_DATABASE,
        servers.REDIS: settings.BUNDLED_BROKER,
    }
    return frozenset(name for name, is_bundled in wanted.items() if is_bundled)


def ensure_tables() -> None:
    """Migrate a bundled database; refuse another one with unapplied migrations."""
    django.setup()
    if not settings.BUNDLED_DATABASE:
        preflight.require_database()
    executor = MigrationExecutor(connection)
    if settings.BUNDLED_DATABASE:
        require_upgradable(set(executor.loader.applied_migrations), "The database")
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return
    if not settings.BUNDLED_DATABASE:
        raise Refusal("The database is not up to date. Run manage.py migrate.")
    call_command("migrate", verbosity=0, interactive=False)


def close_database() -> None:
    """Close this process's connections and the threads of their pool."""
    connections.close_all()
    for wrapper in connections.all(initialized_only=True):
        if isinstance(wrapper, DatabaseWrapper):
            wrapper.close_pool()


def _servers_for(arguments: Sequence[str]) -> AbstractContextManager[None]:
    if needs_database(arguments):
        return servers.available(locations(), bundled())
    if arguments and arguments[0] == "makemigrations":
        # It compares models with files and needs no database.
        settings.DATABASES["default"]["ENGINE"] = DUMMY
    return nullcontext()


def needs_database(arguments: Sequence[str]) -> bool:
    if not arguments or {"-h", "--help", "--version"} & set(arguments):
        return False
    return arguments[0] not in WITHOUT_DATABASE or "--database" in arguments


def needs_tables(arguments: Sequence[str]) -> bool:
    return needs_database(arguments) and arguments[0] not in WITHOUT_TABLES
