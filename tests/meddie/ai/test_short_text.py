"""Short texts, such as titles, come from the fast model."""

import pytest

from meddie.ai.errors import Garbled, Refused, TimedOut, WrongKey
from meddie.ai.provider import current_provider
from tests.meddie.ai.talk import HELLO, listen
from tests.openai_answers import fails, raw, says, stalls


async def test_a_short_text_comes_from_the_fast_model(openai_server):
    openai_server.titles.queue(says("Tea and cake"))

    assert (
        await current_provider().complete(HELLO, name="title", max_tokens=20)
        == "Tea and cake"
    )
    sent = openai_server.titles.requests[0].body
    assert (sent["model"], sent["max_tokens"], sent["temperature"]) == (
        "test-fast",
        20,
        0,
    )


async def test_reasoning_models_get_more_tokens_and_no_temperature(
    openai_server, settings
):
    settings.FAST_MODEL = settings.CHAT_MODEL = "gpt-5-nano"

    await current_provider().complete(HELLO, name="title", max_tokens=20)
    await listen()

    short, long = openai_server.titles.requests[0], openai_server.chat.requests[0]
    assert short.body["max_completion_tokens"] > 1000
    assert not {"temperature", "max_tokens"} & short.body.keys()
    assert long.body["reasoning_effort"] == "low"


@pytest.mark.parametrize(
    ("planned", "error", "requests"),
    [
        ([fails(401)], WrongKey, 1),
        ([fails(400)], Refused, 1),
        ([raw(b"{}")] * 3, Garbled, 3),
        ([raw(b"no JSON")] * 3, Garbled, 3),
        ([says("  ")] * 3, Garbled, 3),
    ],
)
async def test_a_short_text_fails_like_a_stream(
    openai_server, planned, error, requests
):
    openai_server.titles.queue(*planned)

    with pytest.raises(error):
        await current_provider().complete(HELLO, name="title", max_tokens=20)
    assert len(openai_server.titles.requests) == requests


async def test_short_text_that_stalls_is_not_retried(openai_server, impatience):
    openai_server.titles.queue(stalls())

    with pytest.raises(TimedOut):
        await current_provider().complete(HELLO, name="title", max_tokens=20)
    assert len(openai_server.titles.requests) == 1


async def test_a_short_text_is_retried(openai_server):
    openai_server.titles.queue(fails(503), raw(b"[]"), says("Tea"))

    assert (
        await current_provider().complete(HELLO, name="title", max_tokens=20) == "Tea"
    )
