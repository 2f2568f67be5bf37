"""The stand-in that answers when there is no key, so that all of Meddie can be tried.

It follows a few rules and says so. It sees what a model would see, the messages, and
writes what a model would write: text in pieces and the block of notes.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Any, cast

from meddie.ai import tokens
from meddie.ai.errors import Unsupported
from meddie.ai.events import (
    ChatMessage,
    ChatRequest,
    Delta,
    Passthrough,
    Usage,
    text_of,
)
from meddie.ai.offline import replies, resolution

MODEL = "offline"
PACE = 0.01  # seconds between two words: slow enough to see it stream
TITLE_WORDS = 6
RULES: dict[str, Callable[[Sequence[ChatMessage]], object]] = {
    "memory_resolution": resolution.resolve,
}
"""What `structured.ask` gets, by the name of its schema."""


async def stream(
    request: ChatRequest,
) -> AsyncGenerator[Delta | Passthrough | Usage]:
    """The reply word by word, then its end."""
    messages: list[ChatMessage] = [
        {"role": cast("Any", message.get("role")), "content": text_of(message)}
        for message in request.messages
    ]
    reply = replies.write(messages)
    for piece in re.findall(r"\s*\S+", reply):
        await asyncio.sleep(PACE)
        yield Delta(piece)
    asked = sum(tokens.estimate(message["content"]) for message in messages)
    yield Usage(asked, tokens.estimate(reply), MODEL)


def complete(messages: Sequence[ChatMessage]) -> str:
    """The only short text asked for is a title: the first words of what was said."""
    said = messages[-1]["content"] if messages else ""
    lines = (line.strip() for line in said.splitlines())
    line = next((line for line in lines if line and not line.startswith("<")), "")
    words = line.split()
    title = " ".join(words[:TITLE_WORDS]).rstrip(".,;:!?")
    more = "…" if len(words) > TITLE_WORDS else ""
    return f"{title}{more}" or "Conversation"


def answer(name: str, messages: Sequence[ChatMessage]) -> object:
    """The object that the rules for this schema make of the messages."""
    if name not in RULES:
        raise Unsupported(f"the offline stand-in has no rules for {name}")
    return RULES[name](messages)
