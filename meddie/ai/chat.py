"""Ask the chat model for a stream of events, or the fast model for a short text."""

from __future__ import annotations  # the SDK is not read for the names of its types

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from time import perf_counter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from django.conf import settings

from meddie.ai import client, extractive, offline
from meddie.ai.chunks import Chunks, chunks_in_time, post_stream
from meddie.ai.events import (
    ChatMessage,
    ChatRequest,
    Delta,
    Passthrough,
    Usage,
)
from meddie.ai.lazy_sdk import openai
from meddie.ai.request_options import chat_options, short_options
from meddie.ai.responses import Answer, whole_text
from meddie.ai.retry import retried, retried_stream
from meddie.measurements import increase, observe

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletionMessageParam

__all__ = [
    "ChatMessage",
    "ChatRequest",
    "Delta",
    "Passthrough",
    "Usage",
    "complete",
    "is_offline",
    "model_name",
    "stream",
]

NOTHING: Mapping[str, Any] = MappingProxyType({})
Events = AsyncGenerator[Delta | Passthrough | Usage]


def is_offline() -> bool:
    return not client.Endpoint.for_chat().key


def model_name() -> str:
    if is_offline():
        return "offline (no OPENAI_API_KEY)"
    return f"{settings.CHAT_MODEL} at {settings.OPENAI_BASE_URL}"


async def stream(request: ChatRequest) -> Events:
    """Stream the answer, and one Usage at the end. Raises AIError.

    A failed attempt is repeated only before the first event. Close the generator
    (`contextlib.aclosing`) to hang up early.
    """
    source: Events = retried_stream(partial(_attempt, request))
    if is_offline():
        source = offline.stream_offline(request)
    start, spoke = perf_counter(), False
    async with aclosing(source):
        async for event in source:
            if isinstance(event, Usage):
                count_tokens(event)
            elif not spoke:
                observe("first_token", perf_counter() - start)
                spoke = True
            yield event


async def complete(
    messages: Sequence[ChatMessage],
    *,
    max_tokens: int,
    temperature: float = 0,
    seconds: float | None = None,
    model: str | None = None,
    extra: Mapping[str, Any] = NOTHING,
) -> str:
    """One short text, by default of the fast model; `extra` fields are sent untouched.

    `seconds` limits each attempt, by default to LIMITS.complete.
    """
    if is_offline():
        return extractive.title(messages)
    short = short_options(model or settings.FAST_MODEL, max_tokens, temperature)
    options = short | dict(extra)
    limit = seconds or client.LIMITS.complete

    async def attempt() -> str:
        sdk = await client.async_client(client.Endpoint.for_chat())
        async with asyncio.timeout(limit):
            answer = await sdk.chat.completions.with_raw_response.create(
                messages=_for_sdk(messages), timeout=client.timeout(limit), **options
            )
        counted = Answer(settings.FAST_MODEL, client.LIMITS.reply_characters)
        text = whole_text(answer.content, counted)
        count_tokens(counted.usage(messages))
        return text

    return await retried(attempt)


def count_tokens(usage: Usage) -> None:
    increase("tokens", (usage.model, "in"), usage.tokens_in)
    increase("tokens", (usage.model, "out"), usage.tokens_out)


async def _attempt(request: ChatRequest) -> Events:
    answer = Answer(_model(request), client.LIMITS.reply_characters)
    try:
        async with await _open(request) as response:
            async for chunk in chunks_in_time(response, answer, client.LIMITS):
                for count, event in enumerate(answer.add(chunk)):
                    if count:  # let others run between the slices of a long text
                        await asyncio.sleep(0)
                    yield event
    except client.failures() as error:
        # After the last word only the count of tokens is missing.
        if not answer.finish:
            raise client.translated(error, spoke=bool(answer.size)) from error
    answer.check()
    yield answer.usage(request.messages)


def _model(request: ChatRequest) -> str:
    return request.model or settings.CHAT_MODEL


async def _open(request: ChatRequest) -> Chunks:
    body = chat_options(_model(request)) | dict(request.extra)
    body |= {"messages": list(request.messages), "stream": True}
    sdk = await client.async_client(client.Endpoint.for_chat())
    async with asyncio.timeout(client.LIMITS.first_token):
        try:
            return await post_stream(
                sdk,
                body | {"stream_options": {"include_usage": True}},
                client.LIMITS,
            )
        except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
            # Some servers know the protocol without its later additions.
            if "stream_options" not in str(error):
                raise
            return await post_stream(sdk, body, client.LIMITS)


def _for_sdk(messages: Sequence[ChatMessage]) -> list[ChatCompletionMessageParam]:
    return cast("list[ChatCompletionMessageParam]", list(messages))
