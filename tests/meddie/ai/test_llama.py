"""The adapter against a real server that is slow: llama.cpp with a small model."""

import asyncio
import base64
from contextlib import aclosing

import httpx2
import numpy as np
import pytest
from pydantic import BaseModel

from meddie.ai import embeddings
from meddie.ai.errors import GaveWay, Refused
from meddie.ai.events import ChatMessage, ChatRequest, Delta
from meddie.ai.provider import current_provider
from tests.conversations.attachments.sent import png
from tests.meddie.ai.talk import listen, listen_to
from tests.stack.llama import MODEL, ONE, TWO
from tests.waiting import eventually

COUNT: list[ChatMessage] = [
    {"role": "user", "content": "Count from one to one hundred."}
]


class Pet(BaseModel):
    name: str
    legs: int


def busy(url: str) -> bool:
    slots = httpx2.get(f"{url.removesuffix('/v1')}/slots", trust_env=False).json()
    return any(slot["is_processing"] for slot in slots)


async def test_streams_a_real_answer_word_by_word(llama):
    llama.settings(ONE)
    request = ChatRequest(COUNT, extra={"max_tokens": 8})

    heard = await listen_to(request)

    assert heard.error is None
    assert heard.pieces > 1
    assert heard.usage
    assert (heard.usage.model, heard.usage.tokens_out) == (MODEL, 8)


async def test_a_prompt_that_is_too_long_is_refused_with_its_reason(llama):
    llama.settings(ONE)

    heard = await listen([{"role": "user", "content": "word " * 2000}])

    assert isinstance(heard.error, Refused)
    assert heard.error.said["type"] == "exceed_context_size_error"


async def test_model_without_eyes_refuses_a_picture(llama):
    llama.settings(ONE)
    url = f"data:image/png;base64,{base64.b64encode(png(40, 30)).decode()}"
    parts = [{"type": "image_url", "image_url": {"url": url}}]

    heard = await listen([{"role": "user", "content": parts}])

    assert isinstance(heard.error, Refused)


@pytest.mark.slow
async def test_an_answer_that_is_closed_early_frees_the_server(llama):
    url = llama.settings(ONE)
    request = ChatRequest(COUNT, extra={"ignore_eos": True})

    async with aclosing(current_provider().stream(request)) as events:
        async for event in events:
            assert isinstance(event, Delta)
            break
        assert busy(url)

    await eventually(lambda: not busy(url))


@pytest.mark.slow
async def test_the_server_writes_objects_of_a_schema(llama):
    llama.settings(ONE)
    about: list[ChatMessage] = [
        {"role": "user", "content": "Give a dog's name and its number of legs."}
    ]

    pet = await current_provider().ask(Pet, about, name="pet", max_tokens=100)

    assert pet.name


@pytest.mark.slow
def test_the_server_gives_vectors(llama):
    llama.settings(ONE)

    tea, cup, engine = embeddings.current_embedder().embed(
        ["I drink green tea", "She drinks black tea", "The engine is broken"]
    )

    assert tea.shape == (1536,)
    assert np.dot(tea, cup) > np.dot(tea, engine)


@pytest.mark.slow
async def test_the_server_answers_for_a_model_that_it_does_not_have(llama, settings):
    llama.settings(ONE)
    settings.CHAT_MODEL = "another"
    request = ChatRequest(COUNT, extra={"max_tokens": 2})

    heard = await listen_to(request)

    assert heard.usage
    assert heard.usage.model == MODEL


@pytest.mark.slow
async def test_reply_ends_a_background_call_in_the_only_slot(llama):
    url = llama.settings(ONE)
    long: list[ChatMessage] = [{"role": "user", "content": "A dog. " * 200}]
    asking = current_provider().ask(Pet, long, name="pet", max_tokens=500)
    running = asyncio.create_task(asking)
    await eventually(lambda: busy(url))

    heard = await listen_to(ChatRequest(COUNT, extra={"max_tokens": 2}))

    assert heard.pieces
    with pytest.raises(GaveWay):
        await running


@pytest.mark.slow
async def test_two_answers_are_written_at_once(llama):
    llama.settings(TWO)
    endless = ChatRequest(COUNT, extra={"ignore_eos": True})
    async with aclosing(current_provider().stream(endless)) as first:
        await anext(first)

        heard = await listen_to(ChatRequest(COUNT, extra={"max_tokens": 2}))

        assert heard.pieces
        assert isinstance(await anext(first), Delta)
