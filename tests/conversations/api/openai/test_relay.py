"""The protocol passes through in both directions."""

import json

import pytest

from tests.conversations.api.openai.client import content, said, words
from tests.openai_answers import Answer, says

pytestmark = pytest.mark.django_db(transaction=True)

TOOLS = [{"type": "function", "function": {"name": "weather", "parameters": {}}}]
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}


@pytest.mark.req("S1-09", "S1-18")
def test_stream_is_passed_on_until_its_end(api, openai_server):
    openai_server.chat.queue(says("Hello there", pieces=("Hello", " there")))
    events = api.ask("Hi", stream=True)
    assert words(events) == "Hello there"
    assert events[-1]["choices"][0]["finish_reason"] == "stop"


@pytest.mark.req("S1-09")
def test_whole_answer_is_passed_on(api):
    answer = api.ask("Hi")
    assert content(answer) == "Hello"
    assert answer["object"] == "chat.completion"
    assert answer["usage"]["total_tokens"] > 0


def test_unknown_fields_reach_the_provider_untouched(api, openai_server):
    fields = {
        "tools": TOOLS,
        "tool_choice": "auto",
        "response_format": {"type": "text"},
        "n": 2,
        "stop": ["."],
        "seed": 7,
        "logprobs": True,
        "metadata": {"run": "1"},
        "something_new": {"a": [1.5, None]},
    }
    parts = [{"type": "text", "text": "What is this?"}, PICTURE]
    api.ask(said(parts), **fields)
    [request] = openai_server.titles.requests
    sent = dict(request.body)
    assert sent.pop("messages")[-1] == said(parts)
    assert sent == {"model": "m", **fields}


LONG = "x" * 300_000
"""Longer than a reply of any channel (docs/security.md)."""


@pytest.mark.parametrize("pieces", [(LONG,), (LONG[:150_000],) * 3])
def test_stream_is_cut_at_the_length_of_every_reply(api, openai_server, pieces):
    openai_server.chat.queue(says(LONG, pieces=pieces))
    events = api.post("Hi", stream=True).text.split("\n\n")
    sent = [json.loads(event.removeprefix("data: ")) for event in events if event]
    assert sent.pop()["error"]["code"] == "cut_off"
    assert len(words(sent)) == 200_000


def test_whole_answer_is_cut_at_the_same_length_and_says_so(api, openai_server):
    openai_server.titles.queue(says(LONG))
    answer = api.ask("Hi")
    assert len(content(answer)) == 200_000
    assert answer["choices"][0]["finish_reason"] == "length"


def test_tool_calls_and_unknown_deltas_come_back(api, openai_server):
    call = {"index": 0, "id": "c1", "function": {"name": "weather", "arguments": "{}"}}
    deltas = ({"tool_calls": [call]}, {"reasoning": "hm"})
    openai_server.chat.queue(Answer(pieces=(), deltas=deltas, finish="tool_calls"))
    events = api.ask("Hi", stream=True, tools=TOOLS)
    came = [event["choices"][0]["delta"] for event in events]
    assert [delta for delta in came if delta in deltas] == list(deltas)


def test_usage_comes_where_it_is_asked_for(api):
    plain = api.ask("Hi", stream=True)
    asked = api.ask("Hi", stream=True, stream_options={"include_usage": True})
    assert not any(event.get("usage") for event in plain)
    assert asked[-1]["usage"]["total_tokens"] > 0


def test_own_fields_are_not_sent_on(api, openai_server):
    api.ask(
        "Hi",
        stream=True,
        save_memories=False,
        anonymous_mode=True,
        stream_options={"include_memories": True},
        metadata={"save_memories": False},
    )
    [request] = openai_server.chat.requests
    assert request.body.keys() == {"model", "messages", "stream"}


def test_model_named_meddie_is_the_configured_one(api, openai_server):
    api.ask("Hi", model="meddie")
    api.ask("Hi", model="another")
    models = [request.body["model"] for request in openai_server.titles.requests]
    assert models == ["test-chat", "another"]


def test_models_of_the_provider_are_listed_after_meddie(api, openai_server):
    answer = api.send("GET", "/v1/models").json()
    assert [model["id"] for model in answer["data"]] == ["meddie", "test-chat"]


@pytest.mark.parametrize("name", ["meddie", "test-chat"])
def test_one_model_is_read_by_its_id(api, openai_server, name):
    assert api.send("GET", f"/v1/models/{name}").json()["id"] == name
    answer = api.send("GET", f"/v1/models/of/{name}")
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (404, "model_not_found")


def test_models_are_listed_while_the_provider_is_away(api, openai_server):
    openai_server.models.default = lambda _body: Answer(status=500)
    answer = api.send("GET", "/v1/models").json()
    assert [model["id"] for model in answer["data"]] == ["meddie"]


def test_stand_in_without_a_key_speaks_the_protocol(api, settings):
    settings.OPENAI_API_KEY = settings.EMBEDDING_API_KEY = ""
    usage = {"include_usage": True}
    events = api.ask("Hi", stream=True, stream_options=usage)
    answer = api.ask("Hi")
    assert words(events) == content(answer)
    assert "Offline stand-in" in content(answer)
    assert events[-1]["usage"] == answer["usage"]
    assert api.send("GET", "/v1/models").json()["data"][0]["id"] == "meddie"
