"""Pass requests of OpenAI's protocol on to the chat model, and its answers back.

Requests, chunks and answers are JSON objects, which are not changed.
"""

from __future__ import annotations  # the SDK is not read for the names of its types

import asyncio
import math
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeAlias, cast
from uuid import uuid4

from django.conf import settings

from meddie.ai import client, offline
from meddie.ai.chat import count_tokens, is_offline
from meddie.ai.chunks import chunks_in_time, post_stream
from meddie.ai.errors import AIError, BrokenOff, CutOff
from meddie.ai.events import ChatRequest, Delta, Usage
from meddie.ai.request_options import chat_options
from meddie.ai.responses import Answer
from meddie.ai.retry import retried, retried_stream
from meddie.measurements import observe

if TYPE_CHECKING:
    from meddie.ai.client import ProviderLimits

MODEL = "meddie"
"""The model of a request that means CHAT_MODEL."""
LONGEST_ANSWER = 2_000_000  # characters
Json: TypeAlias = dict[str, Any]


def new_answer(body: Json) -> Answer:
    choices = body.get("n") or 1
    return Answer(str(body.get("model", "")), LONGEST_ANSWER, choices=choices)


async def relay_stream(body: Json, answer: Answer) -> AsyncGenerator[Json]:
    """Stream the chunks of an answer. Raises AIError.

    Close the generator (`contextlib.aclosing`) to hang up early.
    """
    source = retried_stream(partial(_attempt, body, answer))
    if is_offline():
        source = _stand_in(body, answer)
    start, spoke = perf_counter(), False
    async with aclosing(source):
        async for chunk in source:
            if answer.size and not spoke:
                observe("first_token", perf_counter() - start)
                spoke = True
            yield chunk
    count_tokens(answer.usage(body["messages"]))


async def relay_whole(body: Json, answer: Answer) -> Json:
    """The answer to a request that does not stream. Raises AIError."""
    if is_offline():
        return await _whole_stand_in(body, answer)
    whole = await retried(partial(_whole_attempt, body, answer))
    count_tokens(answer.usage(body["messages"]))
    return whole


async def list_models() -> list[Any]:
    if is_offline():
        return []
    try:
        async with asyncio.timeout(client.LIMITS.models):
            sdk = await client.async_client(client.Endpoint.for_chat())
            found = await sdk.get("/models", cast_to=object)
    except client.failures():
        return []
    except AIError:
        return []
    models = found.get("data") if isinstance(found, dict) else None
    return models if isinstance(models, list) else []


async def _attempt(body: Json, answer: Answer) -> AsyncGenerator[Json]:
    try:
        sdk = await client.async_client(client.Endpoint.for_chat())
        limits = _limits()
        async with asyncio.timeout(limits.first_token):
            stream = await post_stream(sdk, _addressed(body), limits)
        async with stream as response:
            async for chunk in chunks_in_time(response, answer, limits):
                answer.add(chunk)
                if isinstance(chunk, dict):
                    yield chunk
    except client.failures() as error:
        if not answer.is_complete:
            raise client.translated(error, spoke=bool(answer.size)) from error
    if answer.is_full:
        raise CutOff
    if not answer.is_finished:
        raise BrokenOff


async def _whole_attempt(body: Json, answer: Answer) -> Json:
    limit = client.LIMITS.thinking
    sdk = await client.async_client(client.Endpoint.for_chat())
    async with asyncio.timeout(limit):
        whole = await sdk.post(
            "/chat/completions",
            body=_addressed(body),
            cast_to=object,
            options={"timeout": client.timeout(limit)},
        )
    answer.add_whole(whole)
    return cast("Json", whole)


def _limits() -> ProviderLimits:
    """Reasoning models may pause for long, and call tools without a word."""
    pause = client.LIMITS.thinking
    return replace(client.LIMITS, first_token=pause, stall=pause, thinking=math.inf)


def _addressed(body: Json) -> Json:
    if body.get("model") not in (None, "", MODEL):
        return body
    named = {name: value for name, value in body.items() if name != "model"}
    return chat_options(settings.CHAT_MODEL) | named


async def _stand_in(body: Json, answer: Answer) -> AsyncGenerator[Json]:
    head = _head("chat.completion.chunk")
    async with aclosing(offline.stream_offline(ChatRequest(body["messages"]))) as all_:
        async for event in all_:
            delta = {"content": event.text} if isinstance(event, Delta) else {}
            finish = "stop" if isinstance(event, Usage) else None
            choice = {"index": 0, "delta": delta, "finish_reason": finish}
            chunk = head | {"choices": [choice]}
            answer.add(chunk)
            yield chunk
            if isinstance(event, Usage) and _wants_usage(body):
                chunk = head | {"choices": [], "usage": _usage(event)}
                answer.add(chunk)
                yield chunk


async def _whole_stand_in(body: Json, answer: Answer) -> Json:
    asked = body | {"stream_options": {"include_usage": True}}
    async with aclosing(_stand_in(asked, answer)) as chunks:
        last = [chunk async for chunk in chunks][-1]
    message = {"role": "assistant", "content": answer.text, "refusal": None}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return last | {"object": "chat.completion", "choices": [choice]}


def _head(kind: str) -> Json:
    return {
        "id": f"chatcmpl-{uuid4().hex}",
        "object": kind,
        "created": int(time.time()),
        "model": offline.MODEL,
    }


def _usage(usage: Usage) -> Json:
    return {
        "prompt_tokens": usage.tokens_in,
        "completion_tokens": usage.tokens_out,
        "total_tokens": usage.tokens_in + usage.tokens_out,
    }


def _wants_usage(body: Json) -> bool:
    options = body.get("stream_options")
    return isinstance(options, dict) and bool(options.get("include_usage"))
