"""Hostile files are refused, or read within the limits of the child process."""

import io
import resource
import socket
import struct
import subprocess
import sys
import time
import zipfile

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from conversations.attachments.extraction import Unreadable, child, run_child
from conversations.attachments.extraction.content_types import content_type_of
from conversations.attachments.problems import problem
from conversations.attachments.storage import open_file, store
from conversations.models import Attachment, DerivationJob
from conversations.refusals import UnknownType
from meddie import ocr
from meddie.jobs import registry
from tests.conversations import transcripts
from tests.conversations.attachments import fake_tesseract
from tests.conversations.attachments.documents import docx, pdf, picture, pptx, xlsx
from tests.conversations.attachments.hostile import (
    COSTLY,
    MEGABYTE,
    REFUSED,
    large_document,
    million_cells,
    nested_bomb,
    script_in_a_picture,
)
from tests.conversations.attachments.sent import read, send, texts_of
from tests.factories import MembershipFactory
from tests.openai_answers import fails

pytestmark = pytest.mark.django_db(transaction=True)

SECONDS = 2 * run_child.CHILD_SECONDS


def external(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("SECRET of the server")
    declared = f'<!DOCTYPE w [<!ENTITY x SYSTEM "file://{secret}">]>'
    return docx([("Normal", "Tea &x;")], before=declared)


@pytest.mark.slow
@pytest.mark.parametrize("kind", REFUSED)
@pytest.mark.req("B-32")
def test_hostile_file_is_refused_in_bounded_time_with_one_sentence(message, kind):
    make, reason = REFUSED[kind]
    began = time.monotonic()
    file = read(message, kind, make())
    assert (file.state, file.error) == ("failed", reason)
    assert time.monotonic() - began < SECONDS
    assert str(problem(file)).endswith(".")
    assert not texts_of(file)


def test_broken_archive_is_of_no_known_type(member):
    broken = xlsx({"A": [["x"]]}).replace(b"PK\x05\x06", b"PK\x05\x07")
    with pytest.raises(UnknownType):
        store(member.user, member.space_id, "a.xlsx", broken)


def test_nested_bomb_is_not_unpacked(message):
    file = read(message, "a.docx", nested_bomb())
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


def test_csv_of_one_long_line_is_read_as_far_as_is_kept(message, settings):
    settings.FILE_MB = settings.QUOTA_MB = 60
    began = time.monotonic()
    file = read(message, "a.csv", b"tea," * (50 * MEGABYTE // 4))
    assert time.monotonic() - began < SECONDS
    assert file.state == "done"
    assert len(texts_of(file)) <= 400
    assert file.account["unread"] == [["rest", "too_complex"]]


def test_child_knows_no_secret(message, monkeypatch, tmp_path):
    monkeypatch.setenv("OPENAI_API_KEY", "SECRET-of-the-provider")
    told = (0, 0, "$LANG,$OPENAI_API_KEY", fake_tesseract.SURE)
    monkeypatch.setattr(ocr, "PLACES", fake_tesseract.install(tmp_path, told))
    file = read(message, "a.png", picture())
    assert texts_of(file, "ocr") == ["C.UTF-8,"]


@pytest.mark.parametrize(
    ("deed", "fails"),
    [
        ("bytearray(2 * child.MEMORY_BYTES)", "MemoryError"),
        (
            "f = open(own / 'f', 'wb', 0); [f.write(bytes(child.OUTPUT)) for _ in '12']",
            "OSError",
        ),
        ("socket.create_connection(('127.0.0.1', port))", "Network is unreach"),
        ("open(secret)", "PermissionError"),
        ("open(f'/proc/{os.getppid()}/environ')", "PermissionError"),
        ("open(secret.with_name('new'), 'w')", "PermissionError"),
    ],
)
def test_child_takes_and_reaches_no_more_than_it_needs(tmp_path, deed, fails):
    own, secret = tmp_path / "own", tmp_path / "secret_key"
    own.mkdir()
    secret.write_text("SECRET")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        said = confined(
            f"own, secret, port = Path({str(own)!r}), Path({str(secret)!r}), {port}",
            "child.limit(own, 5)",
            deed,
        )
    assert fails in said
    written = own / "f"
    assert not written.exists() or written.stat().st_size <= child.OUTPUT


def test_child_starts_no_process_unless_it_is_root():
    other = "os.getuid() or os.setuid(65534)"
    said = confined(other, "child.limit(Path('/tmp'), 5)", "os.fork()")
    assert "BlockingIOError" in said


def confined(*lines):
    """What the lines print as an error."""
    imports = "from conversations.attachments.extraction import child"
    program = "\n".join(
        ["import os, socket", "from pathlib import Path", imports, *lines]
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True
    )
    return ended.stderr


@pytest.mark.slow
@pytest.mark.parametrize("kind", COSTLY)
def test_small_file_costs_little_time_of_the_processor(message, kind):
    name, make, state = COSTLY[kind]
    file = send(message, name, make())
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    registry.run("files", file.derivation.pk)
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    file.refresh_from_db()
    assert (file.state, file.error) == state
    assert (
        now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
        < child.PROCESSOR_SECONDS
    )


def test_documents_of_one_user_are_read_one_at_a_time(message):
    other = MembershipFactory()
    conversation = transcripts.start_conversation(other.user, other.space)
    transcripts.exchange(conversation, "Here it is.", "Thank you.")
    theirs = conversation.messages.get(role="user")
    sent = [send(message, f"{n}.txt", b"Tea %d" % n) for n in range(2)]
    first = DerivationJob.objects.claim(sent[0].derivation.pk)
    assert DerivationJob.objects.claim() is None
    assert send(theirs, "a.txt", b"Tea") == DerivationJob.objects.claim().attachment
    assert DerivationJob.objects.claim() is None
    first.succeed()
    assert DerivationJob.objects.claim().attachment == sent[1]


@pytest.mark.parametrize("make", [large_document, million_cells])
def test_large_document_ends_within_memory_and_time(message, make):
    file = send(message, "large", make())
    began = time.monotonic()
    with open_file(file) as opened:
        found = run_child.extract_pieces(opened, file.content_type)
    assert time.monotonic() - began < SECONDS
    assert 0 < len(found.pieces) <= 400


def test_provider_that_refuses_a_recording_ends_its_reading(message, openai_server):
    openai_server.transcriptions.default = lambda _body: fails(400)
    file = send(message, "voice", b"OggS" + b"no sound" * 1000)
    for _ in range(DerivationJob.MOST_ATTEMPTS):
        DerivationJob.objects.update(available_at=timezone.now())
        registry.run("files", file.derivation.pk)
    file.refresh_from_db()
    assert (file.state, file.error) == ("failed", "refused")
    assert problem(file) == "The model provider refused this file."


def test_external_entity_is_not_read(message, tmp_path):
    file = read(message, "a.docx", external(tmp_path))
    assert texts_of(file) == ["Tea"]


@pytest.mark.parametrize(
    ("name", "make", "place"),
    [
        ("a.docm", lambda more: docx([("Normal", "Tea")], more=more), "word"),
        ("a.xlsm", lambda more: xlsx({"A": [["Tea"]]}, more), "xl"),
    ],
    ids=["docm", "xlsm"],
)
def test_macro_is_neither_run_nor_read(message, name, make, place):
    macros = {f"{place}/vbaProject.bin": b"Sub AutoOpen() SECRET"}
    file = read(message, name, make(macros))
    assert texts_of(file) == ["Tea"]
    assert "macro" not in file.content_type


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
        (script_in_a_picture(), True),
        (b"<svg xmlns='http://www.w3.org/2000/svg' onload='run()'/>", False),
        (b"<html><script>run()</script>", False),
        (b"%PDF-1.4 x", False),
    ],
    ids=["png", "webp", "polyglot", "svg", "html", "pdf"],
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
    with pytest.raises(Unreadable):
        content_type_of(io.BytesIO(b"PK\x03\x04" + bytes(100) + end), "a.docx")
