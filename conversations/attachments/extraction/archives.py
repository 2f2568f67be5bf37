"""Zip files, unpacked in pieces and counted: the sizes that they state may be wrong."""

import zlib
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from conversations.attachments.extraction import BROKEN_ARCHIVE, Unreadable

PIECE_BYTES = 64 * 1024  # bytes


def open_archive(source: Path) -> ZipFile:
    """Raises Unreadable."""
    try:
        return ZipFile(source)
    except BROKEN_ARCHIVE:
        raise Unreadable("broken") from None


def unpack(archive: ZipFile, entry: ZipInfo, most: int) -> Iterator[bytes]:
    """The pieces of an entry of at most so many bytes. Raises Unreadable."""
    # Other methods unpack at once what a few bytes say.
    if entry.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
        raise Unreadable("broken")
    stated, size = entry.file_size, 0
    entry.file_size = most + 2 * PIECE_BYTES  # reading ends at the size that is stated
    try:
        with archive.open(entry) as opened:
            while piece := opened.read(PIECE_BYTES):
                size += len(piece)
                if size > most:
                    raise Unreadable("bomb")
                yield piece
    except (BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error):
        raise Unreadable("broken") from None
    finally:
        entry.file_size = stated
    if size != stated:
        raise Unreadable("broken")
