"""How the local server of the OpenAI protocol answers one request."""

import hashlib
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Answer:
    """How one request is answered."""

    text: str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    """The raw body of the response."""
    pieces: tuple[str, ...] | None = None
    """The fragments of a stream; None for 1 to 20 characters at random."""
    hold: int | None = None
    """Fragments before a pause that lasts until the server's `released` is set."""
    deltas: tuple[dict[str, Any], ...] = ()
    """Sent before the fragments of a stream."""
    endless: dict[str, Any] | None = None
    """Sent without end after the fragments of a stream."""
    after: int | None = None
    """Fragments before `then`."""
    then: str = ""
    """"stall", "disconnect", "garble", "error", "end" or "other protocol"."""
    latency: float = 0
    pace: float = 0
    after_finish: str = ""
    """Like `then`, between the last text and the count of tokens."""
    finish: str | None = "stop"
    usage: bool = True
    error_code: str = "nope"


Handler = Callable[[dict[str, Any]], Answer]


def says(text: str, **how: Any) -> Answer:
    return Answer(text, **how)


def fails(status: int, *, retry_after: float | None = None, **how: Any) -> Answer:
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return Answer(status=status, headers=headers, **how)


def stalls(text: str = "", **how: Any) -> Answer:
    """Send the text, then nothing more."""
    return Answer(text, then="stall", **how)


def disconnects(text: str = "", **how: Any) -> Answer:
    """Send the text, then close the connection."""
    return Answer(text, then="disconnect", **how)


def speaks_otherwise() -> Answer:
    """Answer like a mail server."""
    return Answer(then="other protocol")


def garbles(text: str = "", **how: Any) -> Answer:
    """Send the text, then invalid JSON."""
    return Answer(text, then="garble", **how)


def breaks_off(text: str = "", **how: Any) -> Answer:
    """Send the text and end the stream without a finish reason."""
    return Answer(text, then="end", **how)


def error_in_stream(text: str = "", **how: Any) -> Answer:
    """Send the text, then an error as an event."""
    return Answer(text, then="error", **how)


def calls_tool(*arguments: str, text: str = "", name: str = "search_memory") -> Answer:
    """Say the text, then call the tool with each of these arguments, in pieces."""
    deltas: list[dict[str, Any]] = [{"content": text}] if text else []
    for index, whole in enumerate(arguments):
        head = {"index": index, "id": f"call-{index}", "type": "function"}
        begun = head | {"function": {"name": name, "arguments": whole[:7]}}
        rest = {"index": index, "function": {"arguments": whole[7:]}}
        deltas += [{"tool_calls": [begun]}, {"tool_calls": [rest]}]
    return Answer(deltas=tuple(deltas), finish="tool_calls")


def raw(body: bytes, **how: Any) -> Answer:
    return Answer(raw=body, **how)


def fragments(text: str, seed: int = 0) -> tuple[str, ...]:
    rolls = random.Random(f"{seed}{text}")  # noqa: S311 -- to be repeatable
    pieces = []
    while text:
        size = rolls.randint(1, 20)
        pieces.append(text[:size])
        text = text[size:]
    return tuple(pieces)


@lru_cache(maxsize=10_000)
def _word_vector(word: str, dimensions: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8])
    return np.random.default_rng(seed).standard_normal(dimensions)


def vector_of(text: str, dimensions: int = 1536) -> list[float]:
    """A unit vector, near those of texts with the same words (first five letters)."""
    words = [word[:5] for word in re.findall(r"\w+", text.casefold())] or [text]
    total = np.sum([_word_vector(word, dimensions) for word in words], axis=0)
    vector: list[float] = (total / np.linalg.norm(total)).tolist()
    return vector
