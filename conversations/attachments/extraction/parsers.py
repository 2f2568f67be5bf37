"""The parser of each type; loaded in the child process only."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from conversations.attachments.extraction import (
    Unreadable,
    office,
    pdf,
    pictures,
    plain,
)
from conversations.attachments.extraction.chunks import Piece, cut_pieces
from conversations.attachments.types import DOCX, HTML, PDF, PLAIN, PPTX, XLSX

PARSERS: dict[str, Callable[[Path], Iterable[Piece]]] = {
    PLAIN: plain.read_text,
    "text/markdown": plain.read_text,
    "text/csv": plain.read_csv,
    HTML: plain.read_html,
    PDF: pdf.read_pdf,
    DOCX: office.read_docx,
    PPTX: office.read_pptx,
    XLSX: office.read_xlsx,
}


def read(
    source: Path, content_type: str, folder: Path, *, recognise: bool
) -> dict[str, Any]:
    """The parts of the text, and the text of each picture in the folder.

    Raises Unreadable.
    """
    pieces: list[Piece] = []
    if content_type in PARSERS:
        pieces = cut_pieces(PARSERS[content_type](source))
        if content_type == PDF and not pieces:
            pdf.draw_pages(source, folder)
        elif not pieces:
            raise Unreadable("no_text")
    else:
        pictures.read_picture(source, folder)
    drawn = sorted(folder.glob("*.jpg")) if recognise else []
    return {"pieces": pieces, "recognised": [pictures.recognise(one) for one in drawn]}
