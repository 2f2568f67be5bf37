"""How a call of the scripted Bot API is answered."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Answer:
    """How one call is answered; without a status, correctly."""

    status: int = 0
    description: str = ""
    retry_after: float = 0
    slow: float = 0
    then: str = ""
    """"hang up" before the call takes effect, "vanish" or "garble" after it."""
    raw: bytes = b""
    meanwhile: Callable[[], object] | None = None
    """Called after the call took effect and before it is answered."""


def floods(retry_after: float = 1) -> Answer:
    words = f"Too Many Requests: retry after {retry_after}"
    return Answer(429, words, retry_after=retry_after)


def fails(status: int, description: str = "It went wrong") -> Answer:
    return Answer(status, description)


def blocks() -> Answer:
    return Answer(403, "Forbidden: bot was blocked by the user")


def slow(seconds: float) -> Answer:
    return Answer(slow=seconds)


def hangs_up() -> Answer:
    """The call has no effect and no answer."""
    return Answer(then="hang up")


def vanishes() -> Answer:
    """The call takes effect, but has no answer."""
    return Answer(then="vanish")


def garbles(raw: bytes = b'{"ok": tr') -> Answer:
    """The call takes effect, but the answer is unreadable."""
    return Answer(then="garble", raw=raw)


class Refusal(Exception):
    """A correct answer that is not ok."""

    def __init__(self, status: int, description: str) -> None:
        super().__init__(description)
        self.answer = Answer(status, description)
