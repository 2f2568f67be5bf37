"""From one chat to another: message, capture, recall."""

import json

import pytest

from memory.models import CaptureJob, Memory, MemoryPolicy
from tests.memory.embedders import WordEmbedder
from tests.memory.jobs import run_due
from tests.openai_server import says

pytestmark = pytest.mark.django_db(transaction=True)

FACT = "User's sister lives in Gdynia"
EXTRACTED = {
    "facts": [
        {"text": FACT, "kind": "other", "confidence": 1, "asserted": True}
        | {"evidence": "My sister lives in Gdynia."}
    ],
    "profile_facts": [],
}


def extract_or_talk(body):
    extracts = "memory_extraction" in json.dumps(body)
    return says(json.dumps(EXTRACTED) if extracts else "Hello")


@pytest.mark.req("S1-53")
def test_fact_of_one_chat_is_in_the_prompt_of_another(api, openai_server):
    openai_server.titles.default = extract_or_talk
    assert api.ask("My sister lives in Gdynia.", chat="c1")["memories"] == []
    run_due(WordEmbedder())
    memory = Memory.objects.get()
    assert CaptureJob.objects.get(kind="extract").state == "done"
    [listed] = api.ask("Who lives in Gdynia?", chat="c2")["memories"]
    assert (listed["id"], listed["text"]) == (str(memory.pk), FACT)
    prompt = openai_server.titles.requests[-1].body["messages"][0]["content"]
    assert FACT in prompt


def test_space_chooses_the_ranking_of_the_api(api, member, openai_server):
    policy = MemoryPolicy.objects.create(space=member.space, also_known_tokens=0)
    openai_server.titles.default = extract_or_talk
    api.ask("My sister lives in Gdynia.", chat="c1")
    run_due()
    question = "Tell me about Gdynia and my dear sister please"
    assert api.ask(question)["memories"] == []
    policy.api_ranking = "chat"
    policy.save()
    assert [m["text"] for m in api.ask(question)["memories"]] == [FACT]
