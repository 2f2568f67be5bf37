"""Hostile files are refused, or read within the limits of the child process."""

import io
import struct
import subprocess
import sys
import time
import zipfile
import zlib

import pytest
from django.test import Client
from django.urls import reverse

from conversations.attachments.content_types import detect
from conversations.attachments.extraction import child, run
from conversations.attachments.problems import problem
from conversations.attachments.storage import store
from conversations.models import Attachment
from conversations.refusals import UnknownType
from tests.conversations.attachments.documents import (
    archive,
    docx,
    numbered,
    pdf,
    picture,
    pptx,
    xlsx,
)
from tests.conversations.attachments.sent import read, texts_of

pytestmark = pytest.mark.django_db(transaction=True)

MEGABYTE = 1024 * 1024
SECONDS = 60.0


def many_pixels():
    """A PNG of 100 million pixels in a few kilobytes."""

    def chunk(kind, data):
        code = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + code

    side = 10_000
    head = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    rows = zlib.compress(b"\0" * ((side // 8 + 1) * side), 9)
    parts = chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def bomb():
    return docx([("Normal", "x")], more={"word/media/a.bin": b"\0" * 150 * MEGABYTE})


def large_document():
    """Below the limits of the archive, above those of the child's memory or time."""
    body = "".join(f"<w:p><w:r><w:t>{n}</w:t></w:r></w:p>" for n in range(400_000))
    return docx([("Normal", f"</w:t></w:r></w:p>{body}<w:p><w:r><w:t>")], before=" ")


def pages_in_a_loop():
    pages = "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 9999999 >>"
    return numbered(["<< /Type /Catalog /Pages 2 0 R >>", pages])


def entities():
    entity = '<!ENTITY a "aaaaaaaaaa">' + "".join(
        f'<!ENTITY {chr(n + 1)} "{f"&{chr(n)};" * 10}">' for n in range(97, 106)
    )
    declared = f"<!DOCTYPE w [{entity}]>"
    return docx([("Normal", "&j;")], before=declared)


def external(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("SECRET of the server")
    declared = f'<!DOCTYPE w [<!ENTITY x SYSTEM "file://{secret}">]>'
    return docx([("Normal", "Tea &x;")], before=declared)


BOMBS = {
    "zip bomb": (bomb, "bomb"),
    "too many entries": (
        lambda: docx([("Normal", "x")], more={f"a/{n}": b"" for n in range(6000)}),
        "bomb",
    ),
    "loop of pages": (pages_in_a_loop, "broken"),
    "broken pdf": (lambda: b"%PDF-1.7\n" + b"1 0 obj <<" * 1000, "broken"),
    "100 million pixels": (many_pixels, "too_many_pixels"),
    "truncated png": (lambda: picture((300, 300))[:-60], "broken"),
    "truncated jpeg": (lambda: picture((300, 300), "JPEG")[:400], "broken"),
    "broken sheet": (
        lambda: xlsx({"A": [["x"]]}).replace(b"PK\x05\x06", b"PK\x05\x07"),
        None,
    ),
    "expanding entities": (entities, "broken"),
}


@pytest.mark.parametrize("kind", BOMBS)
@pytest.mark.req("B-32")
def test_bomb_is_refused_in_bounded_time_with_one_sentence(message, kind):
    make, reason = BOMBS[kind]
    if reason is None:
        with pytest.raises(UnknownType):
            read(message, kind, make())
        return
    began = time.monotonic()
    file = read(message, kind, make())
    assert (file.state, file.error) == ("failed", reason)
    assert time.monotonic() - began < SECONDS
    assert str(problem(file)).endswith(".")
    assert not texts_of(file)


def test_nested_bomb_is_not_unpacked(message):
    inner = archive({"zeros": b"\0" * 100 * MEGABYTE})
    for _ in range(3):
        inner = archive({f"{n}.zip": inner for n in range(5)})
    file = read(
        message, "a.docx", docx([("Normal", "Tea")], more={"word/a.zip": inner})
    )
    assert (file.state, texts_of(file)) == ("done", ["Tea"])


def test_stated_sizes_that_lie_unpack_no_more_than_stated(message):
    honest = docx([("Normal", "x" * 5_000_000)])
    lying = bytearray(honest)
    with zipfile.ZipFile(io.BytesIO(honest)) as opened:
        real = opened.getinfo("word/document.xml").file_size
    stated = struct.pack("<I", 100)
    lying = honest.replace(struct.pack("<I", real), stated)
    file = read(message, "a.docx", bytes(lying))
    assert (file.state, file.error) == ("failed", "broken")


@pytest.mark.parametrize("pages", [500])
def test_long_pdf_is_read_in_part_or_whole_in_bounded_time(message, pages):
    began = time.monotonic()
    file = read(message, "a.pdf", pdf([f"Page about tea {n}" for n in range(pages)]))
    assert time.monotonic() - began < SECONDS
    assert file.state == "done"
    assert file.texts.filter(kind="chunk", place="page 1").exists()
    assert file.texts.filter(kind="chunk").count() <= 400


def test_csv_of_one_long_line_is_cut(message, settings):
    settings.DOCUMENT_MB = settings.FILE_QUOTA_MB = 60
    began = time.monotonic()
    file = read(message, "a.csv", b"tea," * (50 * MEGABYTE // 4))
    assert time.monotonic() - began < SECONDS
    assert file.state == "done"
    assert sum(map(len, texts_of(file))) < 10_000


def test_child_knows_no_secret(message, monkeypatch, tmp_path):
    monkeypatch.setenv("OPENAI_API_KEY", "SECRET-of-the-provider")
    parser = tmp_path / "tesseract"
    parser.write_text("#!/bin/sh\ncat /proc/$PPID/environ\n")
    parser.chmod(0o755)
    monkeypatch.setitem(run.ENVIRONMENT, "PATH", f"{tmp_path}:/usr/bin:/bin")
    file = read(message, "a.png", picture())
    [environment] = texts_of(file, "ocr")
    assert "LANG=C.UTF-8" in environment
    assert "SECRET" not in environment


@pytest.mark.parametrize(
    "deed",
    [
        "bytearray(2 * child.MEMORY)",
        "file = open(path, 'wb', 0); [file.write(bytes(child.OUTPUT)) for _ in '12']",
    ],
)
def test_child_takes_no_more_than_its_limits(tmp_path, deed):
    code = f"path = {str(tmp_path / 'file')!r}; child.limit(); {deed}"
    program = f"from conversations.attachments.extraction import child; {code}"
    ended = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True
    )
    assert ended.returncode != 0
    written = tmp_path / "file"
    assert not written.exists() or written.stat().st_size <= child.OUTPUT


def test_large_document_ends_within_memory_and_time(message):
    began = time.monotonic()
    file = read(message, "a.docx", large_document())
    assert time.monotonic() - began < SECONDS
    assert file.state in {"done", "failed"}
    assert file.texts.filter(kind="chunk").count() <= 400


def test_external_entity_is_not_read(message, tmp_path):
    file = read(message, "a.docx", external(tmp_path))
    assert texts_of(file) == ["Tea"]


def test_macro_is_neither_run_nor_read(message):
    macros = {"word/vbaProject.bin": b"Sub AutoOpen() SECRET"}
    file = read(message, "a.docm", docx([("Normal", "Tea")], more=macros))
    assert texts_of(file) == ["Tea"]
    assert file.content_type.endswith("wordprocessingml.document")


@pytest.mark.parametrize(
    ("name", "data", "kind", "content_type"),
    [
        ("a.png", b"%PDF-1.4 x", "document", "application/pdf"),
        ("a.pdf", picture(), "image", "image/png"),
        ("a.txt", pptx([["x"]]), "document", None),
        ("a.jpg", b"<html><script>run()</script>", "document", "text/html"),
        ("a.svg", b"<svg onload='run()'/>", "document", "text/plain"),
        ("a.html", b"plain words", "document", "text/plain"),
    ],
)
def test_type_is_found_in_the_bytes(member, name, data, kind, content_type):
    file = store(member.user, member.space_id, name, data)
    assert file.kind == kind
    assert content_type in {file.content_type, None}


@pytest.mark.parametrize(
    ("data", "inline"),
    [
        (picture(), True),
        (picture(form="WEBP"), True),
        (b"<svg xmlns='http://www.w3.org/2000/svg' onload='run()'/>", False),
        (b"<html><script>run()</script>", False),
        (b"%PDF-1.4 x", False),
    ],
    ids=["png", "webp", "svg", "html", "pdf"],
)
def test_only_pictures_are_shown_inline_and_no_script_runs(member, data, inline):
    file = store(member.user, member.space_id, "a.png", data)
    client = Client()
    client.force_login(member.user, backend="django.contrib.auth.backends.ModelBackend")
    url = reverse("conversations:attachment", args=[file.pk])
    answer = client.get(url, {"inline": "1"})
    shown = answer["Content-Disposition"].startswith("inline")
    assert (answer.status_code, shown) == (200, inline)
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"] == "sandbox; default-src 'none'"
    assert "script" not in answer["Content-Type"]
    assert "html" not in answer["Content-Type"]
    assert "svg" not in answer["Content-Type"]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("..\\..\\win.ini", "win.ini"),
        ("/", "document.txt"),
        ("a\r\nX: y\0.txt", "aX: y.txt"),
        ("\u202etxt.exe", "txt.exe"),
    ],
)
def test_name_has_no_path_and_never_reaches_the_storage(member, given, kept):
    file = store(member.user, member.space_id, given, b"Tea")
    assert Attachment.objects.get().name == kept
    assert len(file.file.name) == 35
    assert file.file.name.replace("/", "").isalnum()


@pytest.mark.parametrize("locator", [b"", b"PK\x06\x07" + bytes(16)])
def test_archive_with_a_large_directory_is_refused_unread(locator):
    size = 3 * MEGABYTE if not locator else 100
    end = locator + b"PK\x05\x06" + bytes(8) + struct.pack("<IIH", size, 0, 0)
    with pytest.raises(UnknownType):
        detect(io.BytesIO(b"PK\x03\x04" + bytes(100) + end), "a.docx")
