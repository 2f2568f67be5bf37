"""Requests to a chat model and events of its answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict


class ChatMessage(TypedDict):
    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """Messages of OpenAI's protocol; other fields are sent untouched."""

    messages: Sequence[Mapping[str, object]]
    model: str | None = None  # None for CHAT_MODEL
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of text, never empty."""

    text: str


@dataclass(frozen=True, slots=True)
class Passthrough:
    """Other fields of a delta, such as tool calls. `choice` counts answers from 0."""

    fields: Mapping[str, Any]
    choice: int = 0

    @property
    def text(self) -> str:
        """The words of a refusal."""
        refusal = "" if self.choice else self.fields.get("refusal")
        return refusal if isinstance(refusal, str) else ""


@dataclass(frozen=True, slots=True)
class Usage:
    """The end of a whole answer; tokens may be estimated."""

    tokens_in: int
    tokens_out: int
    model: str
    finish_reason: str = "stop"


def text_of(message: Mapping[str, object]) -> str:
    """The text without pictures and other parts."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = (part.get("text") for part in parts if isinstance(part, dict))
    return "\n".join(text for text in texts if isinstance(text, str))
