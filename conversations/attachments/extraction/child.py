"""The child: `python -m … INPUT FOLDER TYPE RECOGNISE`.

Writes `read.json` and pictures into the folder.
"""

import json
import resource
import sys
from pathlib import Path

from conversations.attachments.extraction import Unreadable

MEMORY = 1024**3  # bytes
SECONDS = 20  # of the processor
OUTPUT = 20 * 1024**2  # bytes of a file


def main(source: Path, folder: Path, content_type: str, *, recognise: bool) -> None:
    limit()
    # Loaded under the limits.
    from conversations.attachments.extraction.parsers import read  # noqa: PLC0415

    try:
        found = read(source, content_type, folder, recognise=recognise)
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


if __name__ == "__main__":
    given = sys.argv[1:]
    main(Path(given[0]), Path(given[1]), given[2], recognise=given[3] == "yes")
