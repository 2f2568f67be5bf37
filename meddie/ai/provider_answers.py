"""Read a provider's answers, which may break the protocol."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from meddie.ai.errors import UNFINISHED_REASONS, BrokenOff, CutOff, Garbled
from meddie.ai.events import Usage, text_of
from meddie.ai.tokens import estimate

READING_ERRORS = (ValueError, LookupError, TypeError, RecursionError)
ANSWERING_FIELDS = ("content", "refusal", "tool_calls", "function_call", "audio")
SLICE = 1000  # characters of a piece: no consumer holds up the event loop for long


@dataclass
class Answer:
    """An answer of at most `longest` characters, all choices together.

    What is added is cut in place, so that what is relayed of it has this length, too.
    """

    model: str
    longest: int
    parts: list[str] = field(default_factory=list)
    size: int = 0  # characters of text, and one for each chunk of other fields
    words: int = 0  # pieces of text or of calls, of any choice: not what it thinks
    calls_tools: bool = False
    calls: dict[int, dict[str, str]] = field(default_factory=dict)
    finish: str = ""  # of the first choice
    choices: int = 1  # that were asked for; some providers send only one
    further: dict[int, bool] = field(default_factory=dict)  # whether they are finished
    tokens_in: int | None = None
    tokens_out: int | None = None

    @property
    def is_full(self) -> bool:
        return self.size >= self.longest

    @property
    def text(self) -> str:
        return "".join(self.parts)

    @property
    def is_finished(self) -> bool:
        """Whether the choices that have begun are finished."""
        return bool(self.finish) and all(self.further.values())

    @property
    def is_complete(self) -> bool:
        return self.is_finished and len(self.further) + 1 >= self.choices

    def add(self, chunk: object) -> list[str]:
        """Take one chunk and return the pieces of text of the first choice. Raises Garbled."""
        if not isinstance(chunk, dict):
            raise Garbled
        self._count(chunk)
        choices = chunk.get("choices")
        if not isinstance(choices, list):
            if self.finish:  # a chunk that only counts tokens
                return []
            raise Garbled
        return [piece for choice in choices for piece in self._add(choice)]

    def add_whole(self, answer: object) -> list[str]:
        choices = _in(answer, "choices")
        if not isinstance(answer, dict) or not isinstance(choices, list):
            raise Garbled
        deltas = [
            {**choice, "delta": choice["message"]}
            for choice in choices
            if isinstance(_in(choice, "message"), dict)
        ]
        if len(deltas) < len(choices):
            raise Garbled
        pieces = self.add({**answer, "choices": deltas})
        if self.is_full:
            choices[-1]["finish_reason"] = "length"
        return pieces

    def check(self, *, empty: bool) -> None:
        """Raise an AIError if the answer is not whole; it may be `empty`."""
        if empty and self.is_full:
            raise CutOff
        if not (empty or self.parts or self.calls_tools):
            raise UNFINISHED_REASONS.get(self.finish, Garbled)("no text")
        if not self.is_finished:
            raise BrokenOff

    def usage(self, messages: Iterable[Mapping[str, object]]) -> Usage:
        """For the answer to these messages; estimated if the provider does not count."""
        tokens_in, tokens_out = self.tokens_in, self.tokens_out
        if tokens_in is None:
            tokens_in = sum(estimate(text_of(message)) for message in messages)
        if tokens_out is None:
            tokens_out = estimate(self.text)
        calls = tuple(self.calls.values())
        return Usage(tokens_in, tokens_out, self.model, self.finish, calls)

    def _add(self, choice: object) -> list[str]:
        delta = _in(choice, "delta")
        if not isinstance(delta, dict):
            delta = {}
        spoken = _spoken(delta.get("content"))
        text = self._within(spoken)
        if text != (spoken or ""):
            delta["content"] = text
        finish = _in(choice, "finish_reason")
        self.words += any(delta.get(name) for name in ANSWERING_FIELDS)
        if index := _in(choice, "index"):
            self.size += 1
            self.further[index] = bool(finish) or self.further.get(index, False)
            return []
        self.finish = finish if isinstance(finish, str) and finish else self.finish
        others = {  # many providers send empty ones
            name: value
            for name, value in delta.items()
            if name not in {"role", "content"} and value not in (None, "", [])
        }
        if others:
            text += self._within(others.get("refusal"))
            self.size += 1
            self._add_calls(others.get("tool_calls"))
            self.calls_tools |= "tool_calls" in others or "function_call" in others
        self.parts += filter(None, [text])
        return [text[start : start + SLICE] for start in range(0, len(text), SLICE)]

    def _add_calls(self, pieces: object) -> None:
        """Join the pieces of calls, as a stream cuts them."""
        for place, piece in enumerate(pieces if isinstance(pieces, list) else []):
            index, function = _in(piece, "index"), _in(piece, "function")
            number = index if isinstance(index, int) else place
            call = self.calls.setdefault(
                number, {"id": "", "name": "", "arguments": ""}
            )
            # Some providers repeat the id and the name with each piece.
            call["id"] = call["id"] or str(_in(piece, "id") or "")
            call["name"] = call["name"] or str(_in(function, "name") or "")
            arguments = _in(function, "arguments")
            if isinstance(arguments, str):
                call["arguments"] += arguments
                self.size += len(arguments)

    def _within(self, text: object) -> str:
        if not isinstance(text, str | None):
            raise Garbled
        kept = (text or "")[: max(self.longest - self.size, 0)]
        self.size += len(kept)
        return kept

    def _count(self, chunk: dict[str, Any]) -> None:
        model = chunk.get("model")
        self.model = model if isinstance(model, str) and model else self.model
        usage = chunk.get("usage")
        self.tokens_in = _number(usage, "prompt_tokens", self.tokens_in)
        self.tokens_out = _number(usage, "completion_tokens", self.tokens_out)


def whole_text(raw: bytes, answer: Answer) -> str:
    """The text of an answer that was not streamed, which is added. Raises Garbled."""
    try:
        whole = json.loads(raw)
        text = whole["choices"][0]["message"]["content"]
        answer.add_whole(whole)
    except READING_ERRORS as error:
        raise Garbled from error
    if not isinstance(text, str) or not text.strip():
        raise Garbled("no text")
    return text


def read_vectors(raw: bytes, count: int) -> list[Any]:
    """In the order of the request. Raises Garbled."""
    try:
        data = sorted(json.loads(raw)["data"], key=lambda row: row["index"])
        vectors = [row["embedding"] for row in data]
    except READING_ERRORS as error:
        raise Garbled from error
    if len(vectors) != count:
        raise Garbled(f"{len(vectors)} vectors for {count} texts")
    return vectors


def _spoken(content: object) -> object:
    """Of a content in parts, as Mistral's thinking models have it, the text alone."""
    if not isinstance(content, list):
        return content
    parts = (part for part in content if _in(part, "type") == "text")
    return "".join(text for part in parts if isinstance(text := _in(part, "text"), str))


def _in(found: object, name: str) -> Any:
    return found.get(name) if isinstance(found, dict) else None


def _number(usage: object, name: str, otherwise: int | None) -> int | None:
    value = _in(usage, name)
    return value if isinstance(value, int) else otherwise
