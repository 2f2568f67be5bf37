"""Real files made of bytes, so that no test needs a program to write them."""

import io
import zipfile
from collections.abc import Sequence
from xml.sax.saxutils import escape

from PIL import Image

PAGE = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
CONTENT = "http://schemas.openxmlformats.org/package/2006/content-types"
MAIN = "application/vnd.openxmlformats-officedocument"
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
SLIDES = "http://schemas.openxmlformats.org/presentationml/2006/main"
SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def package(main: str, kind: str, files: dict[str, str | bytes]) -> bytes:
    """An Office file whose main part has this path and content type."""
    types = (
        f'<Types xmlns="{CONTENT}"><Default Extension="xml" ContentType="application/xml"/>'
        '<Default Extension="rels"'
        ' ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/{main}" ContentType="{kind}"/></Types>'
    )
    relations = (
        f'<Relationships xmlns="{RELATIONS}"><Relationship Id="rId1"'
        f' Type="{OFFICE}/officeDocument" Target="{main}"/></Relationships>'
    )
    return archive({"[Content_Types].xml": types, "_rels/.rels": relations, **files})


def archive(files: dict[str, str | bytes]) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in files.items():
            target.writestr(name, content)
    return written.getvalue()


def docx(
    paragraphs: Sequence[tuple[str, str]],
    before: str = "",
    more: dict[str, str | bytes] | None = None,
) -> bytes:
    """Paragraphs as style and text."""
    body = "".join(
        f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr>'
        f"<w:r><w:t>{text if before else escape(text)}</w:t></w:r></w:p>"
        for style, text in paragraphs
    )
    document = (
        f'{before}<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'
    )
    kind = f"{MAIN}.wordprocessingml.document.main+xml"
    return package(
        "word/document.xml", kind, {"word/document.xml": document, **(more or {})}
    )


def pptx(slides: Sequence[Sequence[str]]) -> bytes:
    """Slides as lines."""
    files: dict[str, str | bytes] = {"ppt/presentation.xml": "<p/>"}
    for number, lines in enumerate(slides, start=1):
        shown = "".join(
            f"<a:p><a:r><a:t>{escape(line)}</a:t></a:r></a:p>" for line in lines
        )
        files[f"ppt/slides/slide{number}.xml"] = (
            f'<p:sld xmlns:p="{SLIDES}" xmlns:a="{DRAWING}">{shown}</p:sld>'
        )
    kind = f"{MAIN}.presentationml.presentation.main+xml"
    return package("ppt/presentation.xml", kind, files)


def xlsx(
    sheets: dict[str, Sequence[Sequence[str]]],
    more: dict[str, str | bytes] | None = None,
) -> bytes:
    files: dict[str, str | bytes] = {**(more or {})}
    names = relations = ""
    for number, (name, rows) in enumerate(sheets.items(), start=1):
        names += f'<sheet name="{name}" sheetId="{number}" r:id="rId{number}"/>'
        relations += (
            f'<Relationship Id="rId{number}" Type="{OFFICE}/worksheet"'
            f' Target="worksheets/sheet{number}.xml"/>'
        )
        files[f"xl/worksheets/sheet{number}.xml"] = _sheet(rows)
    files["xl/workbook.xml"] = (
        f'<workbook xmlns="{SHEETS}" xmlns:r="{OFFICE}"><sheets>{names}</sheets></workbook>'
    )
    files["xl/_rels/workbook.xml.rels"] = (
        f'<Relationships xmlns="{RELATIONS}">{relations}</Relationships>'
    )
    kind = f"{MAIN}.spreadsheetml.sheet.main+xml"
    return package("xl/workbook.xml", kind, files)


def _sheet(rows: Sequence[Sequence[str]]) -> str:
    cells = "".join(
        f'<row r="{number}">'
        + "".join(
            f'<c r="{"ABCDEFGH"[column]}{number}" t="inlineStr">'
            f"<is><t>{escape(value)}</t></is></c>"
            for column, value in enumerate(row)
        )
        + "</row>"
        for number, row in enumerate(rows, start=1)
    )
    return f'<worksheet xmlns="{SHEETS}"><sheetData>{cells}</sheetData></worksheet>'


def pdf(pages: Sequence[str]) -> bytes:
    """Each page has one line of text, or none if it is empty."""
    return drawn_pdf(
        [f"BT /F1 24 Tf 72 700 Td ({text}) Tj ET" if text else "" for text in pages]
    )


def placed_pdf(words: Sequence[tuple[float, float, str]], turn: int = 0) -> bytes:
    """A page with words of 9 points, each drawn at its place from the top left."""
    matrix = {0: "1 0 0 1 0 800", 90: "0 1 -1 0 0 0"}[turn]
    drawn = "".join(f"BT 1 0 0 1 {x} {-y} Tm ({text}) Tj ET " for x, y, text in words)
    return drawn_pdf([f"{matrix} cm /F1 9 Tf {drawn}"], f"/Rotate {turn}")


def drawn_pdf(pages: Sequence[str], more: str = "") -> bytes:
    """Pages of what is drawn there with the font F1."""
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, drawn in enumerate(pages):
        objects += [
            PAGE
            + f" << /Font << /F1 3 0 R >> >> {more} /Contents {5 + 2 * number} 0 R >>",
            f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream",
        ]
    return numbered(objects)


def pdf_with_pictures(pages: Sequence[str | None]) -> bytes:
    """Like `pdf`; a page that is None has a filled square instead."""
    marked = pdf(["SQUARE" if page is None else page for page in pages])
    return marked.replace(
        b"BT /F1 24 Tf 72 700 Td (SQUARE) Tj ET",
        b"72 500 200 200 re f                   ",
    )


def numbered(objects: Sequence[str]) -> bytes:
    """A PDF of these objects, with the table of their places."""
    written, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(written))
        written += f"{number} 0 obj\n{content}\nendobj\n".encode()
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    count = len(objects) + 1
    return (
        written
        + (
            f"xref\n0 {count}\n0000000000 65535 f \n{table}"
            f"trailer << /Size {count} /Root 1 0 R >>\nstartxref\n{len(written)}\n%%EOF\n"
        ).encode()
    )


def picture(size=(40, 30), form="PNG", **options) -> bytes:
    written = io.BytesIO()
    Image.new("RGB", size, "teal").save(written, form, **options)
    return written.getvalue()
