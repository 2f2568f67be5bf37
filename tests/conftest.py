"""Real servers for all tests, started once for the whole run.

xdist's workers find them through the environment, and so does every process that a test
starts; each worker has its own database there.
"""

import asyncio
import atexit
import gc
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import django
import pytest
from asgiref.sync import async_to_sync
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import TransactionTestCase
from django.utils import timezone, translation
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from pytest_django import DjangoDbBlocker

from meddie import threads
from meddie.celery import app
from meddie.embedded.command_line import close_database
from meddie.embedded.locations import Locations
from meddie.embedded.refusal import Refusal
from people import mail
from tests import emptying, servers

pytest_plugins = [
    "tests.database_outage",
    "tests.fixtures_openai",
    "tests.fixtures_telegram",
    "tests.stack.llama",
]

OF_THE_DEVELOPER = (
    "SECRET_KEY",
    "FIELD_KEYS",
    "PUBLIC_URL",
    "ALLOWED_HOSTS",
    "EMAIL_URL",
    "PORT",
)
CLOUD = {"MODEL_SLOTS": "0"}  # what the tests' provider on this machine stands for
EMPTY = ("DATABASE_URL", "REDIS_URL", "OPENAI_API_KEY", "EMBEDDING_API_KEY")
# Of a database that is dropped next: a pool may open one in the background.
END_CONNECTIONS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
)
IS_WORKER = "PYTEST_XDIST_WORKER" in os.environ


def _start_servers() -> None:
    folder = Path(tempfile.mkdtemp(prefix="meddie-tests-"))
    folder.chmod(0o711)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["MEDDIE_DATA"] = str(folder)
    os.environ["ENV_FILE"] = os.devnull
    for name in OF_THE_DEVELOPER:
        os.environ.pop(name, None)
    os.environ.update(dict.fromkeys(EMPTY, "") | CLOUD)
    try:
        atexit.register(servers.start(Locations(folder)))
    except Refusal as refusal:
        pytest.exit(str(refusal), returncode=1)


# Before Django reads its settings, and so at import.
if not IS_WORKER:
    _start_servers()
os.environ["DJANGO_SETTINGS_MODULE"] = "meddie.settings"
django.setup()
app.loader.import_default_modules()
if IS_WORKER:  # its own database in Redis, too, so that no worker gets another's tasks
    number = int(os.environ["PYTEST_XDIST_WORKER"].removeprefix("gw")) + 1
    settings.REDIS_URL = settings.REDIS_URL.replace("db=0", f"db={number}")
    settings.CELERY_BROKER_URL = settings.CELERY_BROKER_URL.replace(
        "virtual_host=0", f"virtual_host={number}"
    )
hypothesis_settings.register_profile(  # a busy machine is slow
    "busy",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
hypothesis_settings.load_profile("busy")
# Many tests sign in, and the real hasher is slow on purpose.
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
TransactionTestCase._fixture_teardown = emptying.empty_tables  # type: ignore[attr-defined] # it is private
if not IS_WORKER:  # pages name their static files by hash
    call_command("collectstatic", verbosity=0, interactive=False)


KINDS = {
    "browser": "browser",
    "stack": "process",
    "meddie/embedded": "process",
    "fuzz": "fuzz",
}
"""The mark of all tests in a folder."""
SECOND_TRY = {"browser", "process"}
"""They share the machine with others, as the tests of a database's outage do."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by their folder. The longest come first, so that all workers end
    together."""
    here = Path(__file__).parent
    for item in items:
        for folder, kind in KINDS.items():
            if here / folder in item.path.parents:
                item.add_marker(kind)
        if SECOND_TRY.intersection(mark.name for mark in item.iter_markers()) or (
            "outage" in getattr(item, "fixturenames", ())
        ):
            item.add_marker(pytest.mark.flaky(reruns=1))
    items.sort(key=lambda item: not any(map(item.get_closest_marker, KINDS.values())))


def pytest_collection_finish() -> None:
    """Exclude permanent objects from garbage collection."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None) -> None:
    """Close a pool that a test without the database has opened: it has another name."""
    close_database()


@pytest.fixture(scope="session")
def django_db_setup(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """End all threads before pytest-django drops the database.

    PostgreSQL drops no database with open connections, and threads outlive their test.
    """
    yield
    for executor in (threads._database, threads._work, threads._ends, mail._sender):
        executor.shutdown(cancel_futures=True)
    gc.collect()  # connections of threads that ended without closing theirs
    with django_db_blocker.unblock():
        close_database()
        with connection._nodb_cursor() as cursor:
            cursor.execute(END_CONNECTIONS, [connection.settings_dict["NAME"]])


def _wait_for_mail() -> None:
    mail._sender.submit(int).result()


@pytest.fixture(autouse=True)
def wait_for_mail() -> Iterator[Callable[[], None]]:
    """Call it before reading the outbox. No mail of a test arrives in the next."""
    yield _wait_for_mail
    _wait_for_mail()


@pytest.fixture(autouse=True)
def _no_language() -> Iterator[None]:
    """Reset the language and time zone that a request leaves in the thread."""
    yield
    translation.deactivate()
    timezone.deactivate()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run coroutine tests in the test's own thread: pytest-asyncio with the database
    fixtures leaks rows between tests."""
    if not asyncio.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = pyfuncitem._fixtureinfo.argnames
    async_to_sync(pyfuncitem.obj)(**{name: pyfuncitem.funcargs[name] for name in names})
    return True
