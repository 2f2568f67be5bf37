"""PDF: pypdf first, then the faster pypdfium2, then pictures of the pages."""

import time
from collections.abc import Iterator
from pathlib import Path

import pypdfium2
from pypdf import PdfReader
from pypdf.errors import PyPdfError

from conversations.attachments.extraction import Unreadable
from conversations.attachments.extraction.chunks import Piece
from conversations.attachments.extraction.pictures import save_picture

SECONDS_EACH = 1.2  # of the processor, for each of the three ways
MOST_PICTURES = 5
DPI = 120
LARGEST_PAGE = 3000  # points; a larger one is drawn smaller
POINT = 72  # of an inch


def read_pdf(source: Path) -> list[Piece]:
    """The pages that can be read in the time. Raises Unreadable."""
    try:
        pieces, whole = _in_time(_with_pypdf(source))
    except (PyPdfError, ValueError, KeyError, TypeError, RecursionError, OSError):
        pieces, whole = [], False
    if pieces and whole:
        return pieces
    try:
        return max(pieces, _in_time(_with_pdfium(source))[0], key=len)
    except pypdfium2.PdfiumError as error:
        if pieces:
            return pieces
        raise Unreadable(
            "encrypted" if "password" in str(error) else "broken"
        ) from None


def draw_pages(source: Path, folder: Path) -> None:
    """The first pages as pictures, for one without text."""
    until = time.process_time() + SECONDS_EACH
    document = pypdfium2.PdfDocument(source)
    for number in range(min(len(document), MOST_PICTURES)):
        page = document[number]
        scale = min(DPI / POINT, LARGEST_PAGE / max(*page.get_size(), 1))
        save_picture(page.render(scale=scale).to_pil(), folder)
        if time.process_time() > until:
            return


def _in_time(pages: Iterator[Piece]) -> tuple[list[Piece], bool]:
    """The pages with a text, and whether all were read."""
    until, found = time.process_time() + SECONDS_EACH, []
    for page in pages:
        if page.text.strip():
            found.append(page)
        if time.process_time() > until:
            return found, False
    return found, True


def _with_pypdf(source: Path) -> Iterator[Piece]:
    reader = PdfReader(source)
    if reader.is_encrypted and not reader.decrypt(""):
        raise Unreadable("encrypted")
    for number, page in enumerate(reader.pages, start=1):
        yield Piece(page.extract_text(), f"page {number}")


def _with_pdfium(source: Path) -> Iterator[Piece]:
    document = pypdfium2.PdfDocument(source)
    for number in range(len(document)):
        text = document[number].get_textpage().get_text_bounded()
        yield Piece(text, f"page {number + 1}")
