"""Reading what a provider sent, which need not be what the protocol says."""

from __future__ import annotations  # the SDK is not read for the names of its types

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from meddie.ai.errors import BrokenOff, Garbled, Refused
from meddie.ai.sdk import openai
from meddie.ai.tokens import estimate

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletionChunk


@dataclass
class Answer:
    """A streamed answer as far as it has come."""

    model: str
    parts: list[str] = field(default_factory=list)
    size: int = 0
    finish: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None

    def add(self, chunk: object) -> str:
        """Take in one chunk and give back its text, which may be empty."""
        if not isinstance(chunk, openai.types.chat.ChatCompletionChunk):
            raise Garbled
        self._count(chunk)
        choices: object = chunk.choices  # the SDK checks no types
        if not isinstance(choices, list):
            raise Garbled
        return "".join(self._add(choice) for choice in choices[:1])

    def check(self) -> None:
        """At the end of the stream: was that a whole answer?"""
        if self.finish == "content_filter" and not self.parts:
            raise Refused("content_filter")
        if not self.parts:
            raise Garbled("no text")
        if not self.finish:
            raise BrokenOff

    def counted_out(self) -> int:
        return (
            estimate("".join(self.parts))
            if self.tokens_out is None
            else self.tokens_out
        )

    def _add(self, choice: Any) -> str:
        delta = getattr(choice, "delta", None)
        text = getattr(delta, "content", None) or getattr(delta, "refusal", None) or ""
        if not isinstance(text, str):
            raise Garbled
        self.finish = getattr(choice, "finish_reason", None) or self.finish
        if text:
            self.parts.append(text)
            self.size += len(text)
        return text

    def _count(self, chunk: ChatCompletionChunk) -> None:
        self.model = chunk.model or self.model
        self.tokens_in = _number(chunk.usage, "prompt_tokens", self.tokens_in)
        self.tokens_out = _number(chunk.usage, "completion_tokens", self.tokens_out)


def whole_text(raw: bytes) -> str:
    """The text of an answer that was not streamed."""
    try:
        text = json.loads(raw)["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError) as error:
        raise Garbled from error
    if not isinstance(text, str) or not text.strip():
        raise Garbled("no text")
    return text


def rows(raw: bytes, count: int) -> list[Any]:
    """The vectors of an embeddings answer, in the order of the request."""
    try:
        data = sorted(json.loads(raw)["data"], key=lambda row: row["index"])
        vectors = [row["embedding"] for row in data]
    except (ValueError, LookupError, TypeError) as error:
        raise Garbled from error
    if len(vectors) != count:
        raise Garbled(f"{len(vectors)} vectors for {count} texts")
    return vectors


def _number(usage: object, name: str, otherwise: int | None) -> int | None:
    value = getattr(usage, name, None)
    return value if isinstance(value, int) else otherwise
