"""Types are found in the structure of a file."""

import io
import struct

import pytest

from conversations.attachments.extraction import (
    CALENDAR,
    CARD,
    DOCX,
    HTML,
    MAIL,
    PLAIN,
    RTF,
    XML,
    Unreadable,
)
from conversations.attachments.extraction.content_types import content_type_of
from tests.conversations.attachments.documents import MAIN, archive, package

FORMAT = b"fmt " + struct.pack("<IHHIIHH", 16, 1, 1, 16000, 32000, 2, 16)


def riff(*chunks, form=b"WAVE", mark=b"RIFF"):
    body = form + b"".join(chunks)
    return mark + struct.pack("<I", len(body)) + body


def chunk(name, size):
    return name + struct.pack("<I", size) + bytes(size + size % 2)


def iso(*brands):
    """A box of brands, the major one first."""
    listed = brands[0] + bytes(4) + b"".join(brands[1:])
    return struct.pack(">I", 8 + len(listed)) + b"ftyp" + listed + chunk(b"mdat", 60)


def found(data, name="a"):
    return content_type_of(io.BytesIO(data), name)


@pytest.mark.parametrize(
    ("data", "content_type"),
    [
        (riff(FORMAT), "audio/wav"),
        (riff(chunk(b"JUNK", 28), FORMAT), "audio/wav"),
        (riff(chunk(b"bext", 603), FORMAT), "audio/wav"),
        (riff(chunk(b"LIST", 26), chunk(b"JUNK", 4), FORMAT), "audio/wav"),
        (riff(FORMAT, mark=b"RF64"), "audio/wav"),
        (riff(chunk(b"VP8 ", 9), form=b"WEBP"), "image/webp"),
        (iso(b"M4A ", b"mp42", b"isom"), "audio/mp4"),
        (iso(b"mp42", b"isom", b"M4A "), "audio/mp4"),
        (iso(b"M4B ", b"isom"), "audio/mp4"),
        (iso(b"isom", b"iso2", b"avc1", b"mp41"), "video/mp4"),
        (iso(b"3gp4", b"isom"), "video/mp4"),
        (iso(b"3g2a", b"isom"), "video/mp4"),
        (iso(b"qt  "), "video/mp4"),
        (iso(b"dash", b"iso6"), "video/mp4"),
        (iso(b"XAVC", b"mp42"), "video/mp4"),
        (chunk(b"", 0) + b"moov" + bytes(60), "video/mp4"),
        (iso(b"heic", b"mif1"), "image/heic"),
        (iso(b"mif1", b"heix"), "image/heic"),
        (b"\xff\xfb\x90\x64" + bytes(400), "audio/mpeg"),
        (b"\xff\xf2\x48\xc0" + bytes(400), "audio/mpeg"),
        (b"\xff\xe3\x18\xc4" + bytes(400), "audio/mpeg"),
        (b"\xff\xf1\x50\x80" + bytes(400), "audio/aac"),
    ],
)
def test_media_are_found_by_their_chunks_boxes_and_frames(data, content_type):
    assert found(data) == content_type


@pytest.mark.parametrize(
    ("data", "name", "content_type"),
    [
        (b"{\\rtf1\\ansi Allergie: P\\'e9nicilline}", "a.doc", RTF),
        (b"\xef\xbb\xbf<!DOCTYPE html><p>Tea", "a", HTML),
        (b'<?xml version="1.0"?>\n<html xmlns="x"><p>Tea</p></html>', "a", HTML),
        (b'<?xml version="1.0"?><ClinicalDocument/>', "a.xml", XML),
        (b"BEGIN:VCARD\r\nFN:Dr. B.\r\nEND:VCARD", "a", CARD),
        (b"\nBEGIN:VCALENDAR\r\nEND:VCALENDAR", "a", CALENDAR),
        (b"From: a@x.example\nTo: b@x.example\nSubject: Tea\n\nHello", "a", MAIL),
        (b"Received: by x\nX-Y: 1\nDate: Mon\nFrom: a@x.example\n\nHi", "a", MAIL),
        (b"From: the kitchen\nTea at five.", "a", PLAIN),
        ("Größe".encode("utf-16-le") * 9, "a", PLAIN),
        (b"Allergy: penicillin\0 confirmed in the spring of 2024" * 2, "a.txt", PLAIN),
        ("備考;ペニシリン".encode("iso2022_jp"), "a", PLAIN),
        (b"a;b\n1;2", "a.CSV", "text/csv"),
    ],
)
def test_texts_are_found_by_their_beginning(data, name, content_type):
    assert found(data, name) == content_type


@pytest.mark.parametrize(
    ("main", "kind"),
    [
        ("word/document2.xml", f"{MAIN}.wordprocessingml.document.main+xml"),
        ("document.xml", f"{MAIN}.wordprocessingml.template.main+xml"),
        ("w/a.xml", "application/vnd.ms-word.document.macroEnabled.main+xml"),
    ],
)
def test_office_files_are_found_by_the_type_of_their_main_part(main, kind):
    assert found(package(main, kind, {main: "<a/>"})) == DOCX


@pytest.mark.parametrize(
    "data",
    [
        riff(chunk(b"LIST", 4), form=b"AVI "),
        riff(chunk(b"data", 4)),
        iso(b"abcd", b"efgh"),
        b"\xff\xff\xff\xff" + bytes(90),
        archive({"a.txt": "Tea"}),
        archive({"[Content_Types].xml": "<Types/>"}),
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500),
        bytes(100),
        b"\x7fELF\x02\x01\x01" + bytes(60),
    ],
)
def test_other_bytes_are_refused(data):
    with pytest.raises(Unreadable):
        found(data, "a.txt")
