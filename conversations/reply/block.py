"""The JSON that a model appends to a reply: hidden from the reader, and read.

One incremental machine does both; reading a whole reply is feeding it once. It goes
character by character, so that how a reply is cut into pieces cannot matter.

It holds back from a fence, or a `{`, until the first key is known. A known key makes it
a block wherever it stands: never shown, read when it closes, several merged. Anything
else is released at once, so code examples stream. White space is held back until
something visible follows, so the text never ends in the gap before a block.

A JSON string cannot hold a raw line break, so a fence at the start of a line ends a
fenced block even where a quotation mark is missing.
"""

import re
from enum import Enum, auto

from conversations.reply.salvage import Block

KNOWN_KEYS = frozenset(
    {
        "profile_updates",
        "memory_saves",
        "memory_forgets",
        "profile_facts",
        "memory_line",
    }
)
LONGEST_INFO = 40
"""Characters after a fence that may still be the name of a language."""
PROSE_BEHIND = re.compile(r"\n[ \t]*\n(?=[^\W\d_])")


class _State(Enum):
    TEXT = auto()
    FENCE = auto()  # in a run of fence characters at the start of a line
    INFO = auto()  # behind the run, before the line ends
    INSIDE = auto()  # white space between the fence and the first character
    BRACE = auto()  # behind a `{`: white space or a quotation mark may follow
    KEY = auto()  # inside the first key
    BLOCK = auto()  # inside a block
    CLOSING = auto()  # behind a fenced block's object: white space
    CLOSING_FENCE = auto()  # in the fence that ends it


class BlockReader:
    """Feed pieces of a reply; get the text that may be shown now.

    `block` is complete once `close` has been called.
    """

    def __init__(self) -> None:
        self.block = Block()
        self._state = _State.TEXT
        self._held = ""  # may still turn out to be a block
        self._space = ""  # white space that waits for something visible
        self._gap = ""  # the same, from before a block
        self._started = False  # something visible has been released
        self._line_start = True
        self._code = ""  # the fence of the code example that is open
        self._fence = ""  # the fence that is being looked at
        self._key = ""
        self._raw = ""
        self._depth = 0
        self._quote = ""
        self._escaped = False
        self._fenced = False
        self._out: list[str] = []

    def feed(self, text: str) -> str:
        """Take a piece of any size; return what has become visible."""
        for char in text:
            self._step(char)
        return self._flush()

    def close(self, *, cut: bool = False) -> str:
        """End the reply; return what was held back and turned out to be text.

        `cut`: the reply was stopped or broke off, so an unfinished block counts for
        nothing.
        """
        if self._state is _State.BLOCK:
            self._close_unfinished(cut=cut)
        elif self._state in (_State.CLOSING, _State.CLOSING_FENCE):
            self._held = ""
        else:
            self._release()
        self._state = _State.TEXT
        return self._flush()

    # What to do with one character, by state.

    def _step(self, char: str) -> None:
        getattr(self, f"_in_{self._state.name.lower()}")(char)

    def _in_text(self, char: str) -> None:
        if char == "{":
            self._hold(char, _State.BRACE, fenced=False)
        elif char in "`~" and self._line_start:
            self._fence = char
            self._hold(char, _State.FENCE, fenced=True)
        else:
            self._show(char)

    def _in_fence(self, char: str) -> None:
        if char == self._fence[0]:
            self._fence += char
            self._held += char
        elif len(self._fence) < 3:
            self._retry(char)
        elif self._code:
            self._end_code(char)
        else:
            self._state = _State.INFO
            self._in_info(char)

    def _end_code(self, char: str) -> None:
        """Behind a fence inside a code example: does it end the example?"""
        ends = self._fence.startswith(self._code)
        if ends and char == "\n":
            self._code = ""
        if ends and char in " \t\r":
            self._held += char
            return
        self._retry(char)

    def _in_info(self, char: str) -> None:
        if char == "{":
            self._held += char
            self._state = _State.BRACE
        elif char == "\n":
            self._held += char
            self._state = _State.INSIDE
        elif char == "`" or len(self._held) > LONGEST_INFO:
            self._retry(char)
        else:
            self._held += char

    def _in_inside(self, char: str) -> None:
        if char.isspace():
            self._held += char
        elif char == "{":
            self._held += char
            self._state = _State.BRACE
        else:
            self._retry(char)

    def _in_brace(self, char: str) -> None:
        if char.isspace():
            self._held += char
        elif char in "\"'":
            self._held += char
            self._key = ""
            self._state = _State.KEY
        else:
            self._retry(char)

    def _in_key(self, char: str) -> None:
        if char in "\"'" and self._key in KNOWN_KEYS:
            self._begin_block(char)
        elif any(key.startswith(self._key + char) for key in KNOWN_KEYS):
            self._key += char
            self._held += char
        else:
            self._retry(char)

    def _begin_block(self, char: str) -> None:
        self._raw = self._held[self._held.index("{") :] + char
        self._held = ""
        self._depth = 1
        self._quote = ""
        self._escaped = False
        self._line_start = False
        self._fence = self._fence if self._fenced else ""
        self._state = _State.BLOCK

    def _in_block(self, char: str) -> None:
        self._raw += char
        if self._fenced and self._raw.endswith(f"\n{self._fence}"):
            self._raw = self._raw[: -len(self._fence)]
            self.block.take(self._raw)
            self._state = _State.CLOSING_FENCE
        elif self._quote:
            self._in_string(char)
        elif char == '"':
            self._quote = char
        elif char in "{[":
            self._depth += 1
        elif char in "}]":
            self._close_bracket()

    def _in_string(self, char: str) -> None:
        if self._escaped:
            self._escaped = False
        elif char == "\\":
            self._escaped = True
        elif char == self._quote:
            self._quote = ""

    def _close_bracket(self) -> None:
        self._depth -= 1
        if self._depth == 0:
            self.block.take(self._raw)
            self._state = _State.CLOSING if self._fenced else _State.TEXT
            self._swallow_gap()

    def _in_closing(self, char: str) -> None:
        if char.isspace():
            return
        if char == self._fence[0]:
            self._state = _State.CLOSING_FENCE
        elif char == "{":
            self._held = ""
            self._hold(char, _State.BRACE, fenced=True)
        else:
            self._state = _State.TEXT
            self._step(char)

    def _in_closing_fence(self, char: str) -> None:
        if char != self._fence[0]:
            self._state = _State.TEXT
            self._swallow_gap()
            self._step(char)

    # Holding back, giving free.

    def _hold(self, char: str, state: _State, *, fenced: bool) -> None:
        self._held = char
        self._fenced = fenced
        self._state = state

    def _retry(self, char: str) -> None:
        """What was held is no block: show it, and look at the character afresh."""
        self._release()
        self._state = _State.TEXT
        self._step(char)

    def _release(self) -> None:
        held, self._held = self._held, ""
        opens = self._fenced and len(self._fence) >= 3 and held.startswith(self._fence)
        if opens and not self._code and self._state is not _State.FENCE:
            self._code = self._fence
        for char in held:
            self._show(char)
        self._fenced = False

    def _show(self, char: str) -> None:
        if char.isspace():
            self._space += char
        else:
            if self._started:
                self._out.append(_wider(self._gap, self._space))
            self._space = self._gap = ""
            self._started = True
            self._out.append(char)
        self._line_start = char == "\n" or (self._line_start and char in " \t")

    def _swallow_gap(self) -> None:
        """White space before and behind a block becomes one gap, the wider of them."""
        self._gap = _wider(self._gap, self._space)
        self._space = ""
        self._line_start = "\n" in self._gap or not self._started

    def _flush(self) -> str:
        text = "".join(self._out)
        self._out.clear()
        return text

    def _close_unfinished(self, *, cut: bool) -> None:
        behind = None if self._fenced else PROSE_BEHIND.search(self._raw)
        if behind:
            self._swallow_gap()
            rest = self._raw[behind.start() :]
            self._raw = self._raw[: behind.start()]
            for char in rest:
                self._show(char)
        if behind or not cut:
            self.block.take(self._raw)


def _wider(gap: str, other: str) -> str:
    return max(gap, other, key=lambda space: (space.count("\n"), len(space)))


def read(reply: str) -> tuple[str, Block]:
    """The visible text of a whole reply, and what its blocks asked for."""
    reader = BlockReader()
    text = reader.feed(reply) + reader.close()
    return text, reader.block
