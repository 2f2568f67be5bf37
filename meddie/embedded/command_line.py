"""Django's command line, with the bundled servers there when a command needs them."""

import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext

from django.conf import settings
from django.core.management import execute_from_command_line
from django.db import connections
from django.db.backends.postgresql.base import DatabaseWrapper
from environs import EnvError

from meddie.embedded import servers
from meddie.embedded.locations import locations
from meddie.embedded.refusal import Refusal

WITHOUT_DATABASE = frozenset(
    {
        *("check", "collectstatic", "compilemessages", "diffsettings", "findstatic"),
        *("help", "makemessages", "makemigrations", "sendtestemail", "startapp"),
        *("translations", "version"),
    }
)
DUMMY = "django.db.backends.dummy"


def run(arguments: Sequence[str]) -> int:
    """Run a command; what is wrong with the surroundings is one sentence."""
    try:
        with _surroundings(arguments[1:]):
            try:
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
    """The servers that nothing is configured for."""
    wanted = {
        servers.POSTGRES: settings.BUNDLED_DATABASE,
        servers.REDIS: settings.BUNDLED_BROKER,
    }
    return frozenset(name for name, is_bundled in wanted.items() if is_bundled)


def close_database() -> None:
    """Close this process's connections and the threads of their pool."""
    connections.close_all()
    for wrapper in connections.all(initialized_only=True):
        if isinstance(wrapper, DatabaseWrapper):
            wrapper.close_pool()


def _surroundings(arguments: Sequence[str]) -> AbstractContextManager[None]:
    if needs_database(arguments):
        return servers.available(locations(), bundled())
    if arguments and arguments[0] == "makemigrations":
        # It compares models with files; asking a database too is migrate's business.
        settings.DATABASES["default"]["ENGINE"] = DUMMY
    return nullcontext()


def needs_database(arguments: Sequence[str]) -> bool:
    """Whether the command reads or writes rows."""
    if not arguments or {"-h", "--help", "--version"} & set(arguments):
        return False
    return arguments[0] not in WITHOUT_DATABASE or "--database" in arguments
