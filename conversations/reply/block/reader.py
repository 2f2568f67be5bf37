"""Hide and read the JSON blocks of a reply, one character at a time.

Text from a fence, bracket or brace on is held back until its first key is known.
"""

import re
from collections.abc import Callable

from conversations.reply.block.detector import FENCES, Detection, Detector
from conversations.reply.block.json import Block

SURPLUS = "}],;"  # models write these after the end of an object
PROSE_AFTER = re.compile(r"\n[ \t]*\n(?=[^\W\d_])")


class Body:
    """The inside of a block, up to its closing brace or fence."""

    def __init__(self, raw: str, fence: str) -> None:
        self.fence = fence
        self._chars = list(raw)
        self._line = raw.rpartition("\n")[2]  # only as much as can be a fence
        self._depth = raw.count("{")
        self._in_string = False
        self._escaped = False

    @property
    def raw(self) -> str:
        return "".join(self._chars)

    def step(self, char: str) -> bool:
        """Return whether this was the last character."""
        self._chars.append(char)
        if self._closed_by_fence(char):
            del self._chars[-len(self.fence) :]
            return True
        if self._in_string:
            self._step_in_string(char)
        elif char == '"':
            self._in_string = True
        elif char in "{[":
            self._depth += 1
        elif char in "}]":
            self._depth -= 1
        return self._depth == 0

    def _closed_by_fence(self, char: str) -> bool:
        # JSON strings hold no raw line break, so this fence is not part of one.
        if char == "\n":
            self._line = ""
        elif len(self._line) <= len(self.fence):
            self._line += char
        return bool(self.fence) and self._line == self.fence and char != "\n"

    def _step_in_string(self, char: str) -> None:
        if self._escaped:
            self._escaped = False
        elif char == "\\":
            self._escaped = True
        elif char == '"':
            self._in_string = False


class Gap:
    """White space between visible texts: the longest of several."""

    def __init__(self) -> None:
        self.text = ""
        self.lines = 0

    def widen(self, spaces: list[str]) -> None:
        lines = spaces.count("\n")
        if (lines, len(spaces)) > (self.lines, len(self.text)):
            self.text, self.lines = "".join(spaces), lines


class Visible:
    """Visible text, with the gaps around blocks closed."""

    def __init__(self) -> None:
        self.line_start = True
        self._spaces: list[str] = []  # waits for visible text
        self._gap = Gap()  # white space before a block
        self._begun = False
        self._out: list[str] = []

    def show(self, text: str) -> None:
        """Add text; hold back white space at its end."""
        for char in text:
            if char.isspace():
                self._spaces.append(char)
            else:
                self._show_gap()
                self._out.append(char)
            self.line_start = char == "\n" or (self.line_start and char in " \t")

    def _show_gap(self) -> None:
        if self._spaces or self._gap.text:
            self._gap.widen(self._spaces)
            if self._begun:
                self._out.append(self._gap.text)
            self._spaces, self._gap = [], Gap()
        self._begun = True

    def close_gap(self) -> None:
        self._gap.widen(self._spaces)
        self._spaces = []
        self.line_start = self._gap.lines > 0 or not self._begun

    def take(self) -> str:
        text = "".join(self._out)
        self._out.clear()
        return text


class BlockReader:
    """Returns the visible text of a reply; `block` is complete after `close`."""

    def __init__(self) -> None:
        self.block = Block()
        self._visible = Visible()
        self._detector: Detector | None = None
        self._body: Body | None = None
        self._code = ""  # the fence of the open code example
        self._step: Callable[[str], None] = self._in_text

    def feed(self, text: str) -> str:
        """Return what has become visible."""
        for char in text:
            self._step(char)
        return self._visible.take()

    def close(self, *, cut: bool = False) -> str:
        """Return held back text; `cut` ignores an unfinished block."""
        if self._body is not None:
            self._close_unfinished(self._body, cut=cut)
        elif self._detector is not None and not self._detector.probable(cut=cut):
            self._visible.show(self._detector.held)
        self._detector = self._body = None
        self._step = self._in_text
        return self._visible.take()

    def _in_text(self, char: str) -> None:
        if self._may_open(char):
            at_start = self._visible.line_start and char in FENCES
            self._detector = Detector(char, code=self._code if at_start else "")
            self._step = self._in_detector
        else:
            self._visible.show(char)

    def _may_open(self, char: str) -> bool:
        if self._code and not self._visible.line_start:
            return char == "{"
        return char in "{`" or (self._visible.line_start and char in "[~")

    def _in_detector(self, char: str) -> None:
        detector = self._detector
        assert detector is not None  # noqa: S101 -- the state says so
        verdict = detector.step(char)
        if verdict is Detection.BLOCK:
            self._body = Body(detector.raw, detector.fence)
            self._detector = None
            self._step = self._in_body
        elif verdict is Detection.NONE:
            self._release(detector)
            self._step(char)

    def _release(self, detector: Detector) -> None:
        if detector.ends_code:
            self._code = ""
        elif detector.fence and not self._code and self._visible.line_start:
            self._code = detector.fence
        self._visible.show(detector.held)
        self._detector = None
        self._step = self._in_text

    def _in_body(self, char: str) -> None:
        assert self._body is not None  # noqa: S101 -- the state says so
        if self._body.step(char):
            self.block.take(self._body.raw)
            self._visible.close_gap()
            self._step = self._after_fenced if self._body.fence else self._after_bare
            if char in FENCES:
                self._step = self._in_closing_fence

    def _after_bare(self, char: str) -> None:
        if char not in SURPLUS:
            self._end_block(char)

    def _after_fenced(self, char: str) -> None:
        assert self._body is not None  # noqa: S101 -- the state says so
        if char == self._body.fence[0]:
            self._step = self._in_closing_fence
        elif char == "{":
            self._detector = Detector(char, fence=self._body.fence)
            self._body = None
            self._step = self._in_detector
        elif not char.isspace() and char not in SURPLUS:
            self._end_block(char)

    def _in_closing_fence(self, char: str) -> None:
        assert self._body is not None  # noqa: S101 -- the state says so
        if char != self._body.fence[0]:
            self._end_block(char)

    def _end_block(self, char: str) -> None:
        self._body = None
        self._step = self._in_text
        self._in_text(char)

    def _close_unfinished(self, body: Body, *, cut: bool) -> None:
        if self._step != self._in_body:
            return
        raw = body.raw
        prose = None if body.fence else PROSE_AFTER.search(raw)
        if prose:
            self._visible.close_gap()
            self._visible.show(raw[prose.start() :])
            raw = raw[: prose.start()]
        if prose or not cut:
            self.block.take(raw)
