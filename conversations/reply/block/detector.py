"""Decide whether text begins a block: a fence, bracket or brace, then a known key.

Accepts keys in any quotation marks: an undetected block would be shown. In a fence the
known key may come after entries with plain values (decision 17).
"""

import re
from collections.abc import Callable
from enum import Enum, auto

from conversations.reply.block.keys import NAMES

FENCES = "`~"
QUOTES = "\"'“”„‘’\\"  # noqa: RUF001 -- models write them
PLAIN_VALUE = frozenset("0123456789+-.eE: \t\r\n" + "true" + "false" + "null")


class Detection(Enum):
    OPEN = auto()  # it may still become a block
    NONE = auto()  # it is text; the last character does not belong to it
    BLOCK = auto()  # it is a block


class Detector:
    """Takes characters from the first fence, bracket or brace on.

    `code` is the fence of an open code example, `fence` that of an open block, which
    this text may close (`closing`). `quoted`: lines begin with ">".
    """

    def __init__(
        self,
        first: str,
        *,
        code: str = "",
        fence: str = "",
        closing: bool = False,
        quoted: bool = False,
    ) -> None:
        self.quoted = quoted
        self.escaped = False  # the key is in \" marks
        self.late = False  # another key comes first
        self._held = [first]
        self._fence_length = int(first in FENCES)
        self._brace: int | None = 0 if first == "{" else None
        self._code = code
        self._outer_fence = fence
        self._closing = closing
        self._key = ""
        self._in_string = False
        # Functions of the class: bound ones would be cycles, left to the collector.
        self._state: Callable[[Detector, str], Detection] = (
            Detector._in_run if self._fence_length else Detector._before_brace
        )
        if first == "{":
            self._state = Detector._before_key

    @property
    def held(self) -> str:
        return "".join(self._held)

    @property
    def text(self) -> str:
        """What is shown if this is no block: all but the fence that closes one."""
        closes = self._closing and self._fence_length >= 3
        return "".join(self._held[self._fence_length :]) if closes else self.held

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
    def opens_code(self) -> bool:
        return bool(self.fence) and not self._closing and not self._code

    @property
    def ends_code(self) -> bool:
        return bool(self._code) and self.held.startswith(self._code)

    @property
    def is_lone_fence(self) -> bool:
        return self._fence_length == len(self.held.rstrip())

    def probable(self, *, cut: bool) -> bool:
        """Whether the held text counts as a block at the end."""
        if self.ends_code:
            return False
        if self.late or self._state == Detector._in_other_entry:
            return bool(self._key) and _may_be_known(self._key)
        # A cut may precede the key. Otherwise a lone brace counts only in a fence.
        raw = self.raw
        return cut or bool(raw and (self.fence or len(raw.rstrip()) > 1))

    def step(self, char: str) -> Detection:
        verdict = self._state(self, char)
        if verdict is not Detection.NONE:
            self._held.append(char)
        return verdict

    def _in_run(self, char: str) -> Detection:
        if char == self._held[0]:
            self._fence_length += 1
            return Detection.OPEN
        if self._fence_length < 3 or self._code:
            return Detection.NONE
        self._state = Detector._in_info
        return self._in_info(char)

    def _in_info(self, char: str) -> Detection:
        if char in "{[\n":
            self._state = Detector._before_brace
            return self._before_brace(char)
        if char == "`" or len(self._held) > 40:
            return Detection.NONE
        return Detection.OPEN

    def _before_brace(self, char: str) -> Detection:
        if char == "{":
            self._brace = len(self._held)
            self._state = Detector._before_key
            return Detection.OPEN
        waits = char.isspace() or char in "[\ufeff" or (self.quoted and char == ">")
        return Detection.OPEN if waits else Detection.NONE

    def _before_key(self, char: str) -> Detection:
        if char in QUOTES:
            self.escaped |= char == "\\"
            self._in_string = True
            return Detection.OPEN
        if char.isspace() or (self.quoted and char == ">"):
            return Detection.OPEN
        self._state = Detector._in_key
        return self._in_key(char)

    def _in_key(self, char: str) -> Detection:
        if self._key in NAMES and char in QUOTES + ": \t\n":
            return Detection.OPEN if char == "\\" else Detection.BLOCK
        self._key += char.casefold()
        if _may_be_known(self._key):
            return Detection.OPEN
        if not (self.fence and self._in_string):
            return Detection.NONE
        self._in_string = char != '"'
        self._state = Detector._in_other_entry
        return Detection.OPEN

    def _in_other_entry(self, char: str) -> Detection:
        """In the key or value of an entry; strings are taken as they are."""
        if self._in_string:
            escaped = self._held[-1] == "\\"
            self._in_string = char != '"' or escaped
            return Detection.NONE if char == "\n" else Detection.OPEN
        if char == ",":
            self.late, self._key = True, ""
            self._state = Detector._before_key
            return Detection.OPEN
        self._in_string = char == '"'
        plain = self._in_string or char in PLAIN_VALUE
        return Detection.OPEN if plain else Detection.NONE


def _may_be_known(key: str) -> bool:
    return any(name.startswith(key) for name in NAMES)


JSON_SIGNS = frozenset("{}[],:" + QUOTES)  # a line of JSON begins with one of these


LINE_MARKS = frozenset("-*+•>#")  # of lists, quotations and headings


QUOTATION = re.compile(r"^[ \t]*>[ \t>]*", re.MULTILINE)


class End(Enum):
    OPEN = auto()  # not yet the end
    BRACE = auto()
    FENCE = auto()  # the fence of the block, before its last brace
    PROSE = auto()  # other text, of which this is the first character


class Body:
    """Starts after the first known key of a block."""

    def __init__(self, detector: Detector) -> None:
        self.fence = detector.fence
        self.quoted = detector.quoted
        self._escaped = detector.escaped
        raw = QUOTATION.sub("", detector.raw) if self.quoted else detector.raw
        self._chars = list(raw.replace('\\"', '"') if self._escaped else raw)
        self._line = raw.rpartition("\n")[2].lstrip()  # at most a fence
        self._newlines = 0  # since the last other character
        self._depth = 1
        self._in_string = False
        self._backslash = False
        self._held = False  # a backslash of escaped marks

    @property
    def raw(self) -> str:
        return "".join(self._chars).rstrip()

    @property
    def gap(self) -> str:
        """The white space at the end."""
        text = "".join(self._chars)
        return text[len(text.rstrip()) :]

    def step(self, char: str) -> End:
        begins_line = bool(self._newlines) and not char.isspace()
        if self.quoted and char == ">" and not self._line:
            return End.OPEN
        self._follow_line(char)
        if self.fence and self._line == self.fence and char != "\n":
            del self._chars[-len(self.fence) + 1 :]
            return End.FENCE
        if begins_line and self._is_prose(char):
            return End.PROSE
        self._newlines = self._newlines + (char == "\n") if char.isspace() else 0
        if self._escaped and char == "\\" and not self._held:
            self._held = True
            return End.OPEN
        if self._held and char not in '"\\':
            self._take("\\")
        self._held = False
        self._take(char)
        return End.BRACE if self._depth == 0 else End.OPEN

    def _follow_line(self, char: str) -> None:
        if char == "\n":
            self._line = ""
        elif len(self._line) <= len(self.fence) and not (
            char.isspace() and not self._line
        ):
            self._line += char

    def _is_prose(self, char: str) -> bool:
        """Whether a line of another text begins; facts have no empty lines."""
        if char in JSON_SIGNS or char in self.fence:
            return False
        return self._newlines > 1 or (char in LINE_MARKS and not self._in_string)

    def _take(self, char: str) -> None:
        self._chars.append(char)
        if self._backslash:
            self._backslash = False
        elif char == '"':
            self._in_string = not self._in_string
        elif self._in_string:
            self._backslash = char == "\\"
        elif char in "{[":
            self._depth += 1
        elif char in "}]":
            self._depth -= 1
