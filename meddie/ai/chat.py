"""Ask the chat model for a stream of events, or the fast model for a short text."""

from __future__ import annotations  # the SDK is not read for the names of its types

import asyncio
import itertools
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from django.conf import settings

from meddie.ai import client, offline, tokens
from meddie.ai.errors import AIError
from meddie.ai.events import (
    ChatMessage,
    ChatRequest,
    Delta,
    Passthrough,
    Usage,
    text_of,
)
from meddie.ai.lazy_sdk import openai
from meddie.ai.request_options import chat_options, short_options
from meddie.ai.responses import Answer, whole_text

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
OTHERS_RUN_EVERY = 50  # chunks; those that have arrived are read without a pause
Events = AsyncGenerator[Delta | Passthrough | Usage]
Chunks: TypeAlias = "openai.AsyncStream[object]"


def is_offline() -> bool:
    return not client.Endpoint.for_chat().key


def model_name() -> str:
    """The name of the answering model, for people."""
    if is_offline():
        return "offline (no OPENAI_API_KEY)"
    return f"{settings.CHAT_MODEL} at {settings.OPENAI_BASE_URL}"


async def stream(request: ChatRequest) -> Events:
    """Stream the answer, and one Usage at the end. Raises AIError.

    A failed attempt is repeated only before the first event. Close the generator
    (`contextlib.aclosing`) to hang up early.
    """
    source: Events = _with_retries(request)
    if is_offline():
        source = offline.stream_offline(request)
    async with aclosing(source):
        async for event in source:
            yield event


async def complete(
    messages: Sequence[ChatMessage],
    *,
    max_tokens: int,
    temperature: float = 0,
    seconds: float | None = None,
    extra: Mapping[str, Any] = NOTHING,
) -> str:
    """One short text of the fast model; `extra` fields are sent untouched.

    `seconds` limits each attempt, by default to LIMITS.complete.
    """
    if is_offline():
        return offline.title(messages)
    options = short_options(settings.FAST_MODEL, max_tokens, temperature) | dict(extra)
    limit = seconds or client.LIMITS.complete

    async def attempt() -> str:
        sdk = await client.async_client(client.Endpoint.for_chat())
        async with asyncio.timeout(limit):
            answer = await sdk.chat.completions.with_raw_response.create(
                messages=_for_sdk(messages), timeout=client.timeout(limit), **options
            )
        return whole_text(answer.content)

    return await _retried(attempt)


async def _retried(attempt: Callable[[], Awaitable[str]]) -> str:
    began = time.monotonic()
    attempts = 0
    while True:
        attempts += 1
        try:
            return await attempt()
        except client.failures() as error:
            failure = client.translated(error)
        except AIError as error:
            failure = error
        await _wait(failure, attempts, began)


async def _with_retries(request: ChatRequest) -> Events:
    began = time.monotonic()
    attempts = 0
    while True:
        attempts += 1
        spoke = False
        try:
            async with aclosing(_attempt(request)) as answer:
                async for event in answer:
                    spoke = True
                    yield event
        except AIError as error:
            if spoke:
                raise
            failure = error
        else:
            return
        await _wait(failure, attempts, began)


async def _wait(failure: AIError, attempts: int, began: float) -> None:
    """Sleep before the next attempt, or raise the failure after the last."""
    elapsed = time.monotonic() - began
    seconds = failure.pause(attempts, elapsed, client.CHAT_PATIENCE)
    if seconds is None:
        raise failure
    await asyncio.sleep(seconds)


async def _attempt(request: ChatRequest) -> Events:
    answer = Answer(_model(request), client.LIMITS.reply_characters)
    try:
        async with await _open(request) as response:
            async for chunk in _in_time(response, answer):
                for count, event in enumerate(answer.add(chunk)):
                    if count:  # let others run between the slices of a long text
                        await asyncio.sleep(0)
                    yield event
    except client.failures() as error:
        # After the last word only the count of tokens is missing.
        if not answer.finish:
            raise client.translated(error, spoke=bool(answer.size)) from error
    answer.check()
    tokens_in = _counted_in(answer, request)
    yield Usage(tokens_in, answer.counted_out(), answer.model, answer.finish)


def _model(request: ChatRequest) -> str:
    return request.model or settings.CHAT_MODEL


async def _open(request: ChatRequest) -> Chunks:
    body = chat_options(_model(request)) | dict(request.extra)
    body |= {"messages": list(request.messages), "stream": True}
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


async def _posted(sdk: openai.AsyncOpenAI, body: dict[str, Any]) -> Chunks:
    """The chunks as plain JSON: making objects of them takes half of the time."""
    return await sdk.post(
        "/chat/completions",
        body=body,
        cast_to=object,
        stream=True,
        stream_cls=openai.AsyncStream[object],
    )


async def _in_time(response: Chunks, answer: Answer) -> AsyncGenerator[object]:
    """The chunks until the answer has its longest size. Raises TimeoutError."""
    loop = asyncio.get_running_loop()
    words, last_word = 0, loop.time()
    for count in itertools.count():
        if len(answer.parts) > words:
            words, last_word = len(answer.parts), loop.time()
        patient_until = min(
            loop.time() + _patience_for_next(answer),
            last_word + client.LIMITS.thinking,
        )
        async with asyncio.timeout_at(patient_until):
            if count % OTHERS_RUN_EVERY == 0:
                await asyncio.sleep(0)
            chunk = await anext(response, None)
        if chunk is None:
            return
        yield chunk
        if answer.is_full:
            answer.finish = "length"
            return


def _patience_for_next(answer: Answer) -> float:
    if answer.finish:
        return client.LIMITS.usage
    return client.LIMITS.stall if answer.size else client.LIMITS.first_token


def _counted_in(answer: Answer, request: ChatRequest) -> int:
    if answer.tokens_in is not None:
        return answer.tokens_in
    return sum(tokens.estimate(text_of(message)) for message in request.messages)


def _for_sdk(messages: Sequence[ChatMessage]) -> list[ChatCompletionMessageParam]:
    return cast("list[ChatCompletionMessageParam]", list(messages))
