"""Calls that are refused as a whole, as problem details."""

import json

import pytest

from conversations.api.models import IngestedMessage
from conversations.models import Message
from people import api_keys
from tests.conversations.api.ingest.conftest import Channel, work
from tests.conversations.api.openai.client import api_for
from tests.factories import MembershipFactory

pytestmark = pytest.mark.django_db(transaction=True)


def refused(answer, status, code):
    assert answer.status_code == status, answer.text
    assert answer.headers["Content-Type"] == "application/problem+json"
    problem = answer.json()
    assert (problem["reason"], problem["status"]) == (code, status)
    assert problem["detail"].endswith(".")
    assert not IngestedMessage.objects.exists()


@pytest.mark.parametrize(
    ("content", "status", "code"),
    [
        ("{", 400, "invalid_json"),
        ("7", 400, "invalid_json"),
        ("[]", 400, "invalid_json"),
        ("[7]", 400, "invalid_json"),
        (json.dumps([{}] * 101), 413, "too_many"),
        (json.dumps({"text": "x" * 2**21}), 413, "too_large"),
    ],
)
def test_a_body_that_is_not_valid(own, content, status, code):
    headers = {"Content-Type": "application/json"}
    answer = own.api.send("POST", "/api/ingest", content=content, headers=headers)
    refused(answer, status, code)


def test_another_type_of_body(own):
    answer = own.api.send("POST", "/api/ingest", data={"text": "I like tea"})
    refused(answer, 415, "unsupported_media_type")


def test_another_method_and_an_unknown_address(own):
    refused(own.api.send("GET", "/api/ingest"), 405, "method_not_allowed")
    answer = own.api.send("POST", "/api/nothing", json={})
    assert (answer.status_code, answer.json()["reason"]) == (404, "not_found")


@pytest.mark.parametrize("bearer", ["Bearer nothing", "Basic x"])
def test_a_key_that_is_not_known(own, bearer):
    answer = own.send(own.message("I like tea"), authorization=bearer)
    refused(answer, 401, "invalid_api_key")


def test_a_revoked_key(own):
    api_keys.revoke(own.api.key)
    refused(own.send(own.message("I like tea")), 401, "invalid_api_key")


def test_a_key_writes_into_its_own_space_alone(own):
    elsewhere = Channel(api_for(MembershipFactory()))
    message = own.message("I like tea")
    for channel in (own, elsewhere):
        assert channel.send(message).json()["data"][0]["state"] == "stored"
    work()
    spaces = Message.objects.values_list("thread__space", flat=True)
    assert set(spaces) == {own.api.key.space_id, elsewhere.api.key.space_id}


def test_messages_count_against_the_limit_of_the_key(member, openai_server):
    limited = Channel(api_for(member, calls_per_minute=3))
    assert limited.report("I like tea", "I like milk") == ["stored"] * 2
    answer = limited.send([limited.message("Rum"), limited.message("Gin")])
    assert answer.status_code == 429
    assert answer.json()["reason"] == "rate_limit_exceeded"
    assert int(answer.headers["Retry-After"]) > 0
    assert IngestedMessage.objects.count() == 2


def test_author_without_room_is_refused_beside_others(bot, settings):
    settings.QUOTA_MB = 30 / 1024 / 1024
    assert bot.report("I like tea with milk") == ["stored"]
    work()
    documents = [bot.message("I like coffee, too"), bot.message("Rum", author="bob")]
    documents.append(bot.message("I like tea with milk"))
    results = bot.send(documents).json()["data"]
    states = [result["state"] for result in results]
    assert states == ["refused", "stored", "known"]
    assert "have reached their limit" in results[0]["message"]
    work()
    texts = set(Message.objects.values_list("content", flat=True))
    assert texts == {"I like tea with milk", "Rum"}
