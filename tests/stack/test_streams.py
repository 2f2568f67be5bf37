"""Many open streams over few connections, and streams across processes."""

import asyncio
import json

import pytest
from asgiref.sync import async_to_sync

from conversations.models import Message
from tests.browser.conftest import session_of
from tests.factories import MembershipFactory
from tests.openai_answers import Answer
from tests.stack.web import WebProcess, say
from tests.waiting import eventually

pytestmark = pytest.mark.django_db(transaction=True)

WORDS = tuple(f"word{n} " for n in range(20))


@pytest.fixture
def session(transactional_db):
    return session_of(MembershipFactory().user)


@pytest.fixture
def held(openai_server):
    """A provider that says ten words, and the rest once it is released."""
    openai_server.chat.default = lambda _body: Answer(
        "".join(WORDS), pieces=WORDS, hold=10
    )
    return openai_server


def has_words(events):
    return any("word9" in json.dumps(data) for _, _, data in events)


async def read_stream(client, path, *, until=None, after=""):
    """The events of a stream as (name, id, data) until its end or `until` says so."""
    events, name, event_id = [], "", ""
    headers = {"Last-Event-ID": after} if after else {}
    async with client.stream("GET", path, headers=headers) as response:
        assert response.status_code == 200
        assert response.headers["Cache-Control"] == "no-store"
        assert response.headers["X-Accel-Buffering"] == "no"
        assert "Content-Encoding" not in response.headers
        async for line in response.aiter_lines():
            key, _, value = line.partition(": ")
            if key == "id":
                event_id = value
            elif key == "event":
                name = value
            elif key == "data":
                events.append((name, event_id, json.loads(value)))
                if name in ("end", "gone") or (until and until(events)):
                    break
    return events


def test_fifty_open_streams_over_a_pool_of_ten_and_the_pages_still_answer(
    session, held
):
    async def talk():
        async with web.client(session) as client:
            first = await say(client, "Hi")
            others = (say(client, f"Hi {n}") for n in range(49))
            paths = [first, *await asyncio.gather(*others)]
            words = (read_stream(client, path, until=has_words) for path in paths)
            await asyncio.gather(*words)
            reading = [asyncio.create_task(read_stream(client, p)) for p in paths]
            pages = await asyncio.gather(
                *(client.get(url) for url in ["/chat", "/people", "/chat/new"] * 4)
            )
            assert {page.status_code for page in pages} <= {200, 302}
            assert not any(task.done() for task in reading)
            held.released.set()
            return await asyncio.gather(*reading)

    with WebProcess() as web:
        streams = async_to_sync(talk)()
    assert [events[-1][0] for events in streams] == ["end"] * 50
    done = Message.objects.filter(role="assistant", status="done")
    assert {m.content for m in done} == {"".join(WORDS).strip()}
    assert done.count() == 50


def test_another_process_reads_and_stops_the_reply(session, held):
    async def talk():
        async with (
            one.client(session) as here,
            two.client(session) as there,
        ):
            path = await say(here, "Hello")
            seen = await read_stream(there, path, until=has_words)
            page = await there.get("/chat/new")
            assert page.status_code == 200
            rest = asyncio.create_task(read_stream(there, path, after=seen[-1][1]))
            stopped = await there.post(
                path.replace("/stream", "/stop"),
                headers={"X-CSRFToken": there.cookies["csrftoken"]},
            )
            assert stopped.status_code == 302
            return seen, await rest

    with WebProcess() as one, WebProcess() as two:
        seen, rest = async_to_sync(talk)()
    assert rest[-1][0] == "end"
    reply = Message.objects.get(role="assistant")
    assert reply.status == "stopped"
    assert reply.content.startswith("word0")
    assert [e[1] for e in seen if e[1] in {r[1] for r in rest[1:]}] == []


def test_two_workers_on_one_port_answer_alike(session, held):
    async def talk():
        async with web.client(session) as client:
            first = await say(client, "Hi")
            others = (say(client, f"Hi {n}") for n in range(9))
            paths = [first, *await asyncio.gather(*others)]
            held.released.set()
            return await asyncio.gather(*(read_stream(client, p) for p in paths))

    with WebProcess(WEB_CONCURRENCY="2") as web:
        streams = async_to_sync(talk)()
    assert [events[-1][0] for events in streams] == ["end"] * 10
    done = Message.objects.filter(role="assistant", status="done")
    assert [m.content for m in done] == ["".join(WORDS).strip()] * 10


def test_a_reply_outlives_its_reader(session, held):
    async def talk():
        async with web.client(session) as client:
            path = await say(client, "Hello")
            await read_stream(client, path, until=has_words)
        held.released.set()
        await eventually(
            Message.objects.filter(status="done", answers__isnull=False).aexists
        )

    with WebProcess() as web:
        async_to_sync(talk)()
    reply = Message.objects.get(role="assistant")
    assert (reply.status, reply.content) == ("done", "".join(WORDS).strip())


def test_a_process_that_ends_keeps_what_there_is(session, held):
    async def talk():
        async with web.client(session) as client:
            path = await say(client, "Hello")
            await read_stream(client, path, until=has_words)

    with WebProcess() as web:
        async_to_sync(talk)()
    reply = Message.objects.get(role="assistant")
    assert reply.status == "interrupted"
    assert reply.content.startswith("word0")
