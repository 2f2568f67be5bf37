"""Refusals and failures have OpenAI's shape and status."""

import json
from dataclasses import replace

import pytest

from conversations.api.openai import storing
from conversations.api.openai.schema import CHAT_ID
from conversations.models import Message
from meddie.ai import client as ai
from people.models import ApiKey, Membership
from tests.conversations.api.openai.client import COMPLETIONS, HI, replied, words
from tests.openai_answers import (
    Answer,
    breaks_off,
    error_in_stream,
    fails,
    raw,
    says,
    stalls,
)
from tests.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.django_db(transaction=True)


def error_of(response, status):
    """The error of a refusal, whose shape is checked."""
    assert response.status_code == status, response.text
    assert response.headers["Content-Type"] == "application/json"
    error = response.json()["error"]
    assert error.keys() == {"message", "type", "param", "code"}
    assert error["message"]
    return error


@pytest.mark.parametrize(
    ("body", "param"),
    [
        (b"{", None),
        (b"[]", None),
        (b'{"messages": NaN}', None),
        (b'{"messages": [{"role": "user", "content": "M\xfcnchen"}]}', None),
        (b"[" * 100_000, None),
        (b"{}", "messages"),
        (b'{"messages": []}', "messages"),
        (b'{"messages": "Hi"}', "messages"),
        (b'{"messages": [{"content": "Hi"}]}', "messages.0.role"),
        (b'{"messages": [{"role": "user", "content": 1}]}', "messages.0.content.str"),
        (json.dumps({"messages": HI, "stream": "perhaps"}).encode(), "stream"),
        (json.dumps({"messages": HI, "n": 10**9}).encode(), "n"),
        (json.dumps({"messages": HI, "n": "2"}).encode(), "n"),
        (json.dumps({"messages": HI, "n": 2.0}).encode(), "n"),
        (json.dumps({"messages": HI, "stream": "false"}).encode(), "stream"),
        (b'{"messages": [{"role": "user", "content": "Hi"}], "seed": 1e999}', None),
        (json.dumps({"messages": HI * 5001}).encode(), "messages"),
        (json.dumps({"messages": HI, "save_memories": 7}).encode(), "save_memories"),
    ],
)
def test_unreadable_request_is_refused(api, openai_server, body, param):
    error = error_of(api.send("POST", COMPLETIONS, content=body), 400)
    assert error["type"] == "invalid_request_error"
    assert error["param"] == param
    assert openai_server.chat.requests == openai_server.titles.requests == []


@pytest.mark.parametrize("authorization", ["Bearer wrong", "Basic eDp5", "Bearer "])
@pytest.mark.req("B-24", "B-26")
def test_unknown_key_is_refused(api, openai_server, authorization):
    for method, path in (("POST", COMPLETIONS), ("GET", "/v1/models")):
        answer = api.send(method, path, authorization=authorization, json={})
        assert error_of(answer, 401)["code"] == "invalid_api_key"


@pytest.mark.req("B-24")
def test_session_is_no_key(api, member, client):
    client.force_login(member.user)
    cookie = {"Cookie": f"sessionid={client.cookies['sessionid'].value}"}
    answer = api.send("GET", "/v1/models", authorization="none", headers=cookie)
    error_of(answer, 401)


def test_key_whose_user_left_the_space_is_refused(api, member):
    Membership.objects.filter(pk=member.pk).delete()
    error_of(api.post("Hi"), 401)


def test_too_many_calls_are_refused(api):
    ApiKey.objects.update(calls_per_minute=1)
    api.ask("Hi")
    answer = api.post("Hi")
    assert error_of(answer, 429)["code"] == "rate_limit_exceeded"
    assert 1 <= int(answer.headers["Retry-After"]) <= 60


def test_too_large_request_is_refused(api, settings):
    settings.MAX_BODY_MB = 1
    error_of(api.post("x" * 2**20), 413)


@pytest.mark.filterwarnings("ignore:Sending a large body:ResourceWarning")
def test_request_of_some_megabytes_is_read(api):
    assert api.post("x" * 5 * 2**20).status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", COMPLETIONS, 405),
        ("POST", "/v1/models", 405),
        ("GET", "/v1/nothing", 404),
        ("POST", "/v1/chat/completions/", 404),
        ("GET", "/v1", 404),
    ],
)
def test_other_addresses_and_methods_are_no_pages(api, method, path, status):
    answer = api.send(method, path)
    error_of(answer, status)
    assert ("Allow" in answer.headers) == (status == 405)


def test_failure_of_meddie_is_no_page(api, monkeypatch):
    monkeypatch.setattr("conversations.limits.connection", None)
    error = error_of(api.post("Hi"), 500)
    assert error["type"] == "server_error"


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("given", "status", "code"),
    [
        (fails(400, error_code="bad_tool"), 400, "bad_tool"),
        (fails(404, error_code="model_not_found"), 404, "model_not_found"),
        (
            fails(429, retry_after=7, error_code="rate_limit_exceeded"),
            429,
            "rate_limit_exceeded",
        ),
        (fails(401), 502, "wrong_key"),
        (fails(500), 503, "provider_down"),
        (raw(b"<html>"), 502, "garbled, or broken_off in a stream"),
    ],
)
@pytest.mark.req("B-26")
def test_failure_of_the_provider_has_a_status(
    api, openai_server, stream, given, status, code
):
    endpoint = openai_server.chat if stream else openai_server.titles
    endpoint.default = lambda _body: given
    answer = api.post("Hi", stream=stream)
    error = error_of(answer, status)
    assert error["code"] in code
    if status == 400:
        assert error["message"] == "It says 400."
    if status == 429:
        assert answer.headers["Retry-After"] == "7"


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (error_in_stream("Hello"), "broken_off"),
        (breaks_off("Hello"), "broken_off"),
    ],
)
def test_failure_within_a_stream_is_its_last_event(api, openai_server, given, code):
    openai_server.chat.default = lambda _body: given
    answer = api.post("Hi", stream=True)
    *_, last, end = answer.text.split("\n\n")
    error = json.loads(last.removeprefix("data: "))["error"]
    assert (end, error["code"]) == ("", code)
    assert "[DONE]" not in answer.text
    reply = Message.objects.get(role="assistant")
    assert (reply.content, reply.status, reply.error) == ("Hello", "failed", code)


@pytest.mark.slow
@pytest.mark.usefixtures("impatience")
def test_provider_that_does_not_answer_is_given_up(api, openai_server):
    openai_server.chat.default = lambda _body: stalls()
    assert error_of(api.post("Hi", stream=True), 503)["code"] == "timed_out"


def chunk(index, finish=None, **delta):
    choice = {"index": index, "delta": delta, "finish_reason": finish}
    return f"data: {json.dumps({'choices': [choice]})}\n\n".encode()


def test_silence_of_a_reasoning_model_is_waited_for(api, openai_server, monkeypatch):
    limits = replace(ai.LIMITS, first_token=0.05, stall=0.05)
    monkeypatch.setattr(ai, "LIMITS", limits)
    openai_server.chat.queue(says("Hello", pieces=("Hel", "lo"), latency=0.3, pace=0.3))
    assert words(api.ask("Hi", stream=True)) == "Hello"


def test_long_call_of_a_tool_is_not_ended(api, openai_server, monkeypatch):
    monkeypatch.setattr(ai, "LIMITS", replace(ai.LIMITS, thinking=0.5))
    part = {"tool_calls": [{"index": 0, "function": {"arguments": "x"}}]}
    openai_server.chat.queue(says("", deltas=(part,) * 10, pace=0.1))
    assert api.post("Hi", stream=True).text.endswith("[DONE]\n\n")


@pytest.mark.parametrize("delta", [{}, {"reasoning_content": "Hm. "}, {"content": ""}])
@pytest.mark.parametrize("text", ["", "Hel"], ids=["at once", "after words"])
def test_endless_deltas_without_a_word_end_the_call(
    api, openai_server, monkeypatch, delta, text
):
    monkeypatch.setattr(ai, "LIMITS", replace(ai.LIMITS, thinking=0.3))
    openai_server.chat.queue(says(text, endless=delta, pace=0.001))
    *_, last = api.post("Hi", stream=True).text.strip().split("\n\n")
    error = json.loads(last.removeprefix("data: "))["error"]
    assert (error["code"], error["message"]) == (
        "timed_out",
        "The model provider did not answer in time. Please try again.",
    )
    assert openai_server.hung_up.wait(PATIENCE)
    wait_until(lambda: Message.objects.filter(error="timed_out", content=text).exists())


@pytest.mark.parametrize(("how", "finished"), [("disconnect", False), ("", True)])
def test_choice_that_has_not_begun_may_be_lost_or_never_come(
    api, openai_server, how, finished
):
    openai_server.chat.default = lambda _body: says("Hello", after_finish=how)
    answer = api.post("Hi", stream=True, n=2)
    assert ("[DONE]" in answer.text) == finished


def test_second_choice_may_end_after_the_first(api, openai_server):
    events = (
        *(chunk(0, content="a"), chunk(1, content="b"), chunk(0, "stop")),
        *(chunk(1, content="c"), chunk(1, "stop"), b"data: [DONE]\n\n"),
    )
    stream = {"Content-Type": "text/event-stream"}
    openai_server.chat.default = lambda _body: Answer(
        raw=b"".join(events), headers=stream
    )
    answer = api.post("Hi", stream=True, n=2)
    assert answer.text.count("data:") == len(events)


@pytest.mark.parametrize("stream", [False, True])
def test_question_without_room_is_refused_and_not_asked(
    api, openai_server, settings, stream
):
    settings.QUOTA_MB = 0
    error = error_of(api.post("Hi", stream=stream), 413)
    assert error["code"] == "no_room"
    assert "have reached their limit" in error["message"]
    assert api.post("Hi", anonymous_mode=True).status_code == 200
    assert not Message.objects.exists()
    assert len(openai_server.titles.requests) + len(openai_server.chat.requests) == 1


@pytest.mark.parametrize("stream", [False, True])
def test_long_history_without_room_is_refused_whole(api, settings, stream, caplog):
    settings.QUOTA_MB = 0.1
    history = [line for n in range(6) for line in (f"{n}" + "x" * 19_000, replied("."))]
    answer = api.post(*history, "Hi", stream=stream, headers={CHAT_ID: "c1"})
    assert error_of(answer, 413)["code"] == "no_room"
    assert not Message.objects.exists()
    assert "could not be stored" not in caplog.text
    api.ask("Hi", chat="c1")


@pytest.mark.parametrize("stream", [False, True])
def test_no_word_of_an_answer_leaves_before_its_message_is_stored(
    api, monkeypatch, stream
):
    monkeypatch.setattr(storing, "MOST_STORED", None)
    answer = api.post("Hi", replied("Hello"), "Hello", stream=stream)
    error_of(answer, 500)
    assert not Message.objects.exists()
