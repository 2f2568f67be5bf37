"""Word, PowerPoint and Excel. Macros and links are never looked at."""

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from zipfile import ZipFile

from lxml import etree
from python_calamine import CalamineError, CalamineWorkbook

from conversations.attachments.extraction import Unreadable
from conversations.attachments.extraction.archives import open_archive, unpack
from conversations.attachments.extraction.chunks import Piece, table

WORD_NAMESPACE = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
SLIDE = re.compile(r"ppt/slides/slide(\d+)\.xml")
MOST_ROWS = 20_000  # of a sheet
MOST_PARAGRAPHS = 200_000  # of a document or slide, empty ones, too
MOST_MARKS = 3_000_000  # "<" of a part; libxml2 itself stops at a depth of 256
LONGEST_ROW = 4000  # characters
MOST_ENTRIES = 5000
LARGEST_UNPACKED = 200 * 1024**2  # bytes, unpacked
LEAST_COLUMNS = 3  # of a table with a head; two are names and values
HARMLESS, HIGHEST_RATIO = 20 * 1024**2, 100  # bytes, unpacked: any ratio is allowed


def _open_archive(source: Path) -> ZipFile:
    """Look at its directory, then count what each entry becomes. Raises Unreadable."""
    archive = open_archive(source)
    entries = archive.infolist()
    size = sum(entry.file_size for entry in entries)
    packed = sum(entry.compress_size for entry in entries) or 1
    dense = size > HARMLESS and size / packed > HIGHEST_RATIO
    if len(entries) > MOST_ENTRIES or size > LARGEST_UNPACKED or dense:
        raise Unreadable("bomb")
    if any(entry.flag_bits & 1 for entry in entries):
        raise Unreadable("encrypted")
    for entry in entries:  # an entry is as large as it states, or is broken
        for _piece in unpack(archive, entry, LARGEST_UNPACKED):
            pass
    return archive


def read_docx(source: Path) -> Iterator[Piece]:
    """Paragraphs, each in its heading, and rows of tables, each as a line with its head."""
    with _open_archive(source) as archive:
        headings = _heading_styles(archive)
        root, place = _root(archive, "word/document.xml"), ""
    for paragraph in islice(
        root.iter(f"{WORD_NAMESPACE}p", f"{WORD_NAMESPACE}tr"), MOST_PARAGRAPHS
    ):
        if paragraph.tag == f"{WORD_NAMESPACE}tr":
            if row := _told_row(paragraph):
                yield Piece(row[:LONGEST_ROW], place)
            continue
        if next(paragraph.iterancestors(f"{WORD_NAMESPACE}tr"), None) is not None:
            continue  # its row has it
        text = _text(paragraph, WORD_NAMESPACE).strip()
        style = paragraph.find(f"{WORD_NAMESPACE}pPr/{WORD_NAMESPACE}pStyle")
        if text and style is not None and style.get(f"{WORD_NAMESPACE}val") in headings:
            place = text[:200]
        if text:
            yield Piece(text, place)


def read_pptx(source: Path) -> Iterator[Piece]:
    with _open_archive(source) as archive:
        slides = [name for name in archive.namelist() if SLIDE.fullmatch(name)]
        slides.sort(key=lambda name: int(SLIDE.fullmatch(name)[1]))  # type: ignore[index] # they match
        for number, name in enumerate(slides, start=1):
            found = _root(archive, name).iter(f"{DRAWING}p")
            paragraphs = islice(found, MOST_PARAGRAPHS)
            lines = (_text(paragraph, DRAWING).strip() for paragraph in paragraphs)
            yield Piece("\n".join(line for line in lines if line), f"slide {number}")


def read_xlsx(source: Path) -> Iterator[Piece]:
    _open_archive(source).close()
    try:
        workbook = CalamineWorkbook.from_path(source)
        for name in workbook.sheet_names:
            rows = islice(workbook.get_sheet_by_name(name).iter_rows(), MOST_ROWS)
            lines = (", ".join(map(str, row)).strip(" ,") for row in rows)
            shown = (line[:LONGEST_ROW] for line in lines if line)
            yield from table(shown, f"sheet {name[:100]}")
    except CalamineError:
        raise Unreadable("broken") from None


def _heading_styles(archive: ZipFile) -> set[str]:
    """Ids by name: the names are English in every language of Word."""
    styles = {f"Heading{level}" for level in range(1, 7)} | {"Title"}
    if "word/styles.xml" in archive.namelist():
        for style in _root(archive, "word/styles.xml").iter(f"{WORD_NAMESPACE}style"):
            name = style.find(f"{WORD_NAMESPACE}name")
            told = "" if name is None else str(name.get(f"{WORD_NAMESPACE}val")).lower()
            if told.startswith(("heading ", "title")):
                styles.add(str(style.get(f"{WORD_NAMESPACE}styleId")))
    return styles


def _root(archive: ZipFile, name: str) -> etree._Element:
    """Without entities, external ones or not."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        raw = b"".join(unpack(archive, archive.getinfo(name), LARGEST_UNPACKED))
        if raw.count(b"<") > MOST_MARKS:
            raise Unreadable("too_complex")
        return etree.fromstring(raw, parser)
    except (etree.XMLSyntaxError, KeyError):
        raise Unreadable("broken") from None


def _told_row(row: etree._Element) -> str:
    """As "Medicine: Aspirin, Dose: 75 mg", without the row that is the head."""
    if next(row.iterancestors(f"{WORD_NAMESPACE}tr"), None) is not None:
        return ""  # of a table in a cell the outer row has all
    cells, table = _cells(row), row.getparent()
    first = None if table is None else table.find(f"{WORD_NAMESPACE}tr")
    head = [] if first is None else _cells(first)
    if len(head) < LEAST_COLUMNS or not all(map(_is_label, head)):
        return ", ".join(filter(None, cells))
    if row is first:
        rows_below = row.itersiblings(f"{WORD_NAMESPACE}tr")
        return "" if next(rows_below, None) is not None else ", ".join(cells)
    return ", ".join(
        f"{h}: {cell}" for h, cell in zip(head, cells, strict=False) if cell
    )


def _is_label(cell: str) -> bool:
    return bool(cell) and not any(map(str.isdigit, cell))


def _cells(row: etree._Element) -> list[str]:
    return [
        " ".join(
            _text(paragraph, WORD_NAMESPACE).strip()
            for paragraph in cell.iter(f"{WORD_NAMESPACE}p")
        ).strip()
        for cell in row.iterchildren(f"{WORD_NAMESPACE}tc")
    ]


def _text(paragraph: etree._Element, space: str) -> str:
    marks = {f"{space}tab": "\t", f"{space}br": "\n", f"{space}cr": "\n"}
    runs = paragraph.iter(f"{space}t", *marks)
    return "".join(marks.get(str(run.tag), run.text or "") for run in runs)
