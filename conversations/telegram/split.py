"""Split formatted text into messages within Telegram's limits.

A message has at most 4,096 UTF-16 units of visible text. Telegram ignores all but 100
tags and refuses about 9,500 bytes of them ("entities too long").
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile

from meddie.text import is_invisible

LONGEST_PART = 4096
MOST_TAGS = 100
TAG_COST = 32
MOST_TAG_COST = 8_000
LINE_END = re.compile(r"\n")
SENTENCE_END = re.compile(r"(?<=[.!?…])[)\]\"'”’»]*\s|[。！？]")  # noqa: RUF001
WORD_END = re.compile(r"\s")
LONGEST_CLUSTER = 40


@dataclass(frozen=True, eq=False, slots=True)  # compared by identity
class Tag:
    name: str
    opening: str
    closing: str


Tags = tuple[Tag, ...]


@dataclass(frozen=True, slots=True)
class Run:
    start: int
    text: str
    tags: Tags

    @property
    def preformatted(self) -> bool:
        return any(tag.name == "pre" for tag in self.tags)


@dataclass
class Flow:
    """Runs in order; `blocks` are the offsets where blocks begin."""

    runs: list[Run] = field(default_factory=list)
    blocks: list[int] = field(default_factory=list)
    length: int = 0

    def add(self, text: str, tags: Tags) -> None:
        if text:
            self.runs.append(Run(self.length, text, tags))
            self.length += len(text)

    def parts(self) -> Iterator[str]:
        """The HTML of each message; none is blank."""
        text = "".join(run.text for run in self.runs)
        start = self._skipped(text, 0)
        while start < self.length:
            end = _cut(text, start, self._reach(start), self.blocks)
            if not is_invisible(text[start:end]):  # Telegram refuses such messages
                yield self._html(start, start + len(text[start:end].rstrip()))
            start = self._skipped(text, end)

    def _skipped(self, text: str, start: int) -> int:
        # White space, but not the indentation of code.
        while start < self.length and text[start].isspace():
            end_of_line = text.find("\n", start) + 1
            if self.runs[self._at(start)].preformatted and (
                not end_of_line or text[start:end_of_line].strip()
            ):
                break
            start += 1
        return start

    def _at(self, place: int) -> int:
        return bisect_right(self.runs, place, key=lambda run: run.start) - 1

    def _reach(self, start: int) -> int:
        # The offset where a message from `start` has to end.
        units = count = cost = 0
        before: Tags = ()
        for run in self.runs[self._at(start) :]:
            new = [tag for tag in run.tags if tag not in before]
            count, cost = (
                count + len(new),
                cost + sum(TAG_COST + len(tag.opening.encode()) for tag in new),
            )
            if run.start > start and (count > MOST_TAGS or cost > MOST_TAG_COST):
                return run.start
            begin = max(run.start, start)
            text, before = run.text[begin - run.start :], run.tags
            if units + units_of(text) > LONGEST_PART:
                return begin + _fitting(text, LONGEST_PART - units)
            units += units_of(text)
        return self.length

    def _html(self, start: int, end: int) -> str:
        written: list[str] = []
        opened: Tags = ()
        for run in self.runs[self._at(start) :]:
            if run.start >= end:
                break
            begin = max(start - run.start, 0)
            written += _change(opened, run.tags)
            written.append(escape_html(run.text[begin : end - run.start]))
            opened = run.tags
        return "".join([*written, *_change(opened, ())])


def escape_html(text: str) -> str:
    """Text as Telegram's HTML, for content and attributes."""
    for sign, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(sign, entity)
    return text


def units_of(text: str) -> int:
    return len(text) + sum(char > "\uffff" for char in text)


def shared(one: Tags, other: Tags) -> Tags:
    pairs = takewhile(lambda pair: pair[0] is pair[1], zip(one, other, strict=False))
    return tuple(tag for tag, _ in pairs)


def _change(opened: Tags, wanted: Tags) -> list[str]:
    kept = len(shared(opened, wanted))
    closing = [tag.closing for tag in reversed(opened[kept:])]
    return closing + [tag.opening for tag in wanted[kept:]]


def _fitting(text: str, units: int) -> int:
    for index, char in enumerate(text):
        units -= 1 + (char > "\uffff")
        if units < 0:
            return index
    return len(text)


def _cut(text: str, start: int, reach: int, blocks: list[int]) -> int:
    """The best offset to end a part, more than a quarter of the limit if possible."""
    if reach >= len(text):
        return len(text)
    enough = start + (reach - start) // 4
    index = bisect_right(blocks, reach) - 1
    if index >= 0 and blocks[index] > enough:
        return blocks[index]
    for end in (LINE_END, SENTENCE_END, WORD_END):
        found = [m.end() for m in end.finditer(text, enough, reach + 1)]
        found = [place for place in found if place <= reach or text[reach].isspace()]
        if found:
            return min(found[-1], reach)
    return _between_clusters(text, start, reach)


def _between_clusters(text: str, start: int, reach: int) -> int:
    # Never between a letter and its accent, or within an emoji.
    for place in range(reach, max(start, reach - LONGEST_CLUSTER), -1):
        if not _belongs(text[place - 1], text[place]):
            return place
    return reach


def _belongs(before: str, char: str) -> bool:
    joiner = "\u200d"
    return (
        joiner in {before, char}
        or unicodedata.category(char)[0] == "M"
        or "\U0001f3fb" <= char <= "\U0001f3ff"  # skin
        or (
            "\U0001f1e6" <= before <= "\U0001f1ff"
            and "\U0001f1e6" <= char <= "\U0001f1ff"
        )
        or "\U000e0020" <= char <= "\U000e007f"  # flags of regions
    )
