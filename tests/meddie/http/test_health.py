"""/healthz and /readyz, with each of the others absent."""

import asyncio
import re
import shutil
import socket
from collections.abc import Iterator

import pytest
import redis
import redis.asyncio
from asgiref.testing import ApplicationCommunicator
from django.db import connection
from django.test import AsyncClient

from meddie.asgi import application
from meddie.celery import Heartbeat, app
from meddie.http import health, overload
from tests.waiting import PATIENCE

NOWHERE = "redis://127.0.0.1:1"


class Timer:
    """The part of a worker that the heartbeat asks for."""

    def __init__(self) -> None:
        self.app = app
        self.cancelled = False
        self.timer = self

    def call_repeatedly(self, seconds: float, call: object) -> "Timer":
        return self

    def cancel(self) -> None:
        self.cancelled = True


@pytest.fixture
def worker(settings, monkeypatch):
    """A worker's heart, beating in this process, and checks that may take long."""
    monkeypatch.setattr(health, "CHECK_SECONDS", PATIENCE)
    settings.REDIS_URL = re.sub(
        r"db=(\d)", lambda found: f"db={int(found[1]) + 8}", settings.REDIS_URL
    )
    heart, parent = Heartbeat(None), Timer()
    heart.start(parent)
    yield heart
    heart.stop(parent)
    assert parent.cancelled


@pytest.fixture
def silent_port() -> Iterator[int]:
    """Takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_alive_waits_for_no_queue_and_no_thread(monkeypatch, method) -> None:
    monkeypatch.setattr(overload, "AT_ONCE", 0)
    monkeypatch.setattr("meddie.asgi.django_application", None)
    scope = {"type": "http", "method": method, "path": "/healthz"}
    connection = ApplicationCommunicator(application, scope)
    assert (await connection.receive_output(PATIENCE))["status"] == 200
    assert (await connection.receive_output(PATIENCE))["body"] == b"ok\n"


async def test_ready_when_all_answer(worker) -> None:
    response = await AsyncClient().get("/readyz")
    assert response.status_code == 200
    assert response.json() == {
        "database": "ok",
        "broker": "ok",
        "worker": "ok",
        "disk": "ok",
    }


async def test_full_memory_of_the_broker_shows(worker, monkeypatch) -> None:
    async def refuse(*_arguments, **_options):
        raise redis.OutOfMemoryError("command not allowed when used memory > maxmemory")

    monkeypatch.setattr(redis.asyncio.Redis, "set", refuse)
    response = await AsyncClient().get("/readyz")
    assert response.status_code == 503
    assert response.json()["broker"] == "refuses to write"


async def test_disk_that_is_almost_full_shows(worker, monkeypatch) -> None:
    usage = shutil.disk_usage("/")
    few = usage._replace(free=health.LEAST_FREE - 1)
    monkeypatch.setattr(shutil, "disk_usage", lambda _place: few)
    response = await AsyncClient().get("/readyz")
    assert response.status_code == 503
    assert response.json()["disk"] == "almost full"


async def test_requests_of_the_same_second_share_one_check(worker, monkeypatch) -> None:
    monkeypatch.setattr(health, "KEPT_SECONDS", 60)
    clients = [AsyncClient() for _ in range(5)]
    answers = await asyncio.gather(*(client.get("/readyz") for client in clients))
    assert {answer.status_code for answer in answers} == {200}
    worker.client.delete(worker.key)
    assert (await AsyncClient().get("/readyz")).status_code == 200
    monkeypatch.setattr(health, "_looks", {})
    assert (await AsyncClient().get("/readyz")).status_code == 503


async def test_a_worker_that_ended_shows_at_once(worker) -> None:
    worker.client.delete(worker.key)
    response = await AsyncClient().get("/readyz")
    assert response.status_code == 503
    assert response.json() == {
        "database": "ok",
        "broker": "ok",
        "worker": "no worker",
        "disk": "ok",
    }


async def test_a_worker_of_some_queues_is_not_one_of_all(worker) -> None:
    worker.queues = "memory,upkeep"
    worker.beat()
    response = await AsyncClient().get("/readyz")
    assert response.status_code == 503
    assert response.json()["worker"] == "no worker for chat"


async def test_an_absent_broker_is_told_from_an_absent_worker(settings) -> None:
    settings.REDIS_URL = NOWHERE
    response = await AsyncClient().get("/readyz")
    assert response.status_code == 503
    assert response.json() == {
        "database": "ok",
        "broker": "does not answer",
        "worker": "does not answer",
        "disk": "ok",
    }


async def test_an_absent_database_shows(worker, monkeypatch) -> None:
    monkeypatch.setitem(connection.settings_dict, "HOST", "/nowhere")
    response = await AsyncClient().get("/readyz")
    assert response.status_code == 503
    assert response.json()["database"] == "does not answer"
    assert response.json()["broker"] == "ok"


@pytest.mark.slow
async def test_server_that_hangs_fails_after_two_seconds(settings, silent_port) -> None:
    settings.REDIS_URL = f"redis://127.0.0.1:{silent_port}"
    response = await AsyncClient().get("/readyz")
    assert response.json()["broker"] == "no answer in time"


def test_a_heart_survives_an_absent_redis(settings) -> None:
    heart, parent = Heartbeat(None), Timer()
    settings.REDIS_URL = NOWHERE
    heart.start(parent)
    heart.stop(parent)
    with pytest.raises(redis.ConnectionError):
        heart.client.get(heart.key)
