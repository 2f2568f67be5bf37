"""The stand-in that answers without a key."""

import asyncio
import re
from collections.abc import AsyncGenerator, Mapping, Sequence

from meddie.ai import extractive, tokens
from meddie.ai.errors import Unsupported
from meddie.ai.events import ChatMessage, ChatRequest, Delta, Usage, text_of
from meddie.ai.offline import replies, resolution, statements

MODEL = "offline"
PACE = 0.01  # seconds between two words: slow enough to see it stream
TITLE_WORDS = 6
SUMMARIES = ("running_summary", "chunk_summary", "episode_summary")
# Answers for `structured.ask`, by the name of the schema
RULES = {
    "memory_extraction": statements.extract,
    "memory_resolution": resolution.find_replacements,
    **dict.fromkeys(SUMMARIES, extractive.summarise),
}


async def stream_offline(request: ChatRequest) -> AsyncGenerator[Delta | Usage]:
    reply = replies.reply_to(request.messages)
    for piece in re.findall(r"\s*\S+", reply):
        await asyncio.sleep(PACE)
        yield Delta(piece)
    asked = sum(tokens.estimate(text_of(message)) for message in request.messages)
    yield Usage(asked, tokens.estimate(reply), MODEL)


def title(messages: Sequence[Mapping[str, object]]) -> str:
    lines = text_of(messages[-1]).splitlines() if messages else []
    words = next((line for line in lines if line[:1] not in {"", "<"}), "").split()
    more = "…" if len(words) > TITLE_WORDS else ""
    return " ".join(words[:TITLE_WORDS]).rstrip(".,;:!?") + more or "Conversation"


def answer(name: str, messages: Sequence[ChatMessage]) -> object:
    if name not in RULES:
        raise Unsupported(f"the offline stand-in has no rules for {name}")
    return RULES[name](messages)
