"""PowerPoint and Excel. Macros and links are never looked at."""

import posixpath
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from lxml import etree
from python_calamine import CalamineError, CalamineWorkbook

from conversations.attachments.extraction import Unreadable
from conversations.attachments.extraction.chunks import Piece, Unread, table
from conversations.attachments.extraction.packages import (
    bytes_of,
    main_part,
    open_package,
    parsed,
    relations,
    root_of,
)

DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
SHEETS = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
OFFICE = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
WORKBOOK = "xl/workbook.xml"  # the one name that calamine knows
WORKBOOK_RELATIONS = "xl/_rels/workbook.xml.rels"
SLIDE = re.compile(r"ppt/slides/slide(\d+)\.xml")
FORMULA = re.compile(rb"<(?:\w+:)?f[ />]")
CELL = re.compile(r"([A-Z]{1,3})(\d{1,7})")
ROW = f"{DRAWING}tr"
BREAKS = {f"{DRAWING}br": "\n", f"{DRAWING}tab": "\t"}
MOST_ROWS = 20_000  # of a sheet
MOST_CELLS = 1_000_000  # of a sheet
MOST_PARAGRAPHS = 200_000  # of a slide, empty ones, too
MOST_NAMED = 10  # cells


def read_pptx(source: Path) -> Iterator[Piece]:
    with open_package(source) as archive:
        slides = [name for name in archive.namelist() if SLIDE.fullmatch(name)]
        slides.sort(key=lambda name: int(SLIDE.fullmatch(name)[1]))  # type: ignore[index] # they match
        for number, name in enumerate(slides, start=1):
            yield Piece(_slide(archive, name), f"slide {number}")
            for relation in relations(archive, name):
                if relation.kind == "notesSlide":
                    notes = _slide(archive, relation.path)
                    yield Piece(notes, f"slide {number}, notes")


def _slide(archive: ZipFile, name: str) -> str:
    """A row of a table is one line."""
    lines = []
    parts = root_of(archive, name).iter(f"{DRAWING}p", ROW)
    for part in islice(parts, MOST_PARAGRAPHS):
        if part.tag == ROW:
            cells = (_text(cell).strip() for cell in part.iterchildren(f"{DRAWING}tc"))
            lines.append(", ".join(filter(None, cells)))
        elif next(part.iterancestors(ROW), None) is None:
            lines.append(_text(part).strip())
    return "\n".join(line for line in lines if line)


def read_xlsx(source: Path) -> Iterator[Piece | Unread]:
    with open_package(source) as archive:
        formats = _percent_formats(archive)
        paths = _sheets(archive)
        marked = {n: _marked_cells(archive, paths[n], formats) for n in paths}
        comments = {name: _comments(archive, paths[name]) for name in paths}
        source = _with_usual_names(archive, source)
    try:
        workbook = CalamineWorkbook.from_path(source)
        for name in workbook.sheet_names:
            sheet, place = workbook.get_sheet_by_name(name), f"sheet {name[:100]}"
            percents, unset = marked.get(name, (set(), []))
            first = sheet.start[1] if sheet.start else 0
            rows = islice(sheet.iter_rows(), MOST_ROWS)
            lines = (
                ", ".join(
                    _cell(value, is_percent=(number, first + column) in percents)
                    for column, value in enumerate(row)
                ).strip(" ,")
                for number, row in enumerate(rows)
            )
            yield from table((line for line in lines if line), place)
            if sheet.total_height > MOST_ROWS:
                yield Unread(f"{place}, rows {MOST_ROWS + 1}-", "too_complex")
            for comment in comments.get(name, ()):
                yield Piece(comment, f"{place}, comments")
            if unset:
                yield Unread(f"{place}, {', '.join(unset)}", "formula")
    except CalamineError:
        raise Unreadable("broken") from None


def _with_usual_names(archive: ZipFile, source: Path) -> Path:
    main = main_part(archive)
    if main == WORKBOOK:
        return source
    folder, name = posixpath.split(main)
    own = posixpath.join(folder, "_rels", f"{name}.rels")
    names = {main: WORKBOOK, own: WORKBOOK_RELATIONS}
    copy = source.with_name("renamed")
    with ZipFile(copy, "w", ZIP_DEFLATED) as written:
        for name in archive.namelist():
            written.writestr(names.get(name, name), bytes_of(archive, name))
    return copy


def _cell(value: object, *, is_percent: bool) -> str:
    """As the sheet shows it: 0.42 in a format with "%" as 42%, 5.0 as 5."""
    if not isinstance(value, float):
        return str(value)
    shown = 100 * value if is_percent else value
    return f"{shown:.10g}%" if is_percent else f"{shown:.15g}"


def _sheets(archive: ZipFile) -> dict[str, str]:
    """The path of each sheet by its name."""
    main = main_part(archive)
    paths = {relation.key: relation.path for relation in relations(archive, main)}
    found = {}
    for sheet in root_of(archive, main).iter(f"{SHEETS}sheet"):
        if path := paths.get(str(sheet.get(f"{OFFICE}id"))):
            found[str(sheet.get("name"))] = path
    return found


def _percent_formats(archive: ZipFile) -> set[str]:
    """The numbers of the cell formats that show a share of a hundred."""
    if "xl/styles.xml" not in archive.namelist():
        return set()
    root = root_of(archive, "xl/styles.xml")
    own = {
        number.get("numFmtId")
        for number in root.iter(f"{SHEETS}numFmt")
        if "%" in str(number.get("formatCode"))
    }
    cells = root.find(f"{SHEETS}cellXfs")
    return {
        str(number)
        for number, cell in enumerate(() if cells is None else cells)
        if cell.get("numFmtId") in {"9", "10", *own}
    }


def _marked_cells(
    archive: ZipFile, path: str, percents: set[str]
) -> tuple[set[tuple[int, int]], list[str]]:
    """Cells shown in percent, and names of those whose formula has no stored value."""
    shown: set[tuple[int, int]] = set()
    unset: list[str] = []
    raw = bytes_of(archive, path)
    if not percents and FORMULA.search(raw) is None:  # most large ones
        return shown, unset
    for cell in islice(parsed(raw).iter(f"{SHEETS}c"), MOST_CELLS):
        place = CELL.fullmatch(cell.get("r") or "")
        if place is None:
            continue
        if cell.get("s") in percents:
            shown.add((int(place[2]) - 1, _column(place[1])))
        if cell.find(f"{SHEETS}f") is not None and not cell.findtext(f"{SHEETS}v"):
            unset.append(place[0])
    return shown, unset[:MOST_NAMED]


def _comments(archive: ZipFile, path: str) -> list[str]:
    """Each with the cell that it is about."""
    return [
        f"[comment {comment.get('ref', '')}] {text}"
        for relation in relations(archive, path)
        if relation.kind == "comments"
        for comment in root_of(archive, relation.path).iter(f"{SHEETS}comment")
        if (text := " ".join("".join(comment.itertext()).split()))
    ]


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number - 1


def _text(part: etree._Element) -> str:
    runs = part.iter(f"{DRAWING}t", *BREAKS)
    return "".join(BREAKS.get(str(run.tag), run.text or "") for run in runs)
