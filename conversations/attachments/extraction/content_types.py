"""The type of a file, found in the structure of its bytes and never taken from its sender."""

import io
import re
import zipfile
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from email.parser import BytesHeaderParser
from typing import IO

from conversations.attachments.extraction import (
    BROKEN_ARCHIVE,
    CALENDAR,
    CARD,
    DOCX,
    HTML,
    MAIL,
    PDF,
    PLAIN,
    PPTX,
    RTF,
    XLSX,
    XML,
    Unreadable,
)
from conversations.attachments.extraction.archives import unpack
from conversations.attachments.extraction.encodings import wide_encoding

HEAD_BYTES = 64 * 1024  # bytes that are looked at
END_OF_DIRECTORY = 22 + 65_535 + 20  # bytes at most, with its comment
LARGEST_DIRECTORY = 2 * 1024**2
SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"OggS", "audio/ogg"),
    (b"ID3", "audio/mpeg"),
    (b"fLaC", "audio/flac"),
    (b"\x1a\x45\xdf\xa3", "audio/webm"),
)
# The type of an Office file's main part, named in any way, as `[Content_Types].xml`
# has it: documents, templates, those with macros.
MAIN_PART = re.compile(
    rb"(wordprocessingml|ms-word|presentationml|ms-powerpoint|spreadsheetml|ms-excel)"
    rb"\.[\w.]*main\+xml"
)
OFFICE = {
    b"wordprocessingml": DOCX,
    b"ms-word": DOCX,
    b"presentationml": PPTX,
    b"ms-powerpoint": PPTX,
    b"spreadsheetml": XLSX,
    b"ms-excel": XLSX,
}
# Brands of ISO media, four letters each; the first that the file names decides.
PICTURE_BRANDS = {b"heic", b"heix", b"heim", b"heis", b"mif1", b"msf1"}
SOUND_BRANDS = {b"M4A ", b"M4B ", b"M4P ", b"F4A ", b"F4B "}
VIDEO_BRANDS = (
    b"iso",
    b"mp4",
    b"avc",
    b"M4V",
    b"3gp",
    b"3g2",
    b"qt  ",
    b"MSNV",
    b"dash",
)
# Words that begin a text of its own format, in lower case.
BEGINNINGS = (
    (b"<!doctype html", HTML),
    (b"<html", HTML),
    (b"{\\rtf", RTF),
    (b"begin:vcard", CARD),
    (b"begin:vcalendar", CALENDAR),
    (b"<?xml", XML),
    (b"<clinicaldocument", XML),
)
MAIL_HEADERS = {"from", "to", "subject", "date", "message-id", "received"}
FEWEST_HEADERS = 3  # of a mail
# A name chooses among kinds of text only.
TEXT_TYPES = {".csv": "text/csv", ".tsv": "text/csv", ".md": "text/markdown"}
LAYOUT = frozenset(b"\t\n\x0c\r\x1b")
WIDE_MARKS = (BOM_UTF16_LE, BOM_UTF16_BE)
MOST_NULS = 0.05  # of a text's bytes; UTF-16 without a mark has more at every other


def content_type_of(file: IO[bytes], name: str) -> str:
    """Raises Unreadable."""
    file.seek(0)
    head = file.read(HEAD_BYTES)
    if medium := _signed(head) or _of_riff(head) or _of_iso(head) or _of_mpeg(head):
        return medium
    if b"%PDF-" in head[:1024]:
        return PDF
    if head.startswith(b"PK\x03\x04"):
        return _of_office(file)
    if is_text(head):
        return _of_text(head, name)
    raise Unreadable("unknown_type")


def _signed(head: bytes) -> str:
    return next((type_ for mark, type_ in SIGNATURES if head.startswith(mark)), "")


def _of_riff(head: bytes) -> str:
    """A recording's format may follow other chunks."""
    if head[:4] not in {b"RIFF", b"RF64"}:
        return ""
    if head[8:12] == b"WEBP":
        return "image/webp"
    is_sound = head[8:12] == b"WAVE" and b"fmt " in _chunks(head)
    return "audio/wav" if is_sound else ""


def _chunks(head: bytes) -> Iterator[bytes]:
    place = 12
    while place + 8 <= len(head):
        yield head[place : place + 4]
        size = int.from_bytes(head[place + 4 : place + 8], "little")
        place += 8 + size + size % 2


def _of_iso(head: bytes) -> str:
    """ISO 14496-12: a box has its size, its name and, as `ftyp`, its brands."""
    if head[4:8] in {b"moov", b"wide", b"mdat"}:
        return "video/mp4"  # QuickTime before there were brands
    if head[4:8] != b"ftyp":
        return ""
    end = min(int.from_bytes(head[:4], "big"), 1024)
    brands = [head[8:12], *(head[at : at + 4] for at in range(16, end, 4))]
    for brand in brands:
        if brand in PICTURE_BRANDS:
            return "image/heic"
        if brand in SOUND_BRANDS:
            return "audio/mp4"
        if brand.startswith(VIDEO_BRANDS):
            sounds = SOUND_BRANDS.intersection(brands)
            return "audio/mp4" if sounds else "video/mp4"
    return ""


def _of_mpeg(head: bytes) -> str:
    """Frames of MP3 and AAC (ISO 11172-3 and 13818-7) without a tag before them."""
    if len(head) < 4 or head[0] != 0xFF or head[1] & 0xE0 != 0xE0:
        return ""
    layer, rate = head[1] >> 1 & 3, head[2] >> 2
    if head[1] & 0xF6 == 0xF0 and rate & 15 < 13:
        return "audio/aac"
    is_valid = head[1] >> 3 & 3 != 1 and head[2] >> 4 < 15 and rate & 3 < 3
    return "audio/mpeg" if layer in {1, 2} and is_valid else ""


def is_text(head: bytes) -> bool:
    """In any encoding it has few NULs, and of control characters layout."""
    if head.startswith(WIDE_MARKS) or wide_encoding(head):
        return True
    controls = {byte for byte in head if byte < 0x20} - LAYOUT - {0}
    few_nuls = head.count(0) <= len(head) * MOST_NULS
    return bool(head.strip(b"\0 \t\r\n")) and few_nuls and not controls


def _of_text(head: bytes, name: str) -> str:
    beginning = head.removeprefix(BOM_UTF8).lstrip()
    start = beginning[:1000].lower()
    for words, content_type in BEGINNINGS:
        if start.startswith(words):
            return HTML if b"<html" in start else content_type
    if len(MAIL_HEADERS.intersection(_headers(beginning))) >= FEWEST_HEADERS:
        return MAIL
    suffix = f".{name.lower().rpartition('.')[2]}"
    return TEXT_TYPES.get(suffix, PLAIN)


def _headers(head: bytes) -> set[str]:
    return {name.lower() for name in BytesHeaderParser().parsebytes(head)}


def _of_office(file: IO[bytes]) -> str:
    """Reads the directory of the archive only, unless it is a large one."""
    file.seek(0, io.SEEK_END)
    file.seek(max(file.tell() - END_OF_DIRECTORY, 0))
    before, found, end = file.read().rpartition(b"PK\x05\x06")
    is_long = before[-20:-16] == b"PK\x06\x07"  # ZIP64 has other sizes before it
    size = int.from_bytes(end[8:12], "little")
    if not found or is_long or size > LARGEST_DIRECTORY:
        raise Unreadable("unknown_type")
    try:
        with zipfile.ZipFile(file) as archive:
            entry = archive.getinfo("[Content_Types].xml")
            types = b"".join(unpack(archive, entry, LARGEST_DIRECTORY))
    except (*BROKEN_ARCHIVE, KeyError, Unreadable):
        raise Unreadable("unknown_type") from None
    main = MAIN_PART.search(types)
    if main is None:
        raise Unreadable("unknown_type")
    return OFFICE[main[1]]
