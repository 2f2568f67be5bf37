"""Hide and read the JSON blocks of a reply, one character at a time.

Text from a fence, bracket or brace on is held back until its first key is known. A block
whose known key is not the first is one only at the end of the reply.
"""

import re
from collections.abc import Callable

from conversations.reply.block.detector import FENCES, Body, Detection, Detector, End
from conversations.reply.block.json import Block

SPACES = "".join(filter(str.isspace, map(chr, range(0x3001))))
MARKUP_SIGNS = "*_>"
EMPTY_QUOTATION = re.compile(r"^[ \t]*>[ \t>]*\n", re.MULTILINE)


class Visible:
    def __init__(self) -> None:
        self._waiting = ""
        self._gap: str | None = None  # white space before a block, once there was one
        self._marks = ""  # of emphasis before it
        self._begins_line = True  # what waits
        self._begun = False
        self._out: list[str] = []

    @property
    def line_start(self) -> bool:
        """Whether the line so far is empty, or the beginning of a quotation."""
        _, newline, line = self._waiting.rpartition("\n")
        return not line.strip(" \t>") and bool(newline or self._begins_line)

    @property
    def in_quotation(self) -> bool:
        return self.line_start and ">" in self._waiting.rpartition("\n")[2]

    @property
    def follows_block(self) -> bool:
        return self._gap is not None

    def show(self, text: str) -> None:
        shown = text.rstrip(SPACES + MARKUP_SIGNS)
        if shown:
            words = shown.lstrip(SPACES + MARKUP_SIGNS)
            self._show_waiting(shown.removesuffix(words))
            self._out.append(words)
            self._begun, self._begins_line = True, False
        self._waiting += text[len(shown) :]

    def _show_waiting(self, more: str) -> None:
        waiting = self._waiting + more
        if self._gap is not None:
            if self._marks:
                waiting = waiting.replace(self._marks, "", 1)
            waiting = EMPTY_QUOTATION.sub("\n", waiting)
            marks = waiting.lstrip(SPACES)
            waiting = _wider(self._gap, waiting.removesuffix(marks)) + marks
        self._out.append(waiting if self._begun else waiting.lstrip(SPACES))
        self._waiting, self._gap, self._marks = "", None, ""

    def hide_block(self) -> None:
        """Close the gap that a block leaves."""
        before = self._waiting
        if self._gap is None:
            if self._begun and not self._begins_line:  # the end of an emphasis
                words = before.lstrip(MARKUP_SIGNS)
                self._out.append(before.removesuffix(words))
                before = words
            self._marks = "".join(char for char in before if char in "*_")
        lines = ("" if ">" in line else line for line in before.split("\n"))
        spaces = "\n".join(lines).translate(dict.fromkeys(map(ord, MARKUP_SIGNS)))
        self._gap = _wider(self._gap or "", spaces)
        self._begins_line = "\n" in self._gap or not self._begun
        self._waiting = ""

    def end(self) -> None:
        """Show the marks that wait, unless they surround a block."""
        if self._gap is None:
            waiting = self._waiting.rstrip(SPACES)
            self._out.append(waiting if self._begun else waiting.lstrip(SPACES))
        self._waiting = ""

    def take(self) -> str:
        text = "".join(self._out)
        self._out.clear()
        return text


def _wider(one: str, other: str) -> str:
    return max(one, other, key=lambda gap: (gap.count("\n"), len(gap)))


SURPLUS = "}],;"  # models write these after the end of an object
PLAIN = re.compile(r"[^{`\[~]+")  # no block begins in it


class BlockReader:
    """Returns the visible text of a reply; `block` is complete after `close`."""

    def __init__(self) -> None:
        self.block = Block()
        self._visible = Visible()
        self._detector: Detector | None = None
        self._body: Body | None = None
        self._late: list[str] = []  # the text of a block that may have to be shown
        self._code = ""  # the fence of the open code example
        self._step: Callable[[str], None] = self._in_text

    def feed(self, text: str) -> str:
        """Return what has become visible."""
        position = 0
        while position < len(text):
            plain = PLAIN.match(text, position) if self._step == self._in_text else None
            if plain:
                self._visible.show(plain[0])
                position = plain.end()
                continue
            if self._late:
                self._late.append(text[position])
            self._step(text[position])
            position += 1
        return self._visible.take()

    def close(self, *, cut: bool = False) -> str:
        """Return held back text; `cut` ignores an unfinished block."""
        if self._step == self._after_late or (self._step == self._in_body and not cut):
            self._take_block()
        elif (detector := self._detector) is not None:
            closes = detector.is_lone_fence and self._visible.follows_block
            if not (closes or detector.probable(cut=cut)):
                self._visible.show(detector.text)
        self._detector = self._body = None
        self._step = self._in_text
        self._visible.end()
        return self._visible.take()

    def _in_text(self, char: str) -> None:
        line_start = self._visible.line_start
        if self._code and not line_start:
            may_open = char == "{"
        else:
            may_open = char in "{`" or (line_start and char in "[~")
        if may_open:
            at_start = line_start and char in FENCES
            self._detect(
                Detector(
                    char,
                    code=self._code if at_start else "",
                    quoted=self._visible.in_quotation,
                )
            )
        else:
            self._visible.show(char)

    def _detect(self, detector: Detector) -> None:
        self._detector = detector
        self._step = self._in_detector

    def _in_detector(self, char: str) -> None:
        detector = self._detector
        assert detector is not None  # noqa: S101 -- the state says so
        verdict = detector.step(char)
        if verdict is Detection.BLOCK:
            self._late = list(detector.held) if detector.late else []
            self._body = Body(detector)
            self._detector = None
            self._step = self._in_body
        elif verdict is Detection.NONE:
            self._release(detector)
            self._step(char)

    def _release(self, detector: Detector) -> None:
        if detector.ends_code:
            self._code = ""
        elif detector.opens_code and self._visible.line_start:
            self._code = detector.fence
        self._visible.show(detector.text)
        self._detector = self._body = None
        self._step = self._in_text

    def _in_body(self, char: str) -> None:
        body = self._body
        assert body is not None  # noqa: S101 -- the state says so
        end = body.step(char)
        if end is End.OPEN:
            return
        if self._late:
            self._step = self._after_late
            if end is End.PROSE:
                self._show_late(body, char)
            return
        self._take_block()
        if end is End.BRACE:
            self._step = self._after_fenced if body.fence else self._after_bare
        elif end is End.FENCE:
            self._after_fenced(char)
            for more in body.fence[1:]:
                self._step(more)
        else:
            self._visible.show(body.gap)
            self._end_block(char)

    def _take_block(self) -> None:
        assert self._body is not None  # noqa: S101 -- the state says so
        self.block.take(self._body.raw)
        self._late = []
        self._visible.hide_block()

    def _after_late(self, char: str) -> None:
        assert self._body is not None  # noqa: S101 -- the state says so
        if not (char.isspace() or char in SURPLUS or char in self._body.fence):
            self._show_late(self._body, char)

    def _show_late(self, body: Body, char: str) -> None:
        text = "".join(self._late[:-1])
        self._late = []
        self._code = "" if text.rstrip().endswith(body.fence) else body.fence
        self._visible.show(text)
        self._end_block(char)

    def _after_bare(self, char: str) -> None:
        if char not in SURPLUS:
            self._end_block(char)

    def _after_fenced(self, char: str) -> None:
        body = self._body
        assert body is not None  # noqa: S101 -- the state says so
        if char == body.fence[0]:
            self._detect(Detector(char, closing=True, quoted=body.quoted))
        elif char == "{":
            self._detect(Detector(char, fence=body.fence, quoted=body.quoted))
        elif not (char.isspace() or char in SURPLUS or (body.quoted and char == ">")):
            self._end_block(char)

    def _end_block(self, char: str) -> None:
        self._body = None
        self._step = self._in_text
        self._in_text(char)
