"""Requests that wait, each kind in a queue of its own."""

import asyncio
from weakref import WeakKeyDictionary

import pytest

from meddie.http import overload
from tests.meddie.http.test_body_limits import Reader, answer, connect, send
from tests.waiting import PATIENCE


class Busy(Reader):
    """Answers the first request when it is told to, and others at once."""

    def __init__(self):
        super().__init__()
        self.may_answer, self.started, self.begun = asyncio.Event(), asyncio.Event(), []

    async def __call__(self, scope, receive, send):
        if (await receive())["type"] == "http.disconnect":
            return
        self.begun.append(scope["path"])
        self.started.set()
        if len(self.begun) == 1:
            if "leaving" in scope["path"]:
                scope[overload.LEAVE]()
            await self.may_answer.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "more_body": True})
        await receive()


@pytest.fixture
def busy(settings, monkeypatch):
    settings.MAX_BODY_MB = 1
    monkeypatch.setattr(overload, "_queues", WeakKeyDictionary())
    monkeypatch.setattr(overload, "AT_ONCE", 1)
    monkeypatch.setattr(overload, "LONGEST_WAIT", 0.2)
    return Busy


async def opened(application, path):
    connection = connect(application, path)
    await send(connection, 1)
    return connection


async def begun(application, path):
    """A request that is being worked on."""
    connection = await opened(application, path)
    async with asyncio.timeout(PATIENCE):
        await application.started.wait()
    return connection


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/chat", "Meddie has too much to do. Try again in a while.\n"),
        ("/v1/models", '{"error": {"message": "Meddie has too much to do.'),
    ],
)
async def test_request_that_waits_too_long_is_503_and_told_when_to_return(
    busy, path, body
):
    application = busy()
    _kept = await begun(application, path)  # else it ends
    late = await opened(application, path)
    start = await late.receive_output(PATIENCE)
    said = (await late.receive_output(PATIENCE))["body"].decode()
    assert start["status"] == 503
    assert dict(start["headers"])[b"retry-after"] == b"5"
    assert said.startswith(body)


@pytest.mark.parametrize("paths", [("/chat", "/v1/models"), ("/v1/models", "/chat")])
async def test_neither_api_nor_pages_wait_for_the_other(busy, paths):
    application = busy()
    _kept = await begun(application, paths[0])
    assert await answer(await opened(application, paths[1])) == (200, "")


async def test_place_is_free_when_a_response_begins_or_its_view_leaves(busy):
    application = busy()
    _kept = await begun(application, "/v1/leaving")
    for _ in range(3):  # their streams go on
        assert await answer(await opened(application, "/v1/models")) == (200, "")


async def test_slow_body_takes_no_place(busy):
    application = busy()
    slow = connect(application, "/chat")
    await send(slow, 1, more=True)
    application.begun.append("/slow")
    assert await answer(await opened(application, "/chat")) == (200, "")
