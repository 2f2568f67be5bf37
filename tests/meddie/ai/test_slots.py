"""How many answers a server writes at once."""

import json

import pytest

from meddie.ai import slots
from meddie.ai.client import Endpoint
from meddie.ai.slots import is_own, slots_of
from tests.openai_answers import raw
from tests.stack.llama import ONE, TWO


@pytest.fixture(autouse=True)
def _not_known(settings, monkeypatch):
    settings.MODEL_SLOTS = None
    monkeypatch.setattr(slots, "_known", {})


def serve(server, **pages):
    """Answer GET at these paths; elsewhere as LM Studio, with an error in a 200."""

    def answer(body):
        unknown = {"error": f"Unexpected endpoint or method. (GET {body['path']})"}
        found = pages.get(body["path"].strip("/").replace("/", "_"), unknown)
        return raw(json.dumps(found).encode())

    server.models.default = answer


def of(owner):
    return {"object": "list", "data": [{"id": "a", "owned_by": owner}]}


@pytest.mark.parametrize(
    ("pages", "found"),
    [
        ({"props": {"total_slots": 1, "model_path": "a.gguf"}}, 1),
        ({"props": {"total_slots": 4}}, 4),
        ({"slots": [{"id": 0}, {"id": 1}]}, 2),
        ({"api_ps": {"models": []}}, 1),
        ({"v1_models": of("vllm")}, None),
    ],
)
async def test_server_is_asked_for_its_slots(openai_server, pages, found):
    serve(openai_server, **pages)

    assert await slots_of(Endpoint.for_chat()) == found
    assert openai_server.chat.requests == []


async def test_answer_is_remembered(openai_server):
    serve(openai_server, props={"total_slots": 2})
    await slots_of(Endpoint.for_chat())
    asked = len(openai_server.models.requests)

    assert await slots_of(Endpoint.for_chat()) == 2
    assert len(openai_server.models.requests) == asked


async def test_server_that_does_not_tell_counts_as_one_slot(openai_server):
    serve(openai_server, v1_models=of("library"))

    assert await slots_of(Endpoint.for_chat()) == 1
    assert openai_server.chat.requests == []


@pytest.mark.slow
@pytest.mark.parametrize("number", [ONE, TWO])
async def test_llama_server_tells_its_slots(llama, settings, number):
    llama.settings(number)

    assert await slots_of(Endpoint.for_chat()) == number


@pytest.mark.parametrize(
    ("url", "own"),
    [
        ("http://127.0.0.1:11434/v1", True),
        ("http://[::1]:8080/v1", True),
        ("http://192.168.1.20:1234/v1", True),
        ("http://ollama:11434/v1", True),
        ("http://host.docker.internal:8080/v1", True),
        ("https://api.openai.com/v1", False),
        ("https://8.8.8.8/v1", False),
    ],
)
def test_servers_of_the_own_network_are_known_by_their_address(url, own):
    assert is_own(url) is own
