"""The short form of `make fuzz`: every address, every attack, few values of each."""

import json

import pytest

from meddie.ai import embeddings
from tests.fuzz import campaign
from tests.fuzz.actors import VISITOR, all_actors
from tests.fuzz.addresses import Address, UnknownArgument
from tests.fuzz.attack import SHORT
from tests.fuzz.door import recorded_failures
from tests.fuzz.endpoint import attack_endpoint
from tests.fuzz.large import attack_sizes
from tests.fuzz.memories import attack_memories
from tests.fuzz.world import build
from tests.memory.embedders import WordEmbedder
from tests.openai_answers import says

SEED = 1


@pytest.mark.req("S0-08", "S0-09", "B-19")
def test_hostile_requests_reach_no_row_of_others_and_fail_nowhere(api_url):
    findings, count = campaign.run(api_url, SEED, SHORT)
    assert count > 700
    assert not findings, "\n".join(findings)


def _repeat_the_prompt(body):
    prompt = json.dumps(body["messages"])
    return says(prompt, pieces=(prompt,))


@pytest.mark.req("S0-08", "S0-09", "S1-10", "B-19", "B-24")
def test_key_reaches_only_what_its_caller_told_in_its_space(
    api_url, openai_server, monkeypatch
):
    monkeypatch.setattr(embeddings, "current_embedder", WordEmbedder)
    openai_server.chat.default = _repeat_the_prompt
    actor = all_actors(build(api_url))[VISITOR]
    with recorded_failures():
        attack_endpoint(actor)
        attack_memories(actor)
        attack_sizes(actor)
    assert not actor.findings, "\n".join(actor.findings)


def test_address_with_an_unknown_argument_is_named():
    with pytest.raises(UnknownArgument, match="chat/<uuid:secret_pk> has the argument"):
        Address("chat/<uuid:secret_pk>")
