"""Any provider with OpenAI's protocol."""

from __future__ import annotations  # the SDK is not read for the names of its types

import asyncio
import base64
import json
import re
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from pydantic import BaseModel

from meddie.ai import client
from meddie.ai.answer_stream import Chunks, chunks_in_time, post_stream
from meddie.ai.background import note_call
from meddie.ai.chat_span import traced
from meddie.ai.client import Endpoint
from meddie.ai.configured import configured
from meddie.ai.errors import AIError, Garbled, Refused, Unsupported
from meddie.ai.events import (
    MEDDIE,
    ChatMessage,
    ChatRequest,
    Delta,
    Events,
    ImageDescription,
    Passthrough,
)
from meddie.ai.lazy_sdk import openai
from meddie.ai.priority import in_background, replying
from meddie.ai.provider_answers import Answer, whole_text
from meddie.ai.recordings import parts_of
from meddie.ai.retry import retried, retried_stream
from meddie.ai.slots import limits_for
from meddie.ai.structured import Question
from meddie.ai.tools import stream_with_tool

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletionMessageParam

    from meddie.ai.client import ProviderLimits

S = TypeVar("S", bound=BaseModel)
NOTHING: Mapping[str, Any] = MappingProxyType({})
# Reasoning models refuse a temperature, and their reasoning counts as tokens.
REASONING = re.compile(r"(^|/)(gpt-5(?!\S*chat)|o\d)")
THINKING_TOKENS = 2000
DESCRIPTION_TOKENS = 3000
TRANSCRIPTION_SECONDS = 300.0
NOT_THERE = (404, 405)  # statuses of a server without the path or the model
COUNTED = {"include_usage": True}


class OpenAI:
    connected = sees_pictures = reads_files = True

    def __init__(self, endpoint: Endpoint | None = None) -> None:
        """`endpoint` answers all but streamed replies; by default that of the chat."""
        self.endpoint = endpoint or Endpoint.for_chat()

    @property
    def name(self) -> str:
        chosen = configured()
        return f"{chosen.chat_model} at {chosen.base_url}"

    @property
    def hears(self) -> bool:
        return bool(configured().transcription_model)

    async def stream(self, request: ChatRequest) -> Events:
        tool = request.tool
        events = stream_with_tool(request, tool, _stream) if tool else _stream(request)
        async with replying(Endpoint.for_chat()), aclosing(events):
            async for event in events:
                yield event

    async def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        name: str,
        max_tokens: int,
        model: str | None = None,
        extra: Mapping[str, Any] = NOTHING,
    ) -> str:
        """`extra` fields are sent untouched."""
        options = _short_options(model or configured().fast_model, max_tokens) | dict(
            extra
        )
        limits = limits_for(self.endpoint.base_url)

        async def attempt() -> str:
            sdk = await client.async_client(self.endpoint)
            note_call()
            async with asyncio.timeout(limits.complete):
                answer = await sdk.chat.completions.with_raw_response.create(
                    messages=cast("list[ChatCompletionMessageParam]", list(messages)),
                    timeout=client.timeout(limits.complete),
                    **options,
                )
            counted = Answer(configured().fast_model, limits.reply_characters)
            return whole_text(answer.content, counted)

        return await in_background(self.endpoint, name, partial(retried, attempt))

    async def ask(
        self,
        schema: type[S],
        messages: Sequence[ChatMessage],
        *,
        name: str,
        max_tokens: int = 1000,
        model: str | None = None,
    ) -> S:
        model = model or configured().fast_model
        complete = partial(self.complete, name=name, max_tokens=max_tokens, model=model)
        key = (self.endpoint, model)
        return await Question(schema, name, key, complete).ask(messages)

    async def describe(self, jpeg: bytes, instruction: str) -> ImageDescription:
        url = f"data:image/jpeg;base64,{base64.b64encode(jpeg).decode()}"
        parts = [
            {"type": "text", "text": instruction},
            {"type": "image_url", "image_url": {"url": url}},
        ]
        return await self.ask(
            ImageDescription,
            [cast("ChatMessage", {"role": "user", "content": parts})],
            name="image_description",
            max_tokens=DESCRIPTION_TOKENS,
            model=configured().vision_model,
        )

    async def transcribe(self, name: str, recording: bytes) -> str:
        if not self.hears:
            raise Unsupported("there is no model for transcriptions")

        async def attempt(part: bytes) -> str:
            sdk = await client.async_client(self.endpoint)
            note_call()
            async with asyncio.timeout(TRANSCRIPTION_SECONDS):
                answer = await sdk.audio.transcriptions.with_raw_response.create(
                    file=(name, part),
                    model=configured().transcription_model,
                    response_format="json",
                    timeout=client.timeout(TRANSCRIPTION_SECONDS),
                )
            found = json.loads(answer.content)
            text = found.get("text") if isinstance(found, dict) else None
            if not isinstance(text, str):
                raise Garbled
            return text.strip()

        try:
            heard = [
                await retried(partial(attempt, part))
                for part in parts_of(name, recording)
            ]
        except Refused as refusal:
            if refusal.status in NOT_THERE:
                raise Unsupported("the provider has no transcription") from refusal
            raise
        return " ".join(filter(None, heard))

    async def models(self) -> list[Any]:
        try:
            async with asyncio.timeout(client.LIMITS.models):
                sdk = await client.async_client(self.endpoint)
                found = await sdk.get("/models", cast_to=object)
        except client.failures():
            return []
        except AIError:
            return []
        models = found.get("data") if isinstance(found, dict) else None
        return models if isinstance(models, list) else []


def _stream(request: ChatRequest) -> Events:
    attempt = _attempt_whole if request.whole else _attempt
    events = retried_stream(partial(attempt, request))
    return traced(request.model or configured().chat_model, events)


async def _attempt(request: ChatRequest) -> Events:
    limits, answer = limits_for(configured().base_url), _new_answer(request)
    if request.relayed:  # Reasoning models pause for long.
        limits = replace(limits, first_token=limits.thinking, stall=limits.thinking)
    try:
        async with await _open(request, limits) as response:
            async for chunk in chunks_in_time(response, answer, limits):
                for count, piece in enumerate(answer.add(chunk)):
                    if count:  # let others run between the slices of a long text
                        await asyncio.sleep(0)
                    yield Delta(piece)
                if request.relayed:
                    yield Passthrough(cast("dict[str, Any]", chunk))
    except client.failures() as error:
        # After the last word only the count of tokens is missing.
        if not answer.is_complete:
            raise client.translated(error, spoke=bool(answer.size)) from error
    answer.check(empty=request.relayed)
    yield answer.usage(request.messages)


async def _attempt_whole(request: ChatRequest) -> Events:
    limit = client.LIMITS.thinking
    answer = _new_answer(request)
    try:
        sdk = await client.async_client(client.Endpoint.for_chat())
        async with asyncio.timeout(limit):
            whole = await sdk.post(
                "/chat/completions",
                body=_body(request),
                cast_to=object,
                options={"timeout": client.timeout(limit)},
            )
    except client.failures() as error:
        raise client.translated(error) from error
    for piece in answer.add_whole(whole):
        yield Delta(piece)
    yield Passthrough(cast("dict[str, Any]", whole))
    yield answer.usage(request.messages)


def _new_answer(request: ChatRequest) -> Answer:
    return Answer(
        request.model or configured().chat_model,
        client.LIMITS.reply_characters,
        choices=request.extra.get("n") or 1,
    )


def _body(request: ChatRequest) -> dict[str, Any]:
    model = request.model
    named = request.relayed and model
    options = (
        {"model": model} if named else _chat_options(model or configured().chat_model)
    )
    return options | dict(request.extra) | {"messages": list(request.messages)}


async def _open(request: ChatRequest, limits: ProviderLimits) -> Chunks:
    sdk = await client.async_client(client.Endpoint.for_chat())
    body = _body(request) | {"stream": True}
    counted = body if request.relayed else body | {"stream_options": COUNTED}
    async with asyncio.timeout(limits.first_token):
        try:
            return await post_stream(sdk, counted, limits)
        except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
            # Some servers know the protocol without its later additions.
            if request.relayed or "stream_options" not in str(error.body):
                raise
            return await post_stream(sdk, body, limits)


def _chat_options(model: str) -> dict[str, Any]:
    """Little reasoning: a user waits."""
    if REASONING.search(model):
        return {"model": model, "reasoning_effort": "low"}
    return {"model": model}


def limit_field(model: str) -> str:
    """The field that limits the tokens of an answer of the model, or of CHAT_MODEL."""
    named = configured().chat_model if model in {"", MEDDIE} else model
    return "max_completion_tokens" if REASONING.search(named) else "max_tokens"


def _short_options(model: str, max_tokens: int) -> dict[str, Any]:
    if REASONING.search(model):
        limit = max_tokens + THINKING_TOKENS
        return _chat_options(model) | {"max_completion_tokens": limit}
    return {"model": model, "max_tokens": max_tokens, "temperature": 0}
