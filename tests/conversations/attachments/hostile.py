"""Files made to harm: bombs, loops, damaged and disguised files."""

import io
import struct
import zipfile
import zlib
from itertools import cycle, islice

from pypdf import PdfReader, PdfWriter

from tests.conversations.attachments.documents import (
    archive,
    docx,
    numbered,
    pdf,
    picture,
    xlsx,
)

MEGABYTE = 1024 * 1024


def many_pixels(side=10_000):
    """A PNG of 100 million pixels in a few kilobytes."""

    def chunk(kind, data):
        code = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + code

    head = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    rows = zlib.compress(b"\0" * ((side // 8 + 1) * side), 9)
    parts = chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def many_frames(count=5000, side=2000):
    """A GIF whose frames are one pixel each on a large screen."""
    screen = struct.pack("<HHBBB", side, side, 0x80, 0, 0) + b"\0\0\0\xff\xff\xff"
    frame = b"\x21\xf9\x04\0\1\0\0\0\x2c" + struct.pack("<HHHHB", 0, 0, 1, 1, 0)
    return b"GIF89a" + screen + (frame + b"\2\2\x44\1\0") * count + b";"


def script_in_a_picture():
    """Begins like a GIF and is a program, too."""
    return b"GIF89a/*" + b" " * 20 + b"*/=1;fetch('/account')//;"


def lying(method, content, stated=100, times=1):
    """A zip file that states another size than its entry has, in both headers."""
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(buffer, "w", method) as opened,
        opened.open("conversations.json", "w") as entry,
    ):
        for _ in range(times):
            entry.write(content)
    real, small = struct.pack("<I", len(content) * times), struct.pack("<I", stated)
    return buffer.getvalue().replace(real, small)


def bomb():
    return docx([("Normal", "x")], more={"word/media/a.bin": b"\0" * 150 * MEGABYTE})


def nested_bomb():
    inner = archive({"zeros": b"\0" * 100 * MEGABYTE})
    for _ in range(3):
        inner = archive({f"{n}.zip": inner for n in range(5)})
    return docx([("Normal", "Tea")], more={"word/a.zip": inner})


def many_entries():
    return docx([("Normal", "x")], more={f"a/{n}": b"" for n in range(6000)})


def of_markup(body):
    return docx([("Normal", f"</w:t></w:r></w:p>{body}<w:p><w:r><w:t>")], before=" ")


def large_document():
    """Below the limits of the archive, above those of the child's memory or time."""
    return of_markup(
        "".join(f"<w:p><w:r><w:t>{n}</w:t></w:r></w:p>" for n in range(400_000))
    )


def million_cells():
    row = ["7"] * 8
    return xlsx({"Numbers": list(islice(cycle([row]), 125_000))})


def pages_in_a_loop():
    pages = "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 9999999 >>"
    return numbered(["<< /Type /Catalog /Pages 2 0 R >>", pages])


def form_in_itself():
    """A page that draws a form, which draws itself."""
    form = "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9]"
    again = "/Resources << /XObject << /F 5 0 R >> >>"
    return numbered(
        [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 99 99] >>",
            f"<< /Type /Page /Parent 2 0 R {again} /Contents 4 0 R >>",
            "<< /Length 5 >>\nstream\n/F Do\nendstream",
            f"{form} {again} /Length 11 >>\nstream\n/F Do /F Do\nendstream",
        ]
    )


def pdf_with_password():
    writer = PdfWriter(PdfReader(io.BytesIO(pdf(["Tea"]))))
    writer.encrypt("secret", algorithm="RC4-128")
    written = io.BytesIO()
    writer.write(written)
    return written.getvalue()


def entities():
    entity = '<!ENTITY a "aaaaaaaaaa">' + "".join(
        f'<!ENTITY {chr(n + 1)} "{f"&{chr(n)};" * 10}">' for n in range(97, 106)
    )
    return docx([("Normal", "&j;")], before=f"<!DOCTYPE w [{entity}]>")


# Makers, and the reason that the file's state gives.
REFUSED = {
    "zip bomb": (bomb, "bomb"),
    "6,000 entries": (many_entries, "bomb"),
    "expanding entities": (entities, "broken"),
    "loop of pages": (pages_in_a_loop, "broken"),
    "form in itself": (form_in_itself, "too_complex"),
    "pdf with a password": (pdf_with_password, "encrypted"),
    "broken pdf": (lambda: b"%PDF-1.7\n" + b"1 0 obj <<" * 1000, "broken"),
    "100 million pixels": (many_pixels, "too_many_pixels"),
    "900 million pixels": (lambda: many_pixels(30_000), "too_many_pixels"),
    "truncated png": (lambda: picture((300, 300))[:-60], "broken"),
    "truncated jpeg": (lambda: picture((300, 300), "JPEG")[:400], "broken"),
    "script in a picture": (script_in_a_picture, "broken"),
    "5,000 frames": (many_frames, "needs_ocr"),
    "no recording": (lambda: b"OggS" + b"no sound" * 1000, "needs_provider"),
}

EMPTY, COMPLEX = ("failed", "no_text"), ("failed", "too_complex")
# Names, makers, and the state and reason of files that cost 3 to 64 seconds.
COSTLY = {
    "empty paragraphs": ("a.docx", lambda: of_markup("<w:p/>" * 2_900_000), EMPTY),
    "nested paragraphs": (
        "a.docx",
        lambda: of_markup(("<w:p>" * 200 + "</w:p>" * 200) * 7000),
        EMPTY,
    ),
    "many elements": ("a.docx", lambda: of_markup("<a/>" * 5_000_000), COMPLEX),
    "nested tags": ("a.html", lambda: b"<html>" + b"<div>" * 200_000, COMPLEX),
    "nested lists": ("a.html", lambda: b"<html>" + b"<ul><li>" * 60_000, COMPLEX),
    "wrong ends": ("a.html", lambda: b"<html>" + b"<div></b>" * 100_000, COMPLEX),
}
