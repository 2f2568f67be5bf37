"""Run the child process and read what it wrote."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from django.conf import settings

from conversations.attachments.extraction.chunks import Piece
from conversations.attachments.extraction.unreadable import Unreadable

CHILD = "conversations.attachments.extraction.child"
PATIENCE = 60.0  # seconds; the processor's time is limited in the child
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}


def extract_pieces(file: IO[bytes], content_type: str) -> list[Piece]:
    """The parts of the file's text. Raises Unreadable."""
    with TemporaryDirectory(prefix="meddie-") as folder:
        source, target = Path(folder, "input"), Path(folder, "output")
        with source.open("wb") as copy:
            shutil.copyfileobj(file, copy)
        _run(source, target, content_type)
        read = json.loads(target.read_bytes())
    if "error" in read:
        raise Unreadable(read["error"])
    return [Piece(*piece) for piece in read["pieces"]]


def _run(source: Path, target: Path, content_type: str) -> None:
    """No secret is in the child's environment. Raises Unreadable."""
    try:
        ended = subprocess.run(  # noqa: S603 -- our own program
            [sys.executable, "-m", CHILD, source, target, content_type],
            cwd=settings.BASE_DIR,
            env=ENVIRONMENT
            | {"HOME": str(source.parent), "TMPDIR": str(source.parent)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Unreadable("too_complex") from None
    if ended.returncode or not target.exists():
        raise Unreadable("too_complex" if ended.returncode < 0 else "broken")
