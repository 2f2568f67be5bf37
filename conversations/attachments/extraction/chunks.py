"""Cut the text of a file along its structure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

LONGEST_CHUNK = 1500  # characters of a chunk
MOST_CHUNKS = 400  # chunks of a file
HEAD_WITHIN = 10  # rows of a table: a title may be above its head
SEPARATORS = ("\t", ";", ",")
HEADING = re.compile(r"#{1,6} +(\S[^\n]{0,200})")


class Piece(NamedTuple):
    """A part of the text and its place, as in "page 3"."""

    text: str
    place: str


class Unread(NamedTuple):
    """A part that was not read, and the code of the reason."""

    place: str
    reason: str


def cut_pieces(parts: Iterable[Piece]) -> list[Piece]:
    """Split long parts, and join short neighbours of one place."""
    found: list[Piece] = []
    for part in parts:
        for text in _split(part.text):
            last = found[-1] if found else None
            if last and last.place == part.place and fits(last.text, text):
                found[-1] = Piece(f"{last.text}\n{text}", part.place)
            elif len(found) < MOST_CHUNKS:
                found.append(Piece(text, part.place))
            else:
                return found
    return found


def fits(one: str, other: str) -> bool:
    return len(one) + len(other) < LONGEST_CHUNK


def paragraphs_of(text: str) -> Iterator[Piece]:
    """Paragraphs of plain text or Markdown, each in its heading."""
    place = ""
    for paragraph in re.split(r"\n\s*\n", text):
        heading = HEADING.match(paragraph.strip())
        if heading:
            place = heading[1].strip()
        if paragraph.strip():
            yield Piece(paragraph.strip(), place)


def table(rows: Iterable[str], place: str = "") -> Iterator[Piece]:
    """Groups of rows below their head, which is the first row that has its cells."""
    left = iter(rows)
    start = list(islice(left, HEAD_WITHIN))
    above = _above_head(start)
    if above:
        yield Piece("\n".join(start[:above]), place)
    head, group, first = "", "", above + 2
    for number, row in enumerate(chain(start[above:], left), start=above + 1):
        if number == above + 1:
            head = row[: LONGEST_CHUNK // 3]
            if head != row:
                yield Piece(row, _rows(place, number, number))
            continue
        if group and not fits(f"{head}\n{group}", row):
            yield Piece(f"{head}\n{group}", _rows(place, first, number - 1))
            group, first = "", number
        group = f"{group}\n{row}" if group else row
    if head or group:
        last = max(first, number)
        yield Piece(f"{head}\n{group}".strip(), _rows(place, first, last))


def _above_head(rows: Sequence[str]) -> int:
    mark = max(SEPARATORS, key=lambda mark: sum(row.count(mark) for row in rows))
    most = max((row.count(mark) for row in rows), default=0)
    wide = (number for number, row in enumerate(rows) if 2 * row.count(mark) >= most)
    return next(wide, 0)


def _rows(place: str, first: int, last: int) -> str:
    rows = f"rows {first}-{last}"
    return f"{place}, {rows}" if place else rows


def _split(text: str) -> Iterator[str]:
    start, text = 0, text.strip()
    while len(text) - start > LONGEST_CHUNK:
        window = text[start : start + LONGEST_CHUNK]
        ends = (window.rfind(mark) for mark in ("\n\n", "\n", ". ", " "))
        end = (
            next((end for end in ends if end > LONGEST_CHUNK // 2), LONGEST_CHUNK - 1)
            + 1
        )
        yield window[:end].strip()
        start += end
    if rest := text[start:].strip():
        yield rest
