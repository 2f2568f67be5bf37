"""The stand-in that answers without a key, so that all of Meddie can be tried.

It gets what a model gets, the messages, and writes what a model writes: text in pieces
with the block of notes. Only this package holds rules that replace a model.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence

from meddie.ai import tokens
from meddie.ai.errors import Unsupported
from meddie.ai.events import ChatMessage, ChatRequest, Delta, Usage, text_of
from meddie.ai.offline import replies, resolution

MODEL = "offline"
PACE = 0.01  # seconds between two words: slow enough to see it stream
TITLE_WORDS = 6
RULES: dict[str, Callable[[Sequence[ChatMessage]], object]] = {
    "memory_resolution": resolution.find_replacements,
}
"""What `structured.ask` gets, by the name of its schema."""


async def stream_offline(request: ChatRequest) -> AsyncGenerator[Delta | Usage]:
    """The reply word by word, then its end."""
    reply = replies.reply_to(request.messages)
    for piece in re.findall(r"\s*\S+", reply):
        await asyncio.sleep(PACE)
        yield Delta(piece)
    asked = sum(tokens.estimate(text_of(message)) for message in request.messages)
    yield Usage(asked, tokens.estimate(reply), MODEL)


def title(messages: Sequence[Mapping[str, object]]) -> str:
    """A title, the only short text asked for: the first words of the conversation."""
    lines = text_of(messages[-1]).splitlines() if messages else []
    words = next((line for line in lines if line[:1] not in {"", "<"}), "").split()
    more = "…" if len(words) > TITLE_WORDS else ""
    return " ".join(words[:TITLE_WORDS]).rstrip(".,;:!?") + more or "Conversation"


def answer(name: str, messages: Sequence[ChatMessage]) -> object:
    """The object that the rules for this schema make of the messages."""
    if name not in RULES:
        raise Unsupported(f"the offline stand-in has no rules for {name}")
    return RULES[name](messages)
