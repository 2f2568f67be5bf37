"""The child: `python -m … INPUT FOLDER TYPE RECOGNISE`.

Writes `read.json` and pictures into the folder.
"""

import json
import resource
import sys
from pathlib import Path
from typing import Any

from conversations.attachments.extraction import (
    DOCX,
    HTML,
    PDF,
    PLAIN,
    PPTX,
    XLSX,
    Unreadable,
)
from conversations.attachments.extraction.chunks import Piece, cut_pieces

MEMORY = 1024**3  # bytes
SECONDS = 20  # of the processor
OUTPUT = 20 * 1024**2  # bytes of a file


def main(source: Path, folder: Path, content_type: str, *, recognise: bool) -> None:
    limit()
    try:
        found = _read(source, content_type, folder, recognise=recognise)
    except Unreadable as error:
        found = {"error": str(error)}
    except MemoryError:
        found = {"error": "too_complex"}
    (folder / "read.json").write_text(json.dumps(found))


def limit() -> None:
    for name, value in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CPU, SECONDS),
        (resource.RLIMIT_FSIZE, OUTPUT),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(name, (value, value))


def _read(
    source: Path, content_type: str, folder: Path, *, recognise: bool
) -> dict[str, Any]:
    """The parts of the text, and the text of each picture in the folder.

    Raises Unreadable.
    """
    # Loaded under the limits.
    from conversations.attachments.extraction import (  # noqa: PLC0415
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
    pieces: list[Piece] = []
    if content_type in parsers:
        pieces = cut_pieces(parsers[content_type](source))
        if content_type == PDF and not pieces:
            pdf.draw_pages(source, folder)
        elif not pieces:
            raise Unreadable("no_text")
    else:
        pictures.read_picture(source, folder)
    drawn = sorted(folder.glob("*.jpg")) if recognise else []
    return {"pieces": pieces, "recognised": [pictures.recognise(one) for one in drawn]}


if __name__ == "__main__":
    given = sys.argv[1:]
    main(Path(given[0]), Path(given[1]), given[2], recognise=given[3] == "yes")
