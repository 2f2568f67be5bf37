"""What is filled into the fields of a PDF's page, and notes on it: no text of the page."""

import ctypes
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import pypdfium2
from pypdfium2 import raw

BOXES = {raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON}
NO_FIELDS = {raw.FPDF_FORMFIELD_PUSHBUTTON, raw.FPDF_FORMFIELD_SIGNATURE}
NOTES = {raw.FPDF_ANNOT_TEXT, raw.FPDF_ANNOT_FREETEXT, raw.FPDF_ANNOT_HIGHLIGHT}
MOST_ANNOTATIONS = 2000  # of a page
LONGEST_VALUE = 4000  # characters
CHECKED = "✓"


class Filled(NamedTuple):
    """ "label: value", what follows it, as a unit, and the words of the page beside it."""

    line: str
    after: str
    beside: Sequence[str]


def with_filled(
    text: str, document: pypdfium2.PdfDocument, page: pypdfium2.PdfPage
) -> str:
    """The text of a page with what is filled in: in its line, where it is there alone."""
    lines = text.strip().splitlines()
    for filled in _filled_lines(document, page):
        same = (n for n, line in enumerate(lines) if line.split() == filled.beside)
        at = next(same, None) if filled.beside else None
        if at is None:
            lines.append(filled.line)
        else:
            lines[at] = f"{filled.line} {filled.after}".strip()
    return "\n".join(lines)


def _filled_lines(
    document: pypdfium2.PdfDocument, page: pypdfium2.PdfPage
) -> Iterator[Filled]:
    """From the top of the page. Empty fields and boxes have no line."""
    count = min(raw.FPDFPage_GetAnnotCount(page), MOST_ANNOTATIONS)
    if not count:
        return
    marks = [raw.FPDFPage_GetAnnot(page, number) for number in range(count)]
    placed = [(_box_of(mark), mark) for mark in marks]
    labels = _Labels(page, [box for box, _mark in placed])
    for box, mark in sorted(placed, key=lambda it: (-round(it[0].top), it[0].left)):
        if filled := _filled(document, mark, box, labels):
            yield filled
    for mark in marks:
        raw.FPDFPage_CloseAnnot(mark)


def _filled(document: Any, mark: Any, box: Any, labels: "_Labels") -> Filled | None:
    kind = raw.FPDFAnnot_GetSubtype(mark)
    if kind in NOTES:
        note = _string(raw.FPDFAnnot_GetStringValue, mark, b"Contents")
        return Filled(note, "", ()) if note else None
    if kind != raw.FPDF_ANNOT_WIDGET or document.formenv is None:
        return None
    form = document.formenv
    field = raw.FPDFAnnot_GetFormFieldType(form, mark)
    if field in NO_FIELDS:
        return None
    told = _string(raw.FPDFAnnot_GetFormFieldAlternateName, form, mark)
    before, after = labels.before(box), labels.after(box)
    beside = f"{before} {after}".split()
    if field in BOXES:
        value = CHECKED if raw.FPDFAnnot_IsChecked(form, mark) else ""
        label, after = " ".join(beside), ""
    else:
        value = _chosen(form, mark) or _string(
            raw.FPDFAnnot_GetFormFieldValue, form, mark
        )
        label = before
    label = told or label or _string(raw.FPDFAnnot_GetFormFieldName, form, mark)
    return Filled(f"{label.rstrip(' :_.')}: {value}", after, beside) if value else None


def _chosen(form: Any, mark: Any) -> str:
    """The chosen lines of a list; its value is the first of them alone."""
    options = range(min(max(raw.FPDFAnnot_GetOptionCount(form, mark), 0), 500))
    return ", ".join(
        _string(raw.FPDFAnnot_GetOptionLabel, form, mark, number)
        for number in options
        if raw.FPDFAnnot_IsOptionSelected(form, mark, number)
    )


def _string(ask: Callable[..., int], *given: Any) -> str:
    """PDFium writes UTF-16 with a NUL into what it is given, and says how long it is."""
    size = min(ask(*given, None, 0), 2 * LONGEST_VALUE)
    if size <= 2:
        return ""
    buffer = ctypes.create_string_buffer(size)
    wide = ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort))
    ask(*given, wide, size)
    text = buffer.raw.decode("utf-16-le", errors="replace").partition("\0")[0]
    return " ".join(text.split())


def _box_of(mark: Any) -> Any:
    box = raw.FS_RECTF()
    raw.FPDFAnnot_GetRect(mark, box)
    return box


class _Labels:
    """The text of the page beside a field, up to the next field of its line."""

    def __init__(self, page: pypdfium2.PdfPage, boxes: list[Any]) -> None:
        self.text, self.boxes, self.width = page.get_textpage(), boxes, page.get_width()

    def before(self, box: Any) -> str:
        ends = (other.right for other in self._line(box) if other.right <= box.left)
        return self._between(max(ends, default=0), box.left, box)

    def after(self, box: Any) -> str:
        starts = (other.left for other in self._line(box) if other.left >= box.right)
        return self._between(box.right, min(starts, default=self.width), box)

    def _line(self, box: Any) -> Iterator[Any]:
        middle = (box.top + box.bottom) / 2
        return (other for other in self.boxes if other.bottom < middle < other.top)

    def _between(self, left: float, right: float, box: Any) -> str:
        if right <= left:
            return ""
        found = self.text.get_text_bounded(left, box.bottom, right, box.top)
        return " ".join(found.split())
