"""The child: `python -m … read FOLDER TYPE` reads `input` in the folder.

It writes `read.json` and pictures there. `… recognise FOLDER PROGRAM ARGUMENTS` becomes
tesseract.
"""

import json
import os
import resource
import sys
from pathlib import Path
from typing import Any

from conversations.attachments.extraction import (
    DOCX,
    EXPORT,
    HTML,
    PDF,
    PLAIN,
    PPTX,
    XLSX,
    Unreadable,
)
from conversations.attachments.extraction.chunks import Piece, cut_pieces
from conversations.attachments.extraction.confinement import confine

MEMORY_BYTES = 1024**3  # bytes
PROCESSOR_SECONDS = 5  # of the processor
RECOGNISING = 20  # for a picture, which we have drawn ourselves
OUTPUT = 20 * 1024**2  # bytes of a file
SYSTEM_FOLDERS = [
    *("/bin", "/lib", "/lib64", "/usr/bin", "/usr/lib", "/usr/lib64", "/usr/share"),
    *("/usr/local/lib", "/usr/local/share", f"{sys.base_prefix}/lib"),
]
PROJECT = Path(__file__).resolve().parents[3]


def read(folder: Path, content_type: str) -> None:
    limit(folder, PROCESSOR_SECONDS)
    try:
        found = _read(folder / "input", content_type, folder)
    except Unreadable as error:
        found = {"error": str(error)}
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


def _read(source: Path, content_type: str, folder: Path) -> dict[str, Any]:
    """The parts of the text; pictures are in the folder. Raises Unreadable."""
    # Loaded under the limits.
    from conversations.attachments.extraction import (  # noqa: PLC0415
        assistant_exports,
        office,
        pdf,
        pictures,
        plain,
    )

    parsers = {
        PLAIN: plain.read_text,
        "text/markdown": plain.read_text,
        "text/csv": plain.read_csv,
        HTML: plain.read_html,
        PDF: pdf.read_pdf,
        DOCX: office.read_docx,
        PPTX: office.read_pptx,
        XLSX: office.read_xlsx,
    }
    if content_type == EXPORT:
        return assistant_exports.reduce_export(source, folder)
    pieces: list[Piece] = []
    if content_type in parsers:
        pieces = cut_pieces(parsers[content_type](source))
        if content_type == PDF and not pieces:
            pdf.draw_pages(source, folder)
        elif not pieces:
            raise Unreadable("no_text")
    else:
        pictures.read_picture(source, folder)
    return {"pieces": pieces}


if __name__ == "__main__":
    mode, place, *given = sys.argv[1:]
    if mode == "read":
        read(Path(place), *given)
    else:
        recognise(Path(place), *given)
