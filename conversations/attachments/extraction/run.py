"""Run the child process and read what it wrote (decision 8)."""

import json
import shutil
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from django.conf import settings

from conversations.attachments.extraction import Unreadable
from conversations.attachments.extraction.chunks import Piece

CHILD = "conversations.attachments.extraction.child"
PATIENCE = 60.0  # seconds; the processor's time is limited in the child
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}
_children = threading.BoundedSemaphore(2)  # each may take a gigabyte


@dataclass(frozen=True, slots=True)
class Extracted:
    pieces: list[Piece]
    pictures: list[bytes]  # JPEGs: the picture itself, or pages without text
    recognised: list[str]  # the text in each, if asked for


def extract_pieces(
    file: IO[bytes], content_type: str, *, recognise: bool = False
) -> Extracted:
    """Raises Unreadable."""
    with TemporaryDirectory(prefix="meddie-") as place:
        source, folder = Path(place, "input"), Path(place, "read")
        folder.mkdir()
        with source.open("wb") as copy:
            shutil.copyfileobj(file, copy)
        _run(source, folder, content_type, "yes" if recognise else "no")
        read = json.loads((folder / "read.json").read_bytes())
        pictures = [one.read_bytes() for one in sorted(folder.glob("*.jpg"))]
    if "error" in read:
        raise Unreadable(read["error"])
    pieces = [Piece(*piece) for piece in read["pieces"]]
    return Extracted(pieces, pictures, read["recognised"])


def _run(source: Path, folder: Path, *arguments: str) -> None:
    """No secret is in the child's environment. Raises Unreadable."""
    try:
        with _children:
            ended = subprocess.run(  # noqa: S603 -- our own program
                [sys.executable, "-m", CHILD, source, folder, *arguments],
                cwd=settings.BASE_DIR,
                env=ENVIRONMENT | {"HOME": str(folder), "TMPDIR": str(folder)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=PATIENCE,
                check=False,
            )
    except subprocess.TimeoutExpired:
        raise Unreadable("too_complex") from None
    if ended.returncode:
        raise Unreadable("too_complex" if ended.returncode < 0 else "broken")
