"""The child process: `python -m … INPUT OUTPUT TYPE` writes what it read as JSON."""

import json
import resource
import sys
from pathlib import Path

from conversations.attachments.extraction.unreadable import Unreadable

MEMORY = 1024**3  # bytes
SECONDS = 20  # of the processor
OUTPUT = 20 * 1024**2  # bytes


def main(source: Path, target: Path, content_type: str) -> None:
    limit()
    # Loaded under the limits.
    from conversations.attachments.extraction.parsers import read  # noqa: PLC0415

    try:
        found: object = {"pieces": read(source, content_type)}
    except Unreadable as error:
        found = {"error": str(error)}
    except MemoryError:
        found = {"error": "too_complex"}
    target.write_text(json.dumps(found))


def limit() -> None:
    for name, value in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CPU, SECONDS),
        (resource.RLIMIT_FSIZE, OUTPUT),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(name, (value, value))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
