"""Packages of Office files (ECMA-376, part 2): parts in a zip file, and what refers to what."""

import posixpath
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

from lxml import etree

from conversations.attachments.extraction import Unreadable
from conversations.attachments.extraction.archives import open_archive, unpack

MOST_MARKS = 3_000_000  # "<" of a part; libxml2 itself stops at a depth of 256
MOST_ENTRIES = 5000
LARGEST_UNPACKED = 200 * 1024**2  # bytes, unpacked
HARMLESS, HIGHEST_RATIO = 20 * 1024**2, 100  # bytes, unpacked: any ratio is allowed


class Relation(NamedTuple):
    """`kind` is the last word of its address, as in "header"."""

    key: str
    kind: str
    path: str


def open_package(source: Path) -> ZipFile:
    """Look at its directory, then count what each entry becomes. Raises Unreadable."""
    archive = open_archive(source)
    entries = archive.infolist()
    size = sum(entry.file_size for entry in entries)
    packed = sum(entry.compress_size for entry in entries) or 1
    dense = size > HARMLESS and size / packed > HIGHEST_RATIO
    if len(entries) > MOST_ENTRIES or size > LARGEST_UNPACKED or dense:
        raise Unreadable("bomb")
    if any(entry.flag_bits & 1 for entry in entries):
        raise Unreadable("encrypted")
    for entry in entries:  # an entry is as large as it states, or is broken
        for _piece in unpack(archive, entry, LARGEST_UNPACKED):
            pass
    return archive


def main_part(archive: ZipFile) -> str:
    """Raises Unreadable."""
    for relation in relations(archive, ""):
        if relation.kind == "officeDocument":
            return relation.path
    raise Unreadable("broken")


def relations(archive: ZipFile, part: str) -> Iterator[Relation]:
    """To parts that are there; the package itself has the path ""."""
    folder, name = posixpath.split(part)
    path = posixpath.join(folder, "_rels", f"{name}.rels")
    there = set(archive.namelist())
    if path not in there:
        return
    for told in root_of(archive, path):
        target = posixpath.normpath(posixpath.join("/", folder, told.get("Target", "")))
        if target.lstrip("/") in there and told.get("TargetMode") != "External":
            kind = told.get("Type", "").rpartition("/")[2]
            yield Relation(told.get("Id", ""), kind, target.lstrip("/"))


def root_of(archive: ZipFile, name: str) -> etree._Element:
    return parsed(bytes_of(archive, name))


def bytes_of(archive: ZipFile, name: str) -> bytes:
    """Raises Unreadable."""
    try:
        return b"".join(unpack(archive, archive.getinfo(name), LARGEST_UNPACKED))
    except KeyError:
        raise Unreadable("broken") from None


def parsed(raw: bytes) -> etree._Element:
    """Without entities, external ones or not. Raises Unreadable."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        if raw.count(b"<") > MOST_MARKS:
            raise Unreadable("too_complex")
        return etree.fromstring(raw, parser)
    except etree.XMLSyntaxError:
        raise Unreadable("broken") from None
