"""Run the child process and read what it wrote (decision 8)."""

import json
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

from django.conf import settings

from conversations.attachments.extraction import Unreadable
from conversations.attachments.extraction.chunks import Piece, Unread
from conversations.attachments.extraction.recognition import Recognised, recognise_text
from meddie.ocr import PLACES, find_tesseract

CHILD_MODULE = "conversations.attachments.extraction.child"
CHILD_SECONDS = 60.0  # seconds; the processor's time is limited in the child
ENVIRONMENT = {
    "PATH": PLACES,
    "LANG": "C.UTF-8",
    "OMP_THREAD_LIMIT": "1",  # a thread counts as a process
}
_children = threading.BoundedSemaphore(2)  # each may take a gigabyte


@dataclass(frozen=True, slots=True)
class Extracted:
    """`pictures` are JPEGs by page: the picture itself is 1, others have no text.

    `recognised` has the text in each, if it was asked for and found.
    """

    pieces: list[Piece]
    unread: list[Unread]
    pictures: dict[int, bytes]
    recognised: dict[int, Recognised]


def extract_pieces(
    file: IO[bytes], content_type: str, encoding: str = "", *, recognising: bool = False
) -> Extracted:
    """Raises Unreadable."""
    with read_confined(file, content_type, {"encoding": encoding}) as (folder, read):
        drawn = {int(path.stem): path for path in sorted(folder.glob("*.jpg"))}
        return Extracted(
            pieces=[Piece(*piece) for piece in read["pieces"]],
            unread=[Unread(*part) for part in read["unread"]],
            pictures={page: path.read_bytes() for page, path in drawn.items()},
            recognised=_recognised(folder, drawn) if recognising else {},
        )


@contextmanager
def read_confined(
    file: IO[bytes], content_type: str, asked: Mapping[str, str]
) -> Iterator[tuple[Path, dict[str, Any]]]:
    """The folder that the child wrote, and what it tells. Raises Unreadable.

    `asked` is what the user was asked, as the encoding.
    """
    with TemporaryDirectory(prefix="meddie-") as place:
        folder = Path(place)
        with (folder / "input").open("wb") as copy:
            shutil.copyfileobj(file, copy)
        _run(folder, "read", content_type, json.dumps(dict(asked)))
        read = json.loads((folder / "read.json").read_bytes())
        if "error" in read:
            raise Unreadable(read["error"], read.get("samples", ()))
        yield folder, read


def _recognised(folder: Path, pictures: dict[int, Path]) -> dict[int, Recognised]:
    """By tesseract; empty where it is not installed."""
    program = find_tesseract()
    if program is None:
        return {}

    def told(*arguments: str | Path) -> str:
        try:
            return _run(folder, "recognise", program, *arguments)
        except Unreadable:
            return ""

    return recognise_text(told, pictures)


def _run(folder: Path, mode: str, *arguments: str | Path) -> str:
    """What it prints. No secret is in its environment. Raises Unreadable."""
    own = {"HOME": str(folder), "TMPDIR": str(folder)}
    printed = folder / "printed"
    try:
        with _children, printed.open("wb") as output:
            ended = subprocess.run(  # noqa: S603 -- our own program
                # -P: nothing is imported from the folder.
                [sys.executable, "-P", "-m", CHILD_MODULE, mode, folder, *arguments],
                cwd=folder,
                env=ENVIRONMENT | own | {"PYTHONPATH": str(settings.BASE_DIR)},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.DEVNULL,
                timeout=CHILD_SECONDS,
                check=False,
            )
    except subprocess.TimeoutExpired:
        raise Unreadable("too_complex") from None
    if ended.returncode:
        raise Unreadable("too_complex" if ended.returncode < 0 else "broken")
    return printed.read_text(errors="replace")
