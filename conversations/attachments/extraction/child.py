"""The child: `python -m … read FOLDER TYPE ASKED` reads `input` in the folder.

It writes `read.json` and pictures there, of pages by their numbers. `… recognise FOLDER PROGRAM ARGUMENTS` becomes
tesseract.
"""

import json
import os
import resource
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from conversations.attachments.extraction import (
    CALENDAR,
    CARD,
    DOCX,
    EXPORT,
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
from conversations.attachments.extraction.chunks import (
    MOST_CHUNKS,
    Piece,
    Unread,
    cut_pieces,
)
from conversations.attachments.extraction.confinement import confine

MEMORY_BYTES = 1024**3  # bytes
PROCESSOR_SECONDS = 5  # of the processor
EXPORT_SECONDS = 40  # for years of messages, and millions of Apple Health's records
RECOGNISING = 20  # for a picture, which we have drawn ourselves
OUTPUT = 20 * 1024**2  # bytes of a file
SYSTEM_FOLDERS = [
    *("/bin", "/lib", "/lib64", "/usr/bin", "/usr/lib", "/usr/lib64", "/usr/share"),
    *("/usr/local/lib", "/usr/local/share", f"{sys.base_prefix}/lib"),
]
PROJECT = Path(__file__).resolve().parents[3]


def read(folder: Path, content_type: str, told: str) -> None:
    """`told` is JSON: what the user was asked, as the encoding."""
    is_export = content_type == EXPORT
    limit(folder, EXPORT_SECONDS if is_export else PROCESSOR_SECONDS)
    source, asked = folder / "input", json.loads(told)
    try:
        if asked.get("encoding") and not is_export:
            text = source.read_bytes().decode(asked["encoding"], errors="replace")
            source.write_text(text, encoding="utf-8")
        found = _read(source, content_type, folder, asked)
    except Unreadable as error:
        found = {"error": str(error), "samples": getattr(error, "samples", [])}
    except MemoryError:
        found = {"error": "too_complex"}
    (folder / "read.json").write_text(json.dumps(found))


def recognise(folder: Path, program: str, *arguments: str) -> None:
    limit(folder, RECOGNISING, Path(program).parent)
    os.execv(program, [program, *arguments])  # noqa: S606 -- an installed program


def limit(folder: Path, seconds: int, *programs: Path) -> None:
    """The folder is all that can be written. Only root can start further processes."""
    for name, value in (
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, OUTPUT),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, 0),
    ):
        resource.setrlimit(name, (value, value))
    readable = [
        PROJECT / "conversations",
        *map(Path, (*SYSTEM_FOLDERS, *sys.path)),
        *programs,
    ]
    confine(folder, [place for place in readable if place != PROJECT])


def _read(
    source: Path, content_type: str, folder: Path, asked: dict[str, str]
) -> dict[str, Any]:
    """The parts of the text, and those without; pictures are in the folder.

    Raises Unreadable.
    """
    # Loaded under the limits.
    from conversations.attachments.extraction import (  # noqa: PLC0415
        assistant_exports,
        mails,
        office,
        pdf,
        pictures,
        plain,
        word,
    )

    parsers: dict[str, Callable[[Path], Iterable[Piece | Unread]]] = {
        PLAIN: plain.read_text,
        "text/markdown": plain.read_text,
        "text/csv": plain.read_csv,
        HTML: plain.read_html,
        RTF: plain.read_rtf,
        XML: plain.read_xml,
        CARD: plain.read_card,
        CALENDAR: plain.read_card,
        PDF: lambda file: pdf.read_pdf(file, folder),
        DOCX: word.read_docx,
        PPTX: office.read_pptx,
        XLSX: office.read_xlsx,
        MAIL: lambda file: mails.read_mail(file, attached),
    }

    def attached(file: Path, kind: str) -> Iterable[Piece | Unread]:
        if kind == MAIL or kind not in parsers:
            raise Unreadable("send_alone")
        return parsers[kind](file)

    if content_type == EXPORT:
        return assistant_exports.reduce_export(source, folder, asked)
    if content_type not in parsers:
        pictures.read_picture(source, folder)
        return {"pieces": [], "unread": []}
    return _collected(parsers[content_type](source), folder)


def _collected(parts: Iterable[Piece | Unread], folder: Path) -> dict[str, Any]:
    """Reads no more parts than are kept. Raises Unreadable."""
    unread: list[Unread] = []

    def read_parts() -> Iterator[Piece]:
        for part in parts:
            if isinstance(part, Unread):
                unread.append(part)
            else:
                yield part

    pieces = cut_pieces(read_parts())
    if len(pieces) == MOST_CHUNKS:
        unread.append(Unread("rest", "too_complex"))
    if not pieces and not list(folder.glob("*.jpg")):
        raise Unreadable(unread[0].reason if unread else "no_text")
    return {"pieces": pieces, "unread": unread}


if __name__ == "__main__":
    mode, place, *given = sys.argv[1:]
    if mode == "read":
        read(Path(place), *given)
    else:
        recognise(Path(place), *given)
