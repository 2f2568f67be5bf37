"""What goes into the chat model and what comes out, whichever provider answers."""

from dataclasses import dataclass
from typing import Literal, TypedDict


class ChatMessage(TypedDict):
    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Delta:
    """The next piece of the answer, never empty."""

    text: str


@dataclass(frozen=True, slots=True)
class Usage:
    """The end of a whole answer; estimated where the provider does not count."""

    tokens_in: int
    tokens_out: int
    model: str
