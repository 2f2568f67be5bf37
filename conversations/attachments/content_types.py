"""The type of a file, found in its bytes and never taken from its sender."""

import io
import zipfile
from dataclasses import dataclass
from typing import IO

from conversations.attachments.extraction import (
    BROKEN_ARCHIVE,
    DOCX,
    HTML,
    PDF,
    PLAIN,
    PPTX,
    XLSX,
)
from conversations.models import Attachment
from conversations.refusals import UnknownType

Kind = Attachment.Kind

HEAD_BYTES = 64 * 1024  # bytes that are looked at
END_OF_DIRECTORY = 22 + 65_535 + 20  # bytes at most, with its comment
LARGEST_DIRECTORY = 2 * 1024**2
SIGNATURES: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF87a", "image/gif"),
    (0, b"GIF89a", "image/gif"),
    (8, b"WEBP", "image/webp"),
    (0, b"OggS", "audio/ogg"),
    (0, b"ID3", "audio/mpeg"),
    (0, b"\xff\xfb", "audio/mpeg"),
    (0, b"\xff\xf3", "audio/mpeg"),
    (0, b"fLaC", "audio/flac"),
    (8, b"WAVEfmt ", "audio/wav"),
    (4, b"ftypM4A", "audio/mp4"),
    (4, b"ftypM4V", "video/mp4"),
    (4, b"ftypmp4", "video/mp4"),
    (4, b"ftypiso", "video/mp4"),
    (4, b"ftypavc1", "video/mp4"),
    (0, b"\x1a\x45\xdf\xa3", "audio/webm"),
)
OFFICE = {
    "word/document.xml": DOCX,
    "ppt/presentation.xml": PPTX,
    "xl/workbook.xml": XLSX,
}
# A name chooses among kinds of text only.
TEXT_TYPES = {".csv": "text/csv", ".tsv": "text/csv", ".md": "text/markdown"}
LAYOUT = frozenset(b"\t\n\x0c\r\x1b")
WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")  # of UTF-16


@dataclass(frozen=True, slots=True)
class Found:
    kind: str
    content_type: str


def detect(file: IO[bytes], name: str) -> Found:
    """Raises UnknownType."""
    file.seek(0)
    head = file.read(HEAD_BYTES)
    for start, signature, content_type in SIGNATURES:
        if head.startswith(signature, start):
            kind = Kind.IMAGE if content_type.startswith("image/") else Kind.AUDIO
            return Found(kind, content_type)
    if b"%PDF-" in head[:1024]:
        return Found(Kind.DOCUMENT, PDF)
    if head.startswith(b"PK\x03\x04"):
        return Found(Kind.DOCUMENT, _office(file))
    controls = {byte for byte in head if byte < 0x20} - LAYOUT
    if head.startswith(WIDE_MARKS) or (head.strip() and not controls):
        beginning = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:20].lower()
        if beginning.startswith((b"<!doctype html", b"<html")):
            return Found(Kind.DOCUMENT, HTML)
        suffix = f".{name.lower().rpartition('.')[2]}"
        return Found(Kind.DOCUMENT, TEXT_TYPES.get(suffix, PLAIN))
    raise UnknownType


def _office(file: IO[bytes]) -> str:
    """Reads the directory of the archive only, unless it is a large one."""
    file.seek(0, io.SEEK_END)
    file.seek(max(file.tell() - END_OF_DIRECTORY, 0))
    before, found, end = file.read().rpartition(b"PK\x05\x06")
    is_long = before[-20:-16] == b"PK\x06\x07"  # ZIP64 has other sizes before it
    size = int.from_bytes(end[8:12], "little")
    if not found or is_long or size > LARGEST_DIRECTORY:
        raise UnknownType
    try:
        with zipfile.ZipFile(file) as archive:
            names = set(archive.namelist())
    except BROKEN_ARCHIVE:
        raise UnknownType from None
    for name, content_type in OFFICE.items():
        if name in names:
            return content_type
    raise UnknownType
