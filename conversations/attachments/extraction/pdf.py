"""PDF: the text of its pages, what is filled in, and pictures of those without text."""

import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pypdfium2
from pypdfium2 import raw

from conversations.attachments.extraction import Unreadable
from conversations.attachments.extraction.chunks import Piece, Unread
from conversations.attachments.extraction.forms import with_filled
from conversations.attachments.extraction.pdf_words import page_text
from conversations.attachments.extraction.pictures import save_picture

SECONDS_EACH = 1.2  # of the processor, for each step
MOST_PICTURES = 5
MOST_PAGES = 2000  # a file of 20 MB with more has nothing on most of them
DPI = 120
LARGEST_PAGE = 3000  # points; a larger one is drawn smaller
POINT = 72  # of an inch
MOST_OF_SCAN = 100  # characters beside the picture of a page
LEAST_OF_PAGE, MOST_OBJECTS = 0.3, 500  # that its pictures cover
Texts = dict[int, str]  # by the number of the page, from 1


def read_pdf(source: Path, folder: Path) -> list[Piece | Unread]:
    """The text of each page and what is filled in there. Raises Unreadable.

    Of pages without text the first are drawn into the folder.
    """
    try:
        document = pypdfium2.PdfDocument(source)
    except pypdfium2.PdfiumError as error:
        raise Unreadable(
            "encrypted" if "password" in str(error) else "broken"
        ) from None
    document.init_forms()
    pages = min(len(document), MOST_PAGES)
    texts, read = _texts(document)
    filled, _seen = _in_time(_with_forms(document, texts, pages))
    told = texts | filled
    found: list[Piece | Unread] = [
        Piece(told[number].strip(), f"page {number}") for number in sorted(told)
    ]
    if read < len(document):
        found.append(Unread(f"page {read + 1}-{len(document)}", "too_complex"))
    without = [
        n for n in range(1, min(read, pages) + 1) if not (n in texts or n in filled)
    ]
    without += [n for n, text in texts.items() if _is_scan(document[n - 1], text)]
    if found:  # a blank page among others is no picture
        without = [n for n in without if any(document[n - 1].get_objects(max_depth=1))]
    return [*found, *_drawn(document, without, folder)]


def _is_scan(page: pypdfium2.PdfPage, text: str) -> bool:
    """Whether it has hardly more text than its number, and is mostly pictures."""
    if len(text.strip()) > MOST_OF_SCAN:
        return False
    pictures = page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=2)
    areas = (
        (right - left) * (top - bottom)
        for picture in islice(pictures, MOST_OBJECTS)
        for left, bottom, right, top in [picture.get_bounds()]
    )
    width, height = page.get_size()
    return bool(sum(areas) > LEAST_OF_PAGE * width * height)


def _texts(document: pypdfium2.PdfDocument) -> tuple[Texts, int]:
    """Of the pages that have one, and how many were read; of the last without lines."""
    texts, read = _in_time(page_text(page) for page in document)
    if read < min(len(document), MOST_PAGES):
        rest, more = _in_time(_plain(document, range(read, len(document))))
        texts |= {read + number: text for number, text in rest.items()}
        read += more
    return texts, read


def _plain(document: pypdfium2.PdfDocument, numbers: range) -> Iterator[str]:
    for number in numbers:
        yield document[number].get_textpage().get_text_bounded()


def _in_time(pages: Iterator[str]) -> tuple[Texts, int]:
    until, found, number = time.process_time() + SECONDS_EACH, {}, 0
    for number, text in enumerate(pages, start=1):
        if text.strip():
            found[number] = text
        if time.process_time() > until or number == MOST_PAGES:
            break
    return found, number


def _with_forms(
    document: pypdfium2.PdfDocument, texts: Texts, pages: int
) -> Iterator[str]:
    for number in range(1, pages + 1):
        yield with_filled(texts.get(number, ""), document, document[number - 1])


def _drawn(
    document: pypdfium2.PdfDocument, without: list[int], folder: Path
) -> Iterator[Unread]:
    """Pictures named by the numbers of their pages."""
    until = time.process_time() + SECONDS_EACH
    drawn = 0
    for number in without:
        page = document[number - 1]
        if drawn == MOST_PICTURES or time.process_time() > until:
            yield Unread(f"page {number}", "picture")
            continue
        scale = min(DPI / POINT, LARGEST_PAGE / max(*page.get_size(), 1))
        save_picture(page.render(scale=scale).to_pil(), folder, number)
        drawn += 1
