"""The official client of OpenAI against a running server."""

import asyncio
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress

import openai
import pytest
from asgiref.sync import async_to_sync
from django.db import transaction

from conversations.models import Message, Thread
from tests.conversations.api.openai.client import HI, api_for, said
from tests.factories import MembershipFactory, MemoryFactory
from tests.openai_answers import Answer, says
from tests.stack.web import WebProcess
from tests.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.django_db(transaction=True)

TOOLS = [
    {
        "type": "function",
        "function": {"name": "weather", "parameters": {"type": "object"}},
    }
]
CALL = {
    "index": 0,
    "id": "call_1",
    "type": "function",
    "function": {"name": "weather", "arguments": '{"city": "Gdynia"}'},
}
QUESTION = "Is the user allergic to penicillin?"


@pytest.fixture
def secret(transactional_db, openai_server):
    openai_server.titles.default = lambda _body: says("Hello")
    openai_server.chat.default = lambda _body: says("Hello", pieces=("Hel", "lo"))
    member = MembershipFactory()
    content = "User is allergic to penicillin"
    MemoryFactory(user=member.user, space=member.space, content=content)
    return api_for(member).secret


@pytest.fixture
def server(secret):
    with WebProcess() as web:
        yield f"{web.url}/v1"


@pytest.fixture
def client(server, secret):
    with openai.OpenAI(base_url=server, api_key=secret, max_retries=0) as client:
        yield client


@pytest.mark.req("S1-09", "S1-18", "S1-53", "S1-55")
def test_official_client_speaks_to_meddie(client):
    whole = client.chat.completions.create(
        model="meddie", messages=[said(QUESTION)], stream=False
    )
    assert whole.choices[0].message.content == "Hello"
    assert whole.usage.total_tokens > 0
    [memory] = whole.model_extra["memories"]
    assert memory["text"] == "User is allergic to penicillin"
    stream = client.chat.completions.create(
        model="meddie",
        messages=[said(QUESTION)],
        stream=True,
        stream_options={"include_usage": True},
        extra_body={"save_memories": False},
    )
    events = list(stream)
    texts = [c.delta.content or "" for e in events for c in e.choices]
    assert "".join(texts) == "Hello"
    assert events[-1].usage.total_tokens > 0
    assert [model.id for model in client.models.list()] == ["meddie", "test-chat"]


def test_official_client_calls_tools_and_sends_pictures(client, openai_server):
    openai_server.chat.queue(Answer(pieces=(), deltas=({"tool_calls": [CALL]},)))
    picture = {"url": "data:image/png;base64,AAAA"}
    parts = [
        {"type": "text", "text": "How warm is it there?"},
        {"type": "image_url", "image_url": picture},
    ]
    with client.chat.completions.stream(
        model="m", messages=[said(parts)], tools=TOOLS
    ) as stream:
        message = stream.get_final_completion().choices[0].message
    assert message.tool_calls[0].function.arguments == CALL["function"]["arguments"]
    [request] = openai_server.chat.requests
    assert request.body["messages"][-1] == said(parts)
    assert request.body["tools"] == TOOLS


def test_official_client_reads_errors(client, server):
    with pytest.raises(openai.BadRequestError, match="role"):
        client.chat.completions.create(model="m", messages=[{"content": "Hi"}])
    stranger = openai.OpenAI(base_url=server, api_key="sk-meddie-x", max_retries=0)
    with stranger, pytest.raises(openai.AuthenticationError, match="key"):
        stranger.models.list()


def test_official_asynchronous_client_reads_many_streams_at_once(
    server, secret, openai_server
):
    async def talk():
        async with openai.AsyncOpenAI(base_url=server, api_key=secret) as client:
            whole = await client.chat.completions.create(model="m", messages=HI)
            assert whole.choices[0].message.content == "Hello"
            return await asyncio.gather(*(read(client, n) for n in range(30)))

    async def read(client, number):
        stream = await client.chat.completions.create(
            model="m", messages=[said(f"Question {number}")], stream=True
        )
        return "".join([e.choices[0].delta.content or "" async for e in stream])

    assert async_to_sync(talk)() == ["Hello"] * 30
    done = Message.objects.filter(role="assistant", status="done")
    wait_until(lambda: done.count() == 31)


def test_client_that_leaves_cancels_the_call_and_keeps_what_was_said(
    client, openai_server
):
    openai_server.chat.queue(says("Hello", pieces=("Hel", "lo"), hold=1))
    stream = client.chat.completions.create(model="m", messages=HI, stream=True)
    for event in stream:
        if event.choices[0].delta.content:
            break
    stream.close()
    assert openai_server.hung_up.wait(60)
    wait_until(lambda: Message.objects.filter(status="stopped").exists())
    reply = Message.objects.get(role="assistant")
    assert (reply.content, reply.status) == ("Hel", "stopped")


@pytest.mark.req("S1-09")
def test_answers_of_a_killed_process_are_interrupted_with_what_had_come(
    secret, openai_server
):
    openai_server.chat.default = lambda _body: says(
        "Hello", pieces=("Hel", "lo"), hold=1
    )

    def read(number):
        with (
            suppress(openai.APIConnectionError),
            openai.OpenAI(base_url=f"{web.url}/v1", api_key=secret) as client,
        ):
            for _event in client.chat.completions.create(
                model="m",
                messages=[said(f"Question {number}")],
                stream=True,
                extra_headers={"X-OpenWebUI-Chat-Id": f"chat {number}"},
            ):
                begun.add(number)

    begun, replies = set(), Message.objects.filter(role="assistant")
    with WebProcess() as web, ThreadPoolExecutor(10) as pool:
        reading = [pool.submit(read, number) for number in range(10)]
        wait_until(lambda: replies.filter(content="Hel").count() == 10)
        assert len(begun) == 10
        web.process.kill()
        for one in reading:
            one.exception()
    assert Message.objects.filter(role="user").count() == 10
    ended = replies.values_list("status", "error", "content")
    assert list(ended) == [("interrupted", "interrupted", "Hel")] * 10


def ask(client, text, chat):
    """The first event of a stream, and the rest."""
    stream = client.chat.completions.create(
        model="m",
        messages=[said(text)],
        stream=True,
        extra_headers={"X-OpenWebUI-Chat-Id": chat},
    )
    return next(stream), stream


@pytest.mark.req("S1-09")
def test_process_that_is_stopped_stores_replies_that_have_ended(secret, openai_server):
    openai_server.chat.queue(says("Hello", pieces=("Hel", "lo"), hold=1))
    reply = Message.objects.filter(role="assistant")
    with (
        WebProcess() as web,
        openai.OpenAI(base_url=f"{web.url}/v1", api_key=secret) as client,
        ThreadPoolExecutor(1) as pool,
    ):
        _first, rest = ask(client, "Hi", "chat")
        with transaction.atomic():
            Thread.objects.select_for_update().get()
            openai_server.released.set()
            told = pool.submit(list, rest)
            wait([told], timeout=1)
            assert not told.done()  # its end waits for the row
            assert reply.get().status == "interrupted"
            web.process.terminate()
        web.process.wait(PATIENCE)
    assert (reply.get().status, reply.get().content) == ("done", "Hello")


@pytest.mark.req("S1-09")
def test_answer_that_is_asked_for_again_is_replaced(client, openai_server):
    openai_server.chat.queue(says("Hello", pieces=("Hel", "lo"), hold=1))
    _first, rest = ask(client, "Hi", "other chat")
    with ThreadPoolExecutor(2) as pool, transaction.atomic():
        Thread.objects.select_for_update().get()
        openai_server.released.set()
        pool.submit(list, rest)
        told = pool.submit(lambda: list(ask(client, "Hello", "chat")[1]))
        wait([told], timeout=1)
        assert not told.done()  # the end of the other chat comes first
    assert told.result()
    assert list(ask(client, "Hello", "chat")[1])
    replies = Message.objects.filter(answers__content="Hello").in_order()
    statuses = replies.values_list("status", flat=True)
    wait_until(lambda: list(statuses.all()) == ["superseded", "done"])


def test_client_that_does_not_wait_for_a_whole_answer_cancels_the_call(
    server, secret, openai_server
):
    openai_server.titles.default = lambda _body: Answer(then="stall")
    # Long enough that the provider has been asked, also on a busy machine.
    hasty = openai.OpenAI(base_url=server, api_key=secret, timeout=15, max_retries=0)
    with hasty, pytest.raises(openai.APITimeoutError):
        hasty.chat.completions.create(model="m", messages=HI)
    assert openai_server.hung_up.wait(60)
    wait_until(lambda: Message.objects.filter(status="stopped").exists())
