"""From one chat to another: message, capture, recall."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections

from memory.models import CaptureJob, Memory, MemoryPolicy
from tests.conversations.api.openai.client import content, facts_of
from tests.conversations.turns import ask, write
from tests.memory.embedders import WordEmbedder
from tests.memory.jobs import run_due
from tests.openai_answers import says
from tests.waiting import PATIENCE

pytestmark = pytest.mark.django_db(transaction=True)

FACT = "User's sister lives in Gdynia"
EXTRACTED = {
    "facts": [
        {"text": FACT, "kind": "other", "confidence": 1}
        | {"evidence": "My sister lives in Gdynia."}
    ],
    "profile_facts": [],
}


def extract_or_talk(body):
    extracts = "memory_extraction" in json.dumps(body)
    return says(json.dumps(EXTRACTED) if extracts else "Hello")


def in_a_worker():
    """Run the jobs that are due on a connection of the thread's own."""
    try:
        return run_due(WordEmbedder())
    finally:
        connections.close_all()


@pytest.mark.req("S1-53")
def test_fact_of_one_chat_is_in_the_prompt_of_another(api, openai_server):
    openai_server.titles.default = extract_or_talk
    assert api.ask("My sister lives in Gdynia.", chat="c1")["memories"] == []
    run_due(WordEmbedder())
    memory = Memory.objects.get()
    assert CaptureJob.objects.get(kind="extract").state == "done"
    [listed] = facts_of(api.ask("Who lives in Gdynia?", chat="c2"))
    assert (listed["id"], listed["text"]) == (str(memory.pk), FACT)
    prompt = openai_server.titles.requests[-1].body["messages"][0]["content"]
    assert FACT in prompt


def test_two_equal_calls_at_once_teach_one_fact(api, openai_server):
    both_asked = threading.Barrier(2)

    def answer(body):
        if "memory_extraction" not in json.dumps(body):
            both_asked.wait(PATIENCE)
        return extract_or_talk(body)

    openai_server.titles.default = answer
    with ThreadPoolExecutor(2) as clients:
        calls = [
            clients.submit(api.ask, "My sister lives in Gdynia.", chat="c1")
            for _ in range(2)
        ]
        assert [content(call.result()) for call in calls] == ["Hello", "Hello"]
        workers = [clients.submit(in_a_worker) for _ in range(2)]
        assert sum(worker.result() for worker in workers) == 1
    assert Memory.objects.get().content == FACT


@pytest.mark.parametrize("channel", ["api", "web"])
def test_slow_extraction_delays_no_reply(api, member, openai_server, channel):
    MemoryPolicy.objects.create(space=member.space, background_capture="always")
    waits, ends = threading.Event(), threading.Event()

    def answer(body):
        if "memory_extraction" in json.dumps(body):
            waits.set()
            assert ends.wait(PATIENCE)
        return extract_or_talk(body)

    def reply(text):
        if channel == "api":
            return content(api.ask(text, chat=text.split()[0]))
        return write(ask(member, text)).content

    openai_server.titles.default = answer
    with ThreadPoolExecutor(1) as worker:
        assert reply("My sister lives in Gdynia.") == "Hello"
        running = worker.submit(in_a_worker)
        assert waits.wait(PATIENCE)
        try:
            assert reply("Who lives in Gdynia?") == "Hello"
            assert not running.done()
        finally:
            ends.set()
        assert running.result() == 2
    assert Memory.objects.get().content == FACT


def test_space_chooses_the_ranking_of_the_api(api, member, openai_server):
    policy = MemoryPolicy.objects.create(space=member.space, facts_tokens=0)
    openai_server.titles.default = extract_or_talk
    api.ask("My sister lives in Gdynia.", chat="c1")
    run_due()
    question = "Tell me about Gdynia and my dear sister please"
    assert facts_of(api.ask(question)) == []
    policy.api_ranking = "chat"
    policy.save()
    assert [m["text"] for m in facts_of(api.ask(question))] == [FACT]
