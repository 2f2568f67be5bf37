"""The chunks of a streamed answer, each in time."""

from __future__ import annotations  # the SDK is not read for the names of its types

import asyncio
import itertools
from collections.abc import AsyncGenerator
from typing import Any, TypeAlias

from meddie.ai import client
from meddie.ai.client import ProviderLimits
from meddie.ai.lazy_sdk import openai
from meddie.ai.provider_answers import Answer

Chunks: TypeAlias = "openai.AsyncStream[object]"

OTHERS_RUN_EVERY = 50  # chunks; those that have arrived are read without a pause


async def post_stream(
    sdk: openai.AsyncOpenAI, body: dict[str, Any], limits: ProviderLimits
) -> Chunks:
    """The chunks as plain JSON: making objects of them takes half of the time."""
    return await sdk.post(
        "/chat/completions",
        body=body,
        cast_to=object,
        stream=True,
        stream_cls=openai.AsyncStream[object],
        options={"timeout": client.timeout(max(limits.first_token, limits.stall))},
    )


async def chunks_in_time(
    response: Chunks, answer: Answer, limits: ProviderLimits
) -> AsyncGenerator[object]:
    """The chunks until the answer has its longest size. Raises TimeoutError."""
    loop = asyncio.get_running_loop()
    words, last_word = 0, loop.time()
    for count in itertools.count():
        if answer.words > words:
            words, last_word = answer.words, loop.time()
        patience = limits.stall if answer.size else limits.first_token
        if answer.is_complete:
            patience = limits.usage
        until = min(loop.time() + patience, last_word + limits.thinking)
        async with asyncio.timeout_at(until):
            if count % OTHERS_RUN_EVERY == 0:
                await asyncio.sleep(0)
            chunk = await anext(response, None)
        if chunk is None:
            return
        yield chunk
        if answer.is_full:
            answer.finish = "length"
            return
