"""The visible text of a reply, with the gaps around blocks closed.

White space and the marks of emphasis and quotations wait for the next other character,
because a block between them would leave "****" or an empty quotation.
"""

import re

SPACES = "".join(filter(str.isspace, map(chr, range(0x3001))))
MARKS = "*_>"
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
        shown = text.rstrip(SPACES + MARKS)
        if shown:
            words = shown.lstrip(SPACES + MARKS)
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
                words = before.lstrip(MARKS)
                self._out.append(before.removesuffix(words))
                before = words
            self._marks = "".join(char for char in before if char in "*_")
        lines = ("" if ">" in line else line for line in before.split("\n"))
        spaces = "\n".join(lines).translate(dict.fromkeys(map(ord, MARKS)))
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
