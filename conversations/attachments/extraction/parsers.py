"""The parser of each type; loaded in the child process only."""

from collections.abc import Callable, Iterable
from pathlib import Path

from conversations.attachments.extraction import plain
from conversations.attachments.extraction.chunks import Piece, cut_pieces
from conversations.attachments.extraction.unreadable import Unreadable

PARSERS: dict[str, Callable[[Path], Iterable[Piece]]] = {
    "text/plain": plain.read_text,
    "text/markdown": plain.read_text,
    "text/csv": plain.read_csv,
    "text/html": plain.read_html,
}


def read(source: Path, content_type: str) -> list[Piece]:
    """The parts of the text in order. Raises Unreadable."""
    pieces = cut_pieces(PARSERS[content_type](source))
    if not pieces:
        raise Unreadable("no_text")
    return pieces
