"""Repeat failed calls of the chat model."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import TypeVar

from meddie.ai import client
from meddie.ai.errors import AIError

T = TypeVar("T")


async def retried(attempt: Callable[[], Awaitable[T]]) -> T:
    """The result of the first attempt that succeeds. Raises AIError."""
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


async def retried_stream(
    attempt: Callable[[], AsyncGenerator[T]],
) -> AsyncGenerator[T]:
    """Repeat an attempt that raises AIError only before its first event."""
    began = time.monotonic()
    attempts = 0
    while True:
        attempts += 1
        spoke = False
        try:
            async with aclosing(attempt()) as answer:
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
