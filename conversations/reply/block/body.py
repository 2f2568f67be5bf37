"""The inside of a block, one character at a time."""

import re
from enum import Enum, auto

from conversations.reply.block.detector import QUOTES, Detector

SIGNS = frozenset("{}[],:" + QUOTES)  # a line of JSON begins with one of these
MARKS = frozenset("-*+•>#")  # of lists, quotations and headings
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
        if char in SIGNS or char in self.fence:
            return False
        return self._newlines > 1 or (char in MARKS and not self._in_string)

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
