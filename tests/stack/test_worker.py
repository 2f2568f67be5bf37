"""A real worker: what it prints, and a Redis that is killed while its tasks run."""

import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from celery import Celery
from django.utils import timezone
from pytest_django.fixtures import Settings

from meddie.embedded import servers
from meddie.embedded.locations import Locations
from meddie.embedded.lock import exclusive_lock
from meddie.embedded.processes import Child
from meddie.jobs.registry import sweep
from memory import service
from memory.models import CaptureJob, Memory, MemoryPolicy
from memory.operators.journals import folder_of
from memory.operators.snapshots import write_changes
from memory.values import Provenance
from people.scope import scope_for
from tests.factories import MembershipFactory
from tests.meddie.embedded.stack import data_folder
from tests.openai_answers import says
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


@pytest.mark.req("S1-43")
def test_worker_prints_what_it_decided(openai_server: Any, tmp_path: Path) -> None:
    fact = {"text": "User plays chess", "evidence": "I play chess"}
    answer = json.dumps({"facts": [fact], "profile_facts": []})
    openai_server.titles.default = lambda _body: says(answer)
    member: Any = MembershipFactory()
    MemoryPolicy.objects.create(space=member.space, background_capture="always")
    scope = scope_for(member.user, member.space_id, channel="api")
    told = Provenance(Memory.Origin.BACKGROUND, timezone.now(), message_id=uuid.uuid4())
    service.capture_later(scope, "I play chess", told)
    log = tmp_path / "log"
    with Program("worker", log):

        def done() -> bool:
            sweep()
            return not CaptureJob.objects.unfinished().exists()

        wait_until(done, log.read_text)
    events = [json.loads(x) for x in log.read_text().splitlines() if x.startswith("{")]
    (decision,) = [one for one in events if one["event"] == "memory_decision"]
    assert decision["user_id"] == str(member.user_id)
    assert decision["decisions"] == {"add/new": 1}
    assert "chess" not in log.read_text()


@pytest.mark.req("S3-11")
def test_worker_that_starts_writes_each_lost_snapshot(tmp_path: Path) -> None:
    members: list[Any] = [MembershipFactory() for _ in range(2)]
    for member in members:
        scope = scope_for(member.user, member.space_id, channel="api")
        now = timezone.now()
        service.journal(scope, uuid.uuid4(), now, "Ann", "Tomatoes grow", ingested=True)
    write_changes()
    files = [folder_of(member.space_id) / "MEMORY.md" for member in members]
    for file in files:
        file.unlink()
    log = tmp_path / "log"
    with Program("worker", log):
        wait_until(lambda: all(file.exists() for file in files), log.read_text)
    assert all("Tomatoes grow" in file.read_text() for file in files)
