"""Decide whether text begins a block: a fence, bracket or brace, then a known key.

Accepts keys in any quotation marks: an undetected block would be shown.
"""

from enum import Enum, auto

from conversations.reply.block.keys import NAMES

FENCES = "`~"
QUOTES = "\"'“”„‘’\\"  # noqa: RUF001 -- models write them
LONGEST_INFO = 40  # characters of a language name after a fence


class Detection(Enum):
    OPEN = auto()  # it may still become a block
    NONE = auto()  # it is text; the last character does not belong to it
    BLOCK = auto()  # it is a block


class Detector:
    """Takes characters from the first fence, bracket or brace on.

    `code` is the fence of an open code example, `fence` that of an open block.
    """

    def __init__(self, first: str, *, code: str = "", fence: str = "") -> None:
        self._held = [first]
        self._fence_length = int(first in FENCES)
        self._brace: int | None = 0 if first == "{" else None
        self._code = code
        self._outer_fence = fence
        self._key = ""
        self._state = self._in_run if self._fence_length else self._before_brace
        if first == "{":
            self._state = self._before_key

    @property
    def held(self) -> str:
        return "".join(self._held)

    @property
    def raw(self) -> str:
        """The object so far; empty before its brace."""
        return "" if self._brace is None else "".join(self._held[self._brace :])

    @property
    def fence(self) -> str:
        """Three or more characters, or empty."""
        own = self._held[0] * self._fence_length
        return self._outer_fence or (own if self._fence_length >= 3 else "")

    @property
    def ends_code(self) -> bool:
        return bool(self._code) and self.held.startswith(self._code)

    def probable(self, *, cut: bool) -> bool:
        """Whether the held text counts as a block at the end."""
        if self.ends_code:
            return False
        # A cut may precede the key. Otherwise a lone brace counts only in a fence.
        raw = self.raw
        return cut or bool(raw and (self.fence or len(raw.rstrip()) > 1))

    def step(self, char: str) -> Detection:
        verdict = self._state(char)
        if verdict is not Detection.NONE:
            self._held.append(char)
        return verdict

    def _in_run(self, char: str) -> Detection:
        if char == self._held[0]:
            self._fence_length += 1
            return Detection.OPEN
        if self._fence_length < 3 or self._code:
            return Detection.NONE
        self._state = self._in_info
        return self._in_info(char)

    def _in_info(self, char: str) -> Detection:
        if char in "{[\n":
            self._state = self._before_brace
            return self._before_brace(char)
        if char == "`" or len(self._held) > LONGEST_INFO:
            return Detection.NONE
        return Detection.OPEN

    def _before_brace(self, char: str) -> Detection:
        if char == "{":
            self._brace = len(self._held)
            self._state = self._before_key
            return Detection.OPEN
        waits = char.isspace() or char in "[\ufeff"
        return Detection.OPEN if waits else Detection.NONE

    def _before_key(self, char: str) -> Detection:
        if char.isspace() or char in QUOTES:
            return Detection.OPEN
        self._state = self._in_key
        return self._in_key(char)

    def _in_key(self, char: str) -> Detection:
        if self._key in NAMES and (char in QUOTES or char in ": \t\n"):
            return Detection.BLOCK
        self._key += char.casefold()
        known = any(name.startswith(self._key) for name in NAMES)
        return Detection.OPEN if known else Detection.NONE
