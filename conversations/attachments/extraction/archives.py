"""A look at the directory of a zip file before anything is unpacked."""

import zipfile
from pathlib import Path

from conversations.attachments.extraction import Unreadable

MOST_ENTRIES = 5000
LARGEST = 200 * 1024**2  # bytes, unpacked
HIGHEST_RATIO = 100
# What zipfile raises for a directory that it cannot read.
BROKEN_ARCHIVE = (zipfile.BadZipFile, ValueError, OSError, NotImplementedError)
HARMLESS = 20 * 1024**2  # bytes, unpacked: any ratio is allowed


def open_archive(source: Path) -> zipfile.ZipFile:
    """Reading an entry stops at its stated size. Raises Unreadable."""
    try:
        archive = zipfile.ZipFile(source)
    except BROKEN_ARCHIVE:
        raise Unreadable("broken") from None
    entries = archive.infolist()
    size = sum(entry.file_size for entry in entries)
    packed = sum(entry.compress_size for entry in entries) or 1
    dense = size > HARMLESS and size / packed > HIGHEST_RATIO
    if len(entries) > MOST_ENTRIES or size > LARGEST or dense:
        raise Unreadable("bomb")
    if any(entry.flag_bits & 1 for entry in entries):
        raise Unreadable("encrypted")
    return archive
