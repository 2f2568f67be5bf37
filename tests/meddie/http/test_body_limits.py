"""Limits on request bodies, in front of an application that reads them."""

import asyncio
import errno

import pytest
from asgiref.testing import ApplicationCommunicator
from django.urls import reverse

from meddie.http import body_limits
from meddie.http.body_limits import run_limited
from tests.waiting import PATIENCE

KILOBYTE = 1024


class Reader:
    """An application that reads a body, answers, and waits for the end."""

    def __init__(self):
        self.body = b""
        self.events = []

    async def __call__(self, scope, receive, send):
        event = {"more_body": True}
        while event.get("more_body"):
            event = await receive()
            self.events.append(event["type"])
            self.body += event.get("body", b"")
        if event["type"] == "http.disconnect":
            return
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "more_body": True})
        self.events.append((await receive())["type"])


@pytest.fixture
def reader(settings):
    settings.MAX_BODY_MB = 1
    return Reader()


def connect(reader, path="/chat/send", query=b"", **headers):
    async def application(scope, receive, send):
        await run_limited(reader, scope, receive, send)

    pairs = [(k.replace("_", "-").encode(), v.encode()) for k, v in headers.items()]
    scope = {"type": "http", "method": "POST", "path": path, "headers": pairs}
    scope["query_string"] = query
    return ApplicationCommunicator(application, scope)


async def send(connection, size, *, more=False):
    piece = {"type": "http.request", "body": b"x" * size, "more_body": more}
    await connection.send_input(piece)


async def answer(connection):
    start = await connection.receive_output(PATIENCE)
    body = await connection.receive_output(PATIENCE)
    return start["status"], body.get("body", b"").decode()


async def test_body_of_the_maximum_size_is_read(reader):
    connection = connect(reader, content_length=str(1024 * KILOBYTE))
    await send(connection, 512 * KILOBYTE, more=True)
    await send(connection, 512 * KILOBYTE)
    assert await answer(connection) == (200, "")
    assert len(reader.body) == 1024 * KILOBYTE
    await connection.send_input({"type": "http.disconnect"})
    await connection.wait()


async def test_declared_length_is_refused_before_the_application_reads(reader):
    connection = connect(reader, content_length=str(1024 * KILOBYTE + 1))
    assert await answer(connection) == (413, "A request has at most 1 MB.\n")
    assert not reader.events
    await send(connection, 1)
    await connection.wait()


async def test_long_address_is_refused_before_the_application_reads(reader):
    query = b"q=" + b"a+" * (512 * KILOBYTE)
    for path in ("/admin/memory/memory/", "/v1/models"):
        connection = connect(reader, path=path, query=query)
        status, text = await answer(connection)
        assert (status, reader.events) == (414, [])
        assert "The address is too long." in text
        await connection.wait()


async def test_chunked_body_ends_at_the_limit(reader):
    connection = connect(reader)
    for _ in range(1025):
        await send(connection, KILOBYTE, more=True)
    assert (await answer(connection))[0] == 413
    assert len(reader.body) == 1024 * KILOBYTE
    assert reader.events[-1] == "http.disconnect"
    await connection.send_input({"type": "http.disconnect"})
    await connection.wait()


async def test_webhook_has_a_smaller_limit(reader, monkeypatch):
    monkeypatch.setattr(body_limits, "LONGEST_UPDATE", 1024)
    path = reverse("telegram:webhook", args=[1])
    connection = connect(reader, path, content_length="1025")
    assert await answer(connection) == (413, "A request has at most 1 kB.\n")
    await connection.send_input({"type": "http.disconnect"})
    await connection.wait()


async def test_slow_body_ends_however_often_a_piece_arrives(reader, monkeypatch):
    monkeypatch.setattr(body_limits, "ARRIVES_WITHIN", 0.2)
    connection = connect(reader)

    async def drip():
        while True:
            await send(connection, 1, more=True)
            await asyncio.sleep(0.01)

    dripping = asyncio.create_task(drip())
    assert (await answer(connection))[0] == 408
    dripping.cancel()
    assert reader.events[-1] == "http.disconnect"
    await connection.wait()


async def test_open_response_has_no_limit_of_time_and_hears_of_a_disconnect(
    reader, monkeypatch
):
    monkeypatch.setattr(body_limits, "ARRIVES_WITHIN", 0.05)
    connection = connect(reader)
    await send(connection, 1)
    assert (await answer(connection))[0] == 200
    await asyncio.sleep(0.1)
    assert not connection.future.done()
    await connection.send_input({"type": "http.disconnect"})
    await connection.wait()
    assert reader.events == ["http.request", "http.disconnect"]


async def test_refused_client_cannot_send_on_for_ever(reader, monkeypatch):
    monkeypatch.setattr(body_limits, "LINGER", 0.05)
    connection = connect(reader, content_length=str(400 * 1024 * KILOBYTE))
    await send(connection, 1, more=True)
    assert (await answer(connection))[0] == 413
    await connection.wait()


class FullDisk(Reader):
    async def __call__(self, scope, receive, send):
        await receive()
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize(
    ("path", "mark"), [("/chat/files", "disk is full"), ("/v1/x", "{")]
)
async def test_body_without_room_on_the_disk_is_507_with_a_sentence(
    settings, path, mark
):
    settings.MAX_BODY_MB = 1
    connection = connect(FullDisk(), path)
    await send(connection, KILOBYTE, more=True)
    await connection.send_input({"type": "http.disconnect"})
    status, body = await answer(connection)
    assert (status, mark in body) == (507, True)
