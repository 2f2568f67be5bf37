"""The number of streams that a key has open at once."""

import asyncio

import httpx2
import pytest

from conversations.api.openai import calls, open_streams
from meddie.asgi import application
from meddie.threads import run_coroutine
from tests.conversations.api.memories.conftest import ann, bob, member
from tests.conversations.api.openai.client import COMPLETIONS, said
from tests.openai_answers import says
from tests.waiting import PATIENCE

__all__ = ["ann", "bob", "member"]

pytestmark = pytest.mark.django_db(transaction=True)
QUESTION = {"model": "m", "stream": True, "messages": [said("Hi there")]}


@pytest.fixture
def slow(openai_server):
    openai_server.chat.default = lambda _body: says("Hello", pieces=("Hel", "lo"))


async def ask(*apis):
    """The statuses of streams that all begin before the first one ends."""
    transport = httpx2.ASGITransport(app=application)
    async with httpx2.AsyncClient(
        transport=transport, base_url="http://127.0.0.1", timeout=PATIENCE
    ) as client:
        sent = [
            client.post(
                COMPLETIONS,
                json=QUESTION,
                headers={"Authorization": f"Bearer {api.secret}"},
            )
            for api in apis
        ]
        answers = await asyncio.gather(*sent)
    await calls.finish_storing()
    return answers


def test_streams_of_a_key_are_counted_and_given_back(ann, bob, slow, monkeypatch):
    monkeypatch.setattr(open_streams, "MOST_STREAMS", 1)
    answers = run_coroutine(ask(ann.api, ann.api, ann.api, bob.api), PATIENCE)
    statuses = [answer.status_code for answer in answers]
    assert statuses[3] == 200
    assert set(statuses[:3]) == {200, 429}
    refused = next(answer for answer in answers if answer.status_code == 429)
    assert refused.json()["error"]["code"] == "too_many_streams"
    assert refused.headers["Retry-After"] == "5"
    for _ in range(3):
        (answer,) = run_coroutine(ask(ann.api), PATIENCE)
        assert answer.status_code == 200
