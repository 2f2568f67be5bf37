"""What the tests of the chat say and hear."""

from contextlib import aclosing
from dataclasses import dataclass

from meddie.ai import chat
from meddie.ai.chat import ChatMessage, Delta, Usage
from meddie.ai.errors import AIError

HELLO: list[ChatMessage] = [
    {"role": "system", "content": "Be kind."},
    {"role": "user", "content": "Hello"},
]


@dataclass
class Heard:
    """A reply, as a listener got it."""

    text: str = ""
    pieces: int = 0
    usage: Usage | None = None
    error: AIError | None = None

    @property
    def outcome(self) -> str:
        return self.error.code if self.error else "done"


async def listen(messages: list[ChatMessage] = HELLO) -> Heard:
    heard = Heard()
    try:
        async with aclosing(chat.stream(messages)) as events:
            async for event in events:
                if isinstance(event, Delta):
                    heard.text += event.text
                    heard.pieces += 1
                else:
                    heard.usage = event
    except AIError as error:
        heard.error = error
    return heard
