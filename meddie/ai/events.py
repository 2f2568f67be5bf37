"""What goes into the chat model and what comes out, from any provider."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict


class ChatMessage(TypedDict):
    """A message of Meddie's own prompts."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One request to a chat model.

    `messages` are those of OpenAI's protocol: the content is a string or a list of parts
    (text, image_url), and other roles and fields pass. `extra` fields (tools,
    temperature, response_format, unknown ones) are sent untouched.
    """

    messages: Sequence[Mapping[str, object]]
    model: str | None = None
    """None for CHAT_MODEL."""
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Delta:
    """The next piece of the answer's text, never empty."""

    text: str


@dataclass(frozen=True, slots=True)
class Passthrough:
    """Other fields of a delta (tool calls, a refusal, unknown ones), as they were sent.

    `choice` is not 0 only where the request asked for several answers.
    """

    fields: Mapping[str, Any]
    choice: int = 0

    @property
    def text(self) -> str:
        """The words of a refusal, which a user reads like an answer."""
        refusal = "" if self.choice else self.fields.get("refusal")
        return refusal if isinstance(refusal, str) else ""


@dataclass(frozen=True, slots=True)
class Usage:
    """The end of a whole answer; tokens are estimated where the provider counts none."""

    tokens_in: int
    tokens_out: int
    model: str
    finish_reason: str = "stop"


def text_of(message: Mapping[str, object]) -> str:
    """The text of a message; pictures and other parts are left out."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = (part.get("text") for part in parts if isinstance(part, dict))
    return "\n".join(text for text in texts if isinstance(text, str))
