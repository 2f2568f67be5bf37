"""From a message through its capture to the prompt of another chat."""

import json
from pathlib import Path

import pytest

from meddie.ai import local_embedder
from meddie.ai.vectors import fit_width
from memory.models import Memory, MemoryLink, MemoryPolicy, MemoryUpdate
from tests.conversations.api.openai.client import api_for, facts_of
from tests.factories import MembershipFactory, MemoryFactory
from tests.memory.jobs import run_due
from tests.openai_answers import says
from tests.verdicts import ruling

pytestmark = pytest.mark.django_db(transaction=True)

EMBEDDINGS = Path(__file__).with_name("embeddings.json")
"""Facts with their vectors of the local model."""
OLD, NEW = "User lives in Portland", "User lives in Denver"
QUESTION = "Where lives the user, in Portland or in Denver?"


def answers(openai_server, **data):
    openai_server.titles.queue(says(json.dumps(data)))


def tell(api, openai_server, message, fact, *verdicts):
    api.ask(message, chat=message)
    answers(openai_server, facts=[{"text": fact}], profile_facts=[])
    if verdicts:
        answers(openai_server, decisions=list(verdicts))
    assert run_due() == 1


@pytest.mark.req("S1-53", "S1-56")
def test_corrected_fact_of_one_chat_is_used_in_the_next(api, member, openai_server):
    tell(api, openai_server, "I live in Portland.", OLD)
    moved = ruling()
    tell(api, openai_server, "I live in Denver now.", NEW, moved)
    assert openai_server.titles.unused == 0
    assert Memory.objects.count() == 2
    assert MemoryLink.objects.get(user=member.user).memory.content == NEW
    assert MemoryUpdate.objects.get().old.content == OLD
    answer = api.ask(QUESTION, chat="later")
    assert [line["text"] for line in facts_of(answer)] == [NEW]
    prompt = openai_server.titles.requests[-1].body["messages"][0]["content"]
    assert NEW in prompt
    assert OLD not in prompt


@pytest.mark.req("S1-54", "S1-56")
def test_stored_vectors_of_known_facts_are_found_by_meaning(api, member, settings):
    settings.EMBEDDING_MODEL = local_embedder.NAME
    MemoryPolicy.objects.create(space=member.space, facts_tokens=0)
    stored = json.loads(EMBEDDINGS.read_text())
    vectors = fit_width(list(stored.values()))
    for fact, vector in zip(stored, vectors, strict=True):
        MemoryFactory(
            user=member.user,
            space=member.space,
            content=fact,
            vector=vector,
            embedding_model=local_embedder.NAME,
        )
    answer = api.ask("Am I allergic to ibuprofen?")
    told = [line["text"] for line in facts_of(answer)]
    assert told == ["User is allergic to ibuprofen"]
    assert Memory.objects.count() == len(stored)


@pytest.mark.req("S1-30", "S1-50")
def test_shared_fact_that_one_contradicts_stays_in_the_answers_of_the_other(
    api, member, openai_server
):
    owner = MembershipFactory(space=member.space)
    shared = MemoryFactory(user=owner.user, space=owner.space, content=OLD)
    MemoryLink.objects.create(user=member.user, space=member.space, memory=shared)
    moved = ruling()
    tell(api, openai_server, "I live in Denver now.", NEW, moved)
    assert listed(api) == [NEW]
    assert listed(api_for(owner)) == [OLD]
    prompt = openai_server.titles.requests[-1].body["messages"][0]["content"]
    assert OLD in prompt
    assert NEW not in prompt


def listed(api):
    return [line["text"] for line in facts_of(api.ask(QUESTION))]
