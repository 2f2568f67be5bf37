"""Send a chat request and collect the events."""

import json
from contextlib import aclosing
from dataclasses import dataclass, field

from meddie.ai.errors import AIError
from meddie.ai.events import ChatMessage, ChatRequest, Delta, Passthrough, Usage
from meddie.ai.provider import current_provider

HELLO: list[ChatMessage] = [
    {"role": "system", "content": "Be kind."},
    {"role": "user", "content": "Hello"},
]
EVENTS = {"Content-Type": "text/event-stream"}


@dataclass
class Heard:
    """The events of one reply."""

    text: str = ""
    pieces: int = 0
    usage: Usage | None = None
    passed: list[Passthrough] = field(default_factory=list)
    error: AIError | None = None

    @property
    def outcome(self) -> str:
        return self.error.code if self.error else "done"


async def listen(messages: list[ChatMessage] = HELLO) -> Heard:
    return await listen_to(ChatRequest(messages))


async def listen_to(request: ChatRequest) -> Heard:
    heard = Heard()
    try:
        async with aclosing(current_provider().stream(request)) as events:
            async for event in events:
                if isinstance(event, Delta):
                    heard.text += event.text
                    heard.pieces += 1
                elif isinstance(event, Passthrough):
                    heard.passed.append(event)
                else:
                    heard.usage = event
    except AIError as error:
        heard.error = error
    return heard


def chunk(**fields: object) -> bytes:
    """An event with a whole answer."""
    choice = {"index": 0, "delta": {"content": "Hi"}, "finish_reason": "stop"}
    return b"data: " + json.dumps({"choices": [choice]} | fields).encode() + b"\n\n"
