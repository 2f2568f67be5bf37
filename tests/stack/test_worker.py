"""A real worker, whose Redis is killed again and again while its tasks run."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from celery import Celery
from pytest_django.fixtures import Settings

from meddie.embedded import servers
from meddie.embedded.locations import Locations
from meddie.embedded.lock import exclusive_lock
from meddie.embedded.processes import Child
from tests.meddie.embedded.stack import data_folder
from tests.stack.processes import Program
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

KILLS = 4
TASKS = 3  # at the same time


@pytest.fixture
def where(settings: Settings) -> Iterator[Locations]:
    with data_folder() as data:
        settings.REDIS_URL = Locations(data).redis_url
        yield Locations(data)


@pytest.fixture
def own_redis(where: Locations) -> Iterator[Child]:
    with exclusive_lock(where) as lock:
        child = servers.start_redis(where, lock)
        servers.wait_for_redis(where, child)
        yield child
        _kill(child)
        where.remove_runtime()


def _kill(child: Child) -> None:
    child.process.kill()
    child.process.wait()


def test_worker_outlives_each_redis(
    where: Locations, own_redis: Child, tmp_path: Path
) -> None:
    url = where.redis_url.replace("unix://", "redis+socket://")
    tasks = Celery(broker=url.replace("?db=", "?virtual_host="))
    log = tmp_path / "log"
    worker = Program("worker", log)
    worker.command += ["--include", "tests.stack.waiting_task"]

    def wait_for(end: str, number: int) -> None:
        wait_until(
            lambda: (
                len(list(tmp_path.glob(end))) == number
                or worker.process.poll() is not None
            )
        )
        assert worker.process.poll() is None, log.read_text()

    with worker:
        for kill in range(1, KILLS + 1):
            for task in range(TASKS):
                names = (str(tmp_path), f"{kill}-{task}")
                tasks.send_task("tests.wait", names, queue="upkeep")
            wait_for("*.begun", kill * TASKS)
            _kill(own_redis)
            own_redis.process = own_redis.start()
            servers.wait_for_redis(where, own_redis)
            (tmp_path / "go").touch()
            wait_for("*.done", kill * TASKS)
            (tmp_path / "go").unlink()
        tasks.send_task("tests.wait", (str(tmp_path), "last"), queue="upkeep")
        (tmp_path / "go").touch()
        wait_for("last.done", 1)
