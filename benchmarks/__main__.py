"""Measure everything, one part after the other, and write the page.

    python -m benchmarks [recall quality ...] [--dialogues FILE] [--page-only]

Each part is a process of its own with fresh servers; the machine and its load are noted
before it begins. What a part measured replaces what
docs/performance.json had of it, so that a part can be measured anew alone.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.machine import description
from benchmarks.page import SECTIONS, write

LARGE = "large"
PARTS = tuple(part for part in SECTIONS if part != LARGE)
FIGURES = Path("docs/performance.json")
CALM = 0.5
LONGEST_WAIT = 60


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="part", help=", ".join(SECTIONS))
    parser.add_argument("--dialogues", default=os.environ.get("DIALOGUES", ""))
    parser.add_argument("--page-only", action="store_true")
    options = parser.parse_args()
    figures = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    for part in () if options.page_only else options.parts or PARTS:
        settle()
        before = description()
        measured = measure(part, options.dialogues)
        figures[part] = {"measured": before, "figures": measured}
        FIGURES.write_text(json.dumps(figures, indent=1) + "\n")
    write(figures, FIGURES.parent)


def settle() -> None:
    """Let the load of the part before die away, for a minute at most: others use the
    machine too, and do not stop for us."""
    ends = time.monotonic() + LONGEST_WAIT
    while os.getloadavg()[0] > CALM and time.monotonic() < ends:
        time.sleep(2)


def measure(part: str, dialogues: str) -> object:
    """What one part says of itself."""
    began = time.monotonic()
    sys.stdout.write(f"{part} ...\n")
    with tempfile.NamedTemporaryFile(suffix=".json") as result:
        command = [sys.executable, "-m", "benchmarks.stage", part]
        command += ["--json", result.name]
        command += ["--dialogues", dialogues] if dialogues else []
        subprocess.run(command, check=True)  # noqa: S603 -- our own
        measured: object = json.loads(Path(result.name).read_text())
    sys.stdout.write(f"{part}: {time.monotonic() - began:.0f} s\n")
    return measured


if __name__ == "__main__":
    main()
