"""Reading what a provider sent, which need not be what the protocol says."""

import json
from dataclasses import dataclass, field
from typing import Any

from meddie.ai.errors import BrokenOff, Garbled, Refused
from meddie.ai.tokens import estimate


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
        """Take in one chunk of JSON and give back its text, which may be empty."""
        if not isinstance(chunk, dict):
            raise Garbled
        self._count(chunk)
        choices = chunk.get("choices")
        if not isinstance(choices, list):
            if self.finish:  # all is said, and this only counts tokens
                return ""
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

    def _add(self, choice: object) -> str:
        delta = _in(choice, "delta")
        text = _in(delta, "content") or _in(delta, "refusal") or ""
        if not isinstance(text, str):
            raise Garbled
        self.finish = _in(choice, "finish_reason") or self.finish
        if text:
            self.parts.append(text)
            self.size += len(text)
        return text

    def _count(self, chunk: dict[str, Any]) -> None:
        self.model = chunk.get("model") or self.model
        usage = chunk.get("usage")
        self.tokens_in = _number(usage, "prompt_tokens", self.tokens_in)
        self.tokens_out = _number(usage, "completion_tokens", self.tokens_out)


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


def _in(found: object, name: str) -> Any:
    return found.get(name) if isinstance(found, dict) else None


def _number(usage: object, name: str, otherwise: int | None) -> int | None:
    value = _in(usage, name)
    return value if isinstance(value, int) else otherwise
