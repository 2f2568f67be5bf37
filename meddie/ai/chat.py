"""Talking to the chat model: a stream of deltas, or one short text of the fast model."""

from __future__ import annotations  # the SDK is not read for the names of its types

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from django.conf import settings

from meddie.ai import client, offline, tokens
from meddie.ai.errors import AIError, Garbled
from meddie.ai.events import ChatMessage, Delta, Usage
from meddie.ai.lazy_sdk import openai
from meddie.ai.request_options import chat_options, short_options
from meddie.ai.responses import Answer, whole_text
from meddie.ai.retry import pause

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletionMessageParam

__all__ = [
    "ChatMessage",
    "Delta",
    "Usage",
    "complete",
    "is_offline",
    "provider",
    "stream",
]

NOTHING: Mapping[str, Any] = MappingProxyType({})
Events = AsyncGenerator[Delta | Usage]
Chunks: TypeAlias = "openai.AsyncStream[object]"


def is_offline() -> bool:
    """Whether the stand-in answers, for want of a key."""
    return not client.Endpoint.for_chat().key


def provider() -> str:
    """The name of the answering model, in one line for people."""
    if is_offline():
        return "offline (no OPENAI_API_KEY)"
    return f"{settings.CHAT_MODEL} at {settings.OPENAI_BASE_URL}"


async def stream(messages: Sequence[ChatMessage]) -> Events:
    """The answer as it comes: deltas, then one Usage when it came to its end.

    Failures are AIErrors. A failed attempt is repeated only while nothing has been
    handed out. Close the generator (`contextlib.aclosing`) to hang up early.
    """
    source = offline.stream(messages) if is_offline() else _persistent(messages)
    async with aclosing(source):
        async for event in source:
            yield event


async def complete(
    messages: Sequence[ChatMessage],
    *,
    max_tokens: int,
    temperature: float = 0,
    extra: Mapping[str, Any] = NOTHING,
) -> str:
    """One short text of the fast model; `extra` fields go along untouched."""
    if is_offline():
        return offline.complete(messages)
    options = short_options(settings.FAST_MODEL, max_tokens, temperature) | dict(extra)

    async def ask() -> str:
        sdk = await client.async_client(client.Endpoint.for_chat())
        async with asyncio.timeout(client.LIMITS.complete):
            answer = await sdk.chat.completions.with_raw_response.create(
                messages=_for_sdk(messages), **options
            )
        return whole_text(answer.content)

    return await _patiently(ask)


async def _patiently(ask: Callable[[], Awaitable[str]]) -> str:
    began = time.monotonic()
    attempt = 0
    while True:
        attempt += 1
        try:
            return await ask()
        except client.failures() as error:
            failure = client.translated(error)
        except AIError as error:
            failure = error
        await _wait(failure, attempt, began)


async def _persistent(messages: Sequence[ChatMessage]) -> Events:
    """Attempts, until one has said something."""
    began = time.monotonic()
    attempt = 0
    while True:
        attempt += 1
        spoke = False
        try:
            async with aclosing(_attempt(messages)) as answer:
                async for event in answer:
                    spoke = True
                    yield event
        except AIError as error:
            if spoke:
                raise
            failure = error
        else:
            return
        await _wait(failure, attempt, began)


async def _wait(failure: AIError, attempt: int, began: float) -> None:
    """Sleep before the next attempt, or raise when there shall be none."""
    elapsed = time.monotonic() - began
    seconds = pause(failure, attempt, elapsed, client.CHAT_PATIENCE)
    if seconds is None:
        raise failure
    await asyncio.sleep(seconds)


async def _attempt(messages: Sequence[ChatMessage]) -> Events:
    answer = Answer(settings.CHAT_MODEL)
    try:
        async with await _open(messages) as response:
            async for chunk in _paced(response, answer):
                if text := answer.add(chunk):
                    yield Delta(text)
    except client.failures() as error:
        # What comes after the last word only counts tokens.
        if not answer.finish:
            raise client.translated(error, spoke=bool(answer.size)) from error
    answer.check()
    yield Usage(_counted_in(answer, messages), answer.counted_out(), answer.model)


async def _open(messages: Sequence[ChatMessage]) -> Chunks:
    body = {"messages": list(messages), "stream": True}
    body |= chat_options(settings.CHAT_MODEL)
    sdk = await client.async_client(client.Endpoint.for_chat())
    async with asyncio.timeout(client.LIMITS.first_token):
        try:
            return await _posted(
                sdk, body | {"stream_options": {"include_usage": True}}
            )
        except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
            # Some servers know the protocol without its later additions.
            if "stream_options" not in str(error):
                raise
            return await _posted(sdk, body)


async def _posted(sdk: openai.AsyncOpenAI, body: dict[str, object]) -> Chunks:
    """The chunks as plain JSON: to make objects of them is half the work of a stream,
    and checks nothing."""
    return await sdk.post(
        "/chat/completions",
        body=body,
        cast_to=object,
        stream=True,
        stream_cls=openai.AsyncStream[object],
    )


async def _paced(response: Chunks, answer: Answer) -> AsyncGenerator[object]:
    """The chunks, while they come in time and do not go on for ever."""
    while answer.size <= client.LIMITS.reply_characters:
        async with asyncio.timeout(_patience_for_next(answer)):
            chunk = await anext(response, None)
        if chunk is None:
            return
        yield chunk
    raise Garbled(f"more than {client.LIMITS.reply_characters} characters")


def _patience_for_next(answer: Answer) -> float:
    if answer.finish:
        return client.LIMITS.usage
    return client.LIMITS.stall if answer.size else client.LIMITS.first_token


def _counted_in(answer: Answer, messages: Sequence[ChatMessage]) -> int:
    if answer.tokens_in is not None:
        return answer.tokens_in
    return sum(tokens.estimate(message["content"]) for message in messages)


def _for_sdk(messages: Sequence[ChatMessage]) -> list[ChatCompletionMessageParam]:
    return cast("list[ChatCompletionMessageParam]", list(messages))
