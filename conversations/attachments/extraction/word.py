"""Word: the document with what is around it. Macros and links are never looked at."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from zipfile import ZipFile

from lxml import etree

from conversations.attachments.extraction.chunks import Piece
from conversations.attachments.extraction.packages import (
    main_part,
    open_package,
    relations,
    root_of,
)

WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
COMPATIBILITY = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
PARAGRAPH, ROW, BOX = f"{WORD}p", f"{WORD}tr", f"{WORD}txbxContent"
# What was moved away, and the second of two ways to draw one thing.
LEFT_OUT = (f"{WORD}moveFrom", f"{COMPATIBILITY}Fallback")
BEFORE, AFTER = ("header",), ("footer", "footnotes", "endnotes", "comments")
COMMENT, STYLE = f"{WORD}comment", f"{WORD}pPr/{WORD}pStyle"
MOST_PARAGRAPHS = 200_000  # of a document, empty ones, too
LEAST_COLUMNS = 3  # of a table with a head; two are names and values
MARKS = {f"{WORD}tab": "\t", f"{WORD}br": "\n", f"{WORD}cr": "\n"}


def read_docx(source: Path) -> Iterator[Piece]:
    """Paragraphs, each in its heading; a row of a table is one line with its head.

    Headers and footers that pages repeat come once. Raises Unreadable.
    """
    with open_package(source) as archive:
        main = main_part(archive)
        headings = _heading_styles(archive)
        around = [
            (relation.kind, root_of(archive, relation.path))
            for relation in relations(archive, main)
            if relation.kind in {*BEFORE, *AFTER}
        ]
        root = root_of(archive, main)
    for kind in BEFORE:
        yield from _around(kind, around)
    yield from _paragraphs(root, headings)
    for kind in AFTER:
        yield from _around(kind, around)


def _around(kind: str, parts: list[tuple[str, etree._Element]]) -> Iterator[Piece]:
    texts = [
        text for found, part in parts if found == kind for text in _notes(kind, part)
    ]
    for text in dict.fromkeys(filter(None, texts)):
        yield Piece(text, kind)


def _notes(kind: str, part: etree._Element) -> Iterator[str]:
    """Each comment is marked as one, with who wrote it."""
    if kind != "comments":
        yield "\n".join(piece.text for piece in _paragraphs(part, set()))
        return
    for comment in part.iter(COMMENT):
        text = " ".join(piece.text for piece in _paragraphs(comment, set()))
        author = comment.get(f"{WORD}author", "")
        yield f"[comment {author}] {text}".replace(" ]", "]") if text else ""


def _paragraphs(root: etree._Element, headings: set[str]) -> Iterator[Piece]:
    place = ""
    etree.strip_elements(root, *LEFT_OUT, with_tail=False)
    has_rows = next(root.iter(ROW), None) is not None  # most of the time is spent below
    for paragraph in islice(root.iter(PARAGRAPH, ROW), MOST_PARAGRAPHS):
        if paragraph.tag == ROW:
            if row := _told_row(paragraph):
                yield Piece(row, place)
            continue
        if has_rows and next(paragraph.iterancestors(ROW), None) is not None:
            continue  # its row has it
        text = _text(paragraph).strip()
        if not text:
            continue
        style = paragraph.find(STYLE) if headings else None
        if style is not None and style.get(f"{WORD}val") in headings:
            place = text[:200]
        yield Piece(text, place)


def _heading_styles(archive: ZipFile) -> set[str]:
    """Ids by name: the names are English in every language of Word."""
    styles = {f"Heading{level}" for level in range(1, 7)} | {"Title"}
    for relation in relations(archive, main_part(archive)):
        if relation.kind != "styles":
            continue
        for style in root_of(archive, relation.path).iter(f"{WORD}style"):
            name = style.find(f"{WORD}name")
            told = "" if name is None else str(name.get(f"{WORD}val")).lower()
            if told.startswith(("heading ", "title")):
                styles.add(str(style.get(f"{WORD}styleId")))
    return styles


def _told_row(row: etree._Element) -> str:
    """As "Medicine: Aspirin, Dose: 75 mg", without the row that is the head."""
    if next(row.iterancestors(ROW), None) is not None:
        return ""  # of a table in a cell the outer row has all
    cells, table = _cells(row), row.getparent()
    first = None if table is None else table.find(ROW)
    head = [] if first is None else _cells(first)
    if first is None or len(head) < LEAST_COLUMNS or not all(map(_is_label, head)):
        return ", ".join(filter(None, cells))
    if row is first:
        below = next(row.itersiblings(ROW), None)
        return "" if below is not None else ", ".join(cells)
    if len(cells) != len(head):  # some are joined
        return ", ".join(filter(None, cells))
    return ", ".join(
        f"{h}: {cell}" for h, cell in zip(head, cells, strict=True) if cell
    )


def _is_label(cell: str) -> bool:
    return bool(cell) and not any(map(str.isdigit, cell))


def _cells(row: etree._Element) -> list[str]:
    return [
        " ".join(_text(paragraph).strip() for paragraph in cell.iter(PARAGRAPH)).strip()
        for cell in row.iterchildren(f"{WORD}tc")
    ]


def _text(paragraph: etree._Element) -> str:
    """Without the paragraphs of text boxes in it, which come by themselves."""
    runs = paragraph.iter(f"{WORD}t", *MARKS)
    if next(paragraph.iter(BOX), None) is not None:
        runs = (run for run in runs if next(run.iterancestors(PARAGRAPH)) is paragraph)
    return "".join(MARKS.get(str(run.tag), run.text or "") for run in runs)
