"""The JSON that a model appends to a reply: hidden from the reader, and read.

One incremental machine does both; reading a whole reply is feeding it once. It goes
character by character, so that how a reply is cut into pieces cannot matter.

It holds back from a fence, a bracket or a brace until the first key is known. A known
key makes it a block wherever it stands: never shown, read when it closes, several
merged. Anything else is released at once, so code examples stream. White space is held
back until something visible follows, so the text never ends in the gap before a block.
"""

import re
from collections.abc import Callable

from conversations.reply.block.detector import FENCES, Opening, Verdict
from conversations.reply.block.json import Block

SURPLUS = "}],;"
"""What models write behind an object that has ended already."""
PROSE_BEHIND = re.compile(r"\n[ \t]*\n(?=[^\W\d_])")


class Body:
    """The inside of a block, up to the brace or the fence that closes it.

    A JSON string cannot hold a raw line break, so a fence at the start of a line ends a
    fenced block even where a quotation mark is missing.
    """

    def __init__(self, raw: str, fence: str) -> None:
        self.raw = raw
        self.fence = fence
        self._depth = raw.count("{")
        self._in_string = False
        self._escaped = False

    def step(self, char: str) -> bool:
        """Take a character; True when it was the last."""
        self.raw += char
        if self.fence and self.raw.endswith(f"\n{self.fence}"):
            self.raw = self.raw[: -len(self.fence)]
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

    def _step_in_string(self, char: str) -> None:
        if self._escaped:
            self._escaped = False
        elif char == "\\":
            self._escaped = True
        elif char == '"':
            self._in_string = False


class Visible:
    """The text for the reader, with the gaps around blocks closed."""

    def __init__(self) -> None:
        self.line_start = True
        self._space = ""  # waits for something visible
        self._gap = ""  # the same, from before a block
        self._begun = False
        self._out: list[str] = []

    def show(self, text: str) -> None:
        for char in text:
            if char.isspace():
                self._space += char
            else:
                if self._begun:
                    self._out.append(_wider(self._gap, self._space))
                self._space = self._gap = ""
                self._begun = True
                self._out.append(char)
            self.line_start = char == "\n" or (self.line_start and char in " \t")

    def close_gap(self) -> None:
        """White space before and behind a block becomes one gap, the wider of them."""
        self._gap = _wider(self._gap, self._space)
        self._space = ""
        self.line_start = "\n" in self._gap or not self._begun

    def take(self) -> str:
        """What has become visible since the last time."""
        text = "".join(self._out)
        self._out.clear()
        return text


class BlockReader:
    """Feed pieces of a reply; get the text that may be shown now.

    `block` is complete once `close` has been called.
    """

    def __init__(self) -> None:
        self.block = Block()
        self._visible = Visible()
        self._opening: Opening | None = None
        self._body: Body | None = None
        self._code = ""  # the fence of the code example that is open
        self._step: Callable[[str], None] = self._in_text

    def feed(self, text: str) -> str:
        """Take a piece of any size; return what has become visible."""
        for char in text:
            self._step(char)
        return self._visible.take()

    def close(self, *, cut: bool = False) -> str:
        """End the reply; return what was held back and turned out to be text.

        `cut`: the reply was stopped or broke off, so an unfinished block counts for
        nothing.
        """
        if self._body is not None:
            self._close_unfinished(self._body, cut=cut)
        elif self._opening is not None and not self._opening.probable(cut=cut):
            self._visible.show(self._opening.held)
        self._opening = self._body = None
        self._step = self._in_text
        return self._visible.take()

    def _in_text(self, char: str) -> None:
        if self._may_open(char):
            at_start = self._visible.line_start and char in FENCES
            self._opening = Opening(char, code=self._code if at_start else "")
            self._step = self._in_opening
        else:
            self._visible.show(char)

    def _may_open(self, char: str) -> bool:
        if self._code and not self._visible.line_start:
            return char == "{"
        return char in "{`" or (self._visible.line_start and char in "[~")

    def _in_opening(self, char: str) -> None:
        opening = self._opening
        assert opening is not None  # noqa: S101 -- the state says so
        verdict = opening.step(char)
        if verdict is Verdict.BLOCK:
            self._body = Body(opening.raw, opening.fence if opening.is_fence else "")
            self._opening = None
            self._step = self._in_body
        elif verdict is Verdict.NONE:
            self._release(opening)
            self._step(char)

    def _release(self, opening: Opening) -> None:
        """It is no block: show it, and note whether it began or ended an example."""
        if opening.ends_code:
            self._code = ""
        elif opening.is_fence and not self._code and self._visible.line_start:
            self._code = opening.fence
        self._visible.show(opening.held)
        self._opening = None
        self._step = self._in_text

    def _in_body(self, char: str) -> None:
        assert self._body is not None  # noqa: S101 -- the state says so
        if self._body.step(char):
            self.block.take(self._body.raw)
            self._visible.close_gap()
            self._step = self._behind_fenced if self._body.fence else self._behind_bare
            if char in FENCES:
                self._step = self._in_closing_fence

    def _behind_bare(self, char: str) -> None:
        if char not in SURPLUS:
            self._end_block(char)

    def _behind_fenced(self, char: str) -> None:
        assert self._body is not None  # noqa: S101 -- the state says so
        if char == self._body.fence[0]:
            self._step = self._in_closing_fence
        elif char == "{":
            self._opening = Opening(char)
            self._opening.fence = self._body.fence
            self._body = None
            self._step = self._in_opening
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
        behind = None if body.fence else PROSE_BEHIND.search(body.raw)
        if behind:
            self._visible.close_gap()
            self._visible.show(body.raw[behind.start() :])
            body.raw = body.raw[: behind.start()]
        if behind or not cut:
            self.block.take(body.raw)


def _wider(gap: str, other: str) -> str:
    return max(gap, other, key=lambda space: (space.count("\n"), len(space)))


def read(reply: str) -> tuple[str, Block]:
    """The visible text of a whole reply, and what its blocks asked for."""
    reader = BlockReader()
    text = reader.feed(reply) + reader.close()
    return text, reader.block
