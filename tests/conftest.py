"""What every test stands on: real servers, started once for the whole run."""

import asyncio
import atexit
import os
import tempfile
from contextlib import ExitStack
from pathlib import Path

# The servers start before Django reads its settings, so this stands at import time.
if "PYTEST_XDIST_WORKER" not in os.environ or "MEDDIE_TEST_SERVERS" not in os.environ:
    from meddie.embedded.locations import Locations
    from meddie.embedded.servers import running

    _folder = tempfile.mkdtemp(prefix="meddie-tests-")
    Path(_folder).chmod(0o711)
    os.environ["MEDDIE_DATA"] = _folder
    _stack = ExitStack()
    _where = _stack.enter_context(running(Locations(Path(_folder))))
    atexit.register(_stack.close)
    os.environ["DATABASE_URL"] = _where.database_url
    os.environ["REDIS_URL"] = _where.redis_url
    os.environ["MEDDIE_TEST_SERVERS"] = "1"
    os.environ["OPENAI_API_KEY"] = ""

import pytest
from asgiref.sync import async_to_sync


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run coroutine tests in the test's own thread: pytest-asyncio with the database
    fixtures leaks rows between tests."""
    if not asyncio.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = pyfuncitem._fixtureinfo.argnames
    async_to_sync(pyfuncitem.obj)(**{name: pyfuncitem.funcargs[name] for name in names})
    return True
