"""The stand-in that answers without a key."""

import asyncio
import re
from collections.abc import AsyncGenerator, Sequence

from meddie.ai import extractive, tokens
from meddie.ai.errors import Unsupported
from meddie.ai.events import ChatMessage, ChatRequest, Delta, Usage, text_of
from meddie.ai.offline import replies, resolution, statements

MODEL = "offline"
PACE = 0.01  # seconds between two words: slow enough to see it stream
# Answers for `structured.ask`, by the name of the schema
RULES = {
    "memory_extraction": statements.extract,
    "memory_resolution": resolution.find_replacements,
    "running_summary": extractive.summarise,
    "chunk_summary": extractive.summarise,
    "episode_summary": extractive.summarise,
}


async def stream_offline(request: ChatRequest) -> AsyncGenerator[Delta | Usage]:
    reply = replies.reply_to(request.messages)
    for piece in re.findall(r"\s*\S+", reply):
        await asyncio.sleep(PACE)
        yield Delta(piece)
    asked = sum(tokens.estimate(text_of(message)) for message in request.messages)
    yield Usage(asked, tokens.estimate(reply), MODEL)


def answer(name: str, messages: Sequence[ChatMessage]) -> object:
    if name not in RULES:
        raise Unsupported(f"the offline stand-in has no rules for {name}")
    return RULES[name](messages)
