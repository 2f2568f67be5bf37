"""The Responses API, as OpenAI's own client reads it."""

import httpx2
import openai
import pytest
from openai import AsyncOpenAI
from pydantic import BaseModel

from conversations.models import Message
from meddie.asgi import application
from meddie.threads import run_coroutine
from memory.models import CaptureJob
from tests.conversations.api.openai.client import said
from tests.openai_answers import Answer, breaks_off, fails, says
from tests.waiting import PATIENCE

pytestmark = pytest.mark.django_db(transaction=True)

WEATHER = {
    "type": "function",
    "name": "weather",
    "description": "Of a place",
    "parameters": {"type": "object", "properties": {"place": {"type": "string"}}},
    "strict": True,
}
CALLS = (
    {
        "tool_calls": [
            {"index": 0, "id": "c1", "function": {"name": "weather", "arguments": ""}}
        ]
    },
    {"tool_calls": [{"index": 0, "function": {"arguments": '{"place":'}}]},
    {"tool_calls": [{"index": 0, "function": {"arguments": '"Oslo"}'}}]},
)


class Event(BaseModel):
    name: str
    day: str


@pytest.fixture
def client(api):
    """Calls a method of OpenAI's client: `client("responses.create", input="Hi")`."""

    async def calling(method, fields):
        transport = httpx2.ASGITransport(app=application)
        async with AsyncOpenAI(
            api_key=api.secret,
            base_url="http://127.0.0.1/v1",
            max_retries=0,
            http_client=httpx2.AsyncClient(transport=transport, timeout=PATIENCE),
        ) as sdk:
            function = sdk
            for name in method.split("."):
                function = getattr(function, name)
            answer = await function(model="meddie", **fields)
            if fields.get("stream"):
                return [event async for event in answer]
            return answer

    return lambda method, **fields: run_coroutine(calling(method, fields), PATIENCE)


@pytest.fixture
def respond(client):
    return lambda asked="Hi", **fields: client(
        "responses.create", input=asked, **fields
    )


def test_text_is_answered_and_not_kept(respond, openai_server):
    answer = respond("I live in Gdynia", instructions="Be short.", store=True)
    assert (answer.output_text, answer.status, answer.store) == (
        "Hello",
        "completed",
        False,
    )
    assert answer.usage.total_tokens == (
        answer.usage.input_tokens + answer.usage.output_tokens
    )
    assert answer.instructions == "Be short."
    [request] = openai_server.titles.requests
    system, question = request.body["messages"]
    assert system["content"].startswith("Be short.")
    assert question == said("I live in Gdynia")
    assert request.body.keys() == {"model", "messages"}


def test_question_is_stored_and_captured_like_that_of_a_chat(respond):
    respond("I live in Gdynia")
    stored = Message.objects.in_order().values_list("role", "content")
    assert list(stored) == [("user", "I live in Gdynia"), ("assistant", "Hello")]
    assert CaptureJob.objects.count() == 1


def test_answer_lists_the_memories_of_its_prompt(respond):
    assert respond().model_extra["memories"] == []
    events = respond(stream=True)
    assert events[-1].response.model_extra["memories"] == []


def test_events_of_a_text_come_in_their_order(respond, openai_server):
    openai_server.chat.queue(says("Hello there", pieces=("Hello", " there")))
    events = respond(stream=True)
    assert [event.type for event in events] == [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_text.delta",
        "response.output_text.delta",
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
    ]
    assert [event.sequence_number for event in events] == list(range(len(events)))
    last = events[-1].response
    assert (last.output_text, events[6].text) == ("Hello there", "Hello there")
    assert last.usage.output_tokens == 2
    assert {event.item_id for event in events[3:8]} == {last.output[0].id}


def test_calls_of_functions_and_their_outputs_are_passed_on(respond, openai_server):
    openai_server.titles.queue(Answer(pieces=(), deltas=CALLS[:1], finish="tool_calls"))
    chosen = {"type": "function", "name": "weather"}
    answer = respond("Weather in Oslo?", tools=[WEATHER], tool_choice=chosen)
    [call] = answer.output
    assert (call.type, call.call_id, call.name) == ("function_call", "c1", "weather")
    body = openai_server.titles.requests[-1].body
    function = {n: v for n, v in WEATHER.items() if n != "type"}
    assert body["tools"] == [{"type": "function", "function": function}]
    assert body["tool_choice"]["function"] == {"name": "weather"}
    output = {"type": "function_call_output", "call_id": "c1", "output": "Rain"}
    question = {"role": "user", "content": "Weather in Oslo?"}
    second = respond([question, call.to_dict(), output], tools=[WEATHER])
    assert second.output_text == "Hello"
    *_, asked, called, told = openai_server.titles.requests[-1].body["messages"]
    assert asked == question
    assert [one["id"] for one in called["tool_calls"]] == ["c1"]
    assert told == {"role": "tool", "tool_call_id": "c1", "content": "Rain"}


def test_events_of_a_call_have_its_arguments(respond, openai_server):
    openai_server.chat.queue(Answer(pieces=(), deltas=CALLS, finish="tool_calls"))
    events = respond(stream=True, tools=[WEATHER])
    assert [event.type.removeprefix("response.") for event in events[2:]] == [
        "output_item.added",
        "function_call_arguments.delta",
        "function_call_arguments.delta",
        "function_call_arguments.done",
        "output_item.done",
        "completed",
    ]
    [call] = events[-1].response.output
    assert (call.name, call.arguments) == ("weather", '{"place":"Oslo"}')


def test_structured_text_is_asked_for_and_parsed(client, openai_server):
    openai_server.titles.queue(says('{"name": "Walk", "day": "Monday"}'))
    answer = client("responses.parse", input="A walk on Monday", text_format=Event)
    assert answer.output_parsed == Event(name="Walk", day="Monday")
    form = openai_server.titles.requests[-1].body["response_format"]
    assert (form["type"], form["json_schema"]["name"]) == ("json_schema", "Event")
    assert form["json_schema"]["strict"] is True


def test_pictures_and_other_options_are_passed_on(respond, openai_server):
    parts = [
        {"type": "input_text", "text": "What is this?"},
        {"type": "input_image", "image_url": "data:image/png;base64,AAAA"},
    ]
    earlier = {"role": "assistant", "content": [{"type": "output_text", "text": "Hm"}]}
    respond(
        [earlier, {"role": "user", "content": parts}],
        max_output_tokens=50,
        temperature=0.5,
        reasoning={"effort": "low"},
        metadata={"run": "1", "save_memories": False},
        text={"verbosity": "low"},
    )
    body = openai_server.titles.requests[-1].body
    assert body.pop("messages")[-1]["content"] == [
        {"type": "text", "text": "What is this?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
    ]
    assert body == {
        "model": "test-chat",
        "max_tokens": 50,
        "temperature": 0.5,
        "reasoning_effort": "low",
        "verbosity": "low",
    }
    assert not CaptureJob.objects.exists()


def test_answer_that_is_too_long_is_incomplete(respond, openai_server):
    openai_server.titles.queue(says("Hel", finish="length"))
    answer = respond()
    assert (answer.status, answer.incomplete_details.reason) == (
        "incomplete",
        "max_output_tokens",
    )
    openai_server.chat.queue(says("Hel", finish="length"))
    assert respond(stream=True)[-1].type == "response.incomplete"


def test_failure_within_a_stream_is_its_last_event(respond, openai_server):
    openai_server.chat.queue(breaks_off("Hello"))
    last = respond(stream=True)[-1]
    assert (last.type, last.response.status) == ("response.failed", "failed")
    assert last.response.error.code == "broken_off"


@pytest.mark.parametrize("stream", [False, True])
def test_refusal_keeps_its_status_message_and_code(respond, openai_server, stream):
    for endpoint in (openai_server.chat, openai_server.titles):
        endpoint.default = lambda _body: fails(
            429, error_code="rate_limit_exceeded", retry_after=60
        )
    with pytest.raises(openai.RateLimitError) as refusal:
        respond(stream=stream)
    assert refusal.value.code == "rate_limit_exceeded"
    assert refusal.value.body["message"] == "It says 429."


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"previous_response_id": "resp_1"}, "previous_response_id"),
        ({"conversation": "conv_1"}, "conversation"),
        ({"background": True}, "background"),
        ({"tools": [{"type": "web_search"}]}, "tools.0.type"),
        ({"text": {"format": {"type": "grammar"}}}, "text.format.type"),
        ({"asked": [{"type": "item_reference", "id": "msg_1"}]}, "input.0"),
        ({"asked": [{"type": "computer_call"}]}, "input.0.type"),
        ({"asked": [{"role": "tool", "content": "Hi"}]}, "input.0.role"),
        (
            {"asked": [{"role": "user", "content": [{"type": "input_image"}]}]},
            "input.0.content.0.type",
        ),
        ({"asked": []}, "messages"),
        ({"max_output_tokens": 0}, "max_output_tokens"),
    ],
)
def test_unsupported_field_is_named(respond, openai_server, fields, param):
    with pytest.raises(openai.BadRequestError) as refusal:
        respond(**fields)
    assert refusal.value.param == param
    assert not openai_server.titles.requests


def test_address_that_is_not_there_names_those_that_are(api):
    answer = api.send("GET", "/v1/responses/resp_1")
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (404, "unknown_url")
    assert "POST /v1/responses" in error["message"]
    as_mem0 = api.send("GET", "/v1/exports/", authorization=f"Token {api.secret}")
    assert as_mem0.status_code == 404
    assert "/v1/exports/" in as_mem0.json()["detail"]
