"""A growing text: finished blocks and an unfinished tail."""

import re
from itertools import pairwise, takewhile

from meddie.markdown.dialect import GROWING, parser

FENCES = ("```", "~~~")
MARKER = re.compile(r"[-*+>|]|```|~~~|\d(?=\d*[.)] )")
UNCLEAR = re.compile(r"[-+*_=#>|`~]+|\d{1,9}[.)]?|[-+*] \[[ xX]?\]?")

_blocks = parser().disable(["inline", "linkify"])


class Growing:
    """Splits a text that arrives in pieces.

    A block is finished after a whole line of the next one, or later if it is long. This
    depends on the text only, so a page that reconnects gets the same blocks.
    """

    def __init__(self) -> None:
        self._tail = ""
        self._parse_from = 0  # characters of the tail
        self._partial: list[str] = []  # pieces of the unfinished line
        self._fence_met = False

    def feed(self, piece: str) -> list[str]:
        """Take a piece; return the blocks that it finished, as Markdown."""
        *lines, last = piece.split("\n")
        if lines:
            lines[0] = "".join([*self._partial, lines[0]])
            self._partial.clear()
        self._partial.append(last)
        finished = []
        for line in lines:
            self._tail += line + "\n"
            if line.strip() and not self._goes_on(line):
                finished += self._take_finished()
        return finished

    @property
    def tail(self) -> str:
        return self._tail + "".join(self._partial)

    @property
    def clear_tail(self) -> str:
        """The tail without an end that the next piece may turn into something else."""
        partial = "".join(self._partial)
        if partial and not UNCLEAR.fullmatch(partial.strip()) and not _is_row(partial):
            return self._tail + partial.removesuffix("\\").rstrip("*_~`")
        lines = self._tail.splitlines(keepends=True)
        rows = sum(1 for _ in takewhile(_is_row, reversed(lines)))
        # The head, the dashes and the row that the widths are taken from.
        return "".join(lines[: len(lines) - rows] if rows < 3 else lines)

    def _goes_on(self, line: str) -> bool:
        # A cheap check of the tail's block, which saves a parse.
        kind = _kind(self._tail)
        if kind in FENCES and not self._fence_met:
            self._fence_met = line.startswith(kind) and self._tail != line + "\n"
            return not self._fence_met
        in_list_or_table = kind not in ("", *FENCES) and _kind(line) == kind
        return line[0] in " \t" or in_list_or_table

    def _take_finished(self) -> list[str]:
        if len(self._tail) < self._parse_from:
            return []
        starts = [
            token.map[0]
            for token in _blocks.parse(self._tail, {GROWING: True})
            if token.level == 0 and token.map and token.nesting >= 0
        ]
        if len(starts) < 2:
            # Parsing a long block after each of its lines would take the square.
            grown = len(self._tail) * 5 // 4
            self._parse_from = grown if len(self._tail) > 500 else 0
            return []
        self._parse_from = 0
        lines = self._tail.split("\n")
        self._tail = "\n".join(lines[starts[-1] :])
        self._fence_met = False
        edges = [0, *starts[1:]]
        return ["\n".join(lines[start:end]) + "\n" for start, end in pairwise(edges)]


def _is_row(line: str) -> bool:
    return line.lstrip().startswith("|")


def _kind(text: str) -> str:
    found = MARKER.match(text)
    if found is None:
        return ""
    return "1" if found[0].isdigit() else found[0]
