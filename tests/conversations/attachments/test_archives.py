"""Zip files are counted while they unpack; what they state does not count."""

import io
import zipfile

import pytest

from conversations.attachments.extraction import Unreadable
from conversations.attachments.extraction.archives import (
    PIECE_BYTES,
    open_archive,
    unpack,
)
from tests.conversations.attachments.documents import archive
from tests.conversations.attachments.hostile import MEGABYTE, lying

ZEROS = bytes(MEGABYTE)


@pytest.fixture
def pieces(tmp_path):
    """The sizes of the pieces of the only entry, and the refusal."""

    def pieces(content, most):
        file, sizes = tmp_path / "a.zip", []
        file.write_bytes(content)
        with open_archive(file) as opened:
            (entry,) = opened.infolist()
            try:
                sizes += map(len, unpack(opened, entry, most))
            except Unreadable as error:
                return sizes, str(error)
        return sizes, ""

    return pieces


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_entry_comes_in_pieces(pieces, method):
    sizes, refusal = pieces(lying(method, ZEROS, stated=len(ZEROS)), MEGABYTE)
    assert (sum(sizes), max(sizes), refusal) == (MEGABYTE, PIECE_BYTES, "")


@pytest.mark.parametrize("stated", [0, 100, MEGABYTE, 2**32 - 2])
def test_unpacking_ends_at_the_limit_for_every_stated_size(pieces, stated):
    sizes, refusal = pieces(lying(zipfile.ZIP_DEFLATED, ZEROS, stated), MEGABYTE // 2)
    assert (sum(sizes) <= MEGABYTE // 2, refusal) == (True, "bomb")


@pytest.mark.parametrize("stated", [0, 100, 2**32 - 2])
def test_entry_that_states_a_wrong_size_is_broken(pieces, stated):
    assert pieces(lying(zipfile.ZIP_DEFLATED, ZEROS, stated), MEGABYTE)[1] == "broken"


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_methods_that_unpack_without_a_bound_are_not_tried(pieces, method):
    assert pieces(lying(method, ZEROS), MEGABYTE) == ([], "broken")


def test_entries_with_a_password_or_another_sum_are_broken(pieces):
    whole = archive({"a": b"tea" * 100})
    with zipfile.ZipFile(io.BytesIO(whole)) as opened:
        crc = opened.infolist()[0].CRC.to_bytes(4, "little")
    assert pieces(whole.replace(crc, b"\1\2\3\4"), MEGABYTE)[1] == "broken"
    locked = whole.replace(b"PK\3\4\x14\0\0\0", b"PK\3\4\x14\0\1\0")
    locked = locked.replace(b"PK\1\2\x14\3\x14\0\0\0", b"PK\1\2\x14\3\x14\0\1\0")
    assert pieces(locked, MEGABYTE)[1] == "broken"
