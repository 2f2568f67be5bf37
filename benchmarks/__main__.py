"""Measure Meddie part by part, and print the figures of each part as JSON.

    python -m benchmarks [recall quality ...] [--dialogues FILE]

Each part is a process of its own with fresh servers. Without names all parts run except
`large`.

    python -m benchmarks evaluate_recall FILE [option ...]

and the other modules of `benchmarks.management.commands` run like commands of manage.py,
in the ordinary environment and with its database.

    python -m benchmarks judgement [--dialogues FILE]

needs no database.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import judgement
from meddie.embedded.command_line import run_command

PARTS = (
    *("quality", "recall", "throughput", "growth", "capture", "first_token"),
    *(
        "streams",
        "api_streams",
        "long_conversation",
        "pages",
        "telegram",
        "size",
        "journals",
        "prefix",
        "rest",
        "mixed",
        "hostile_bodies",
    ),
)
LARGE = "large"
COMMANDS = (
    "evaluate_evidence",
    "evaluate_families",
    "evaluate_follow_ups",
    "evaluate_prompt",
    "evaluate_recall",
    "evaluate_standin",
    "evaluate_stories",
    "replay",
)
CALM = 0.5
LONGEST_WAIT = 60


def main() -> int:
    if sys.argv[1:2] == ["judgement"]:
        return judgement.run(sys.argv[2:])
    if sys.argv[1:] and sys.argv[1] in COMMANDS:
        os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.settings"
        return run_command(sys.argv)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "parts", nargs="*", metavar="part", help=", ".join([*PARTS, LARGE])
    )
    parser.add_argument("--dialogues", default=os.environ.get("DIALOGUES", ""))
    options = parser.parse_args()
    for part in options.parts or PARTS:
        settle()
        sys.stdout.write(json.dumps({part: measure(part, options)}, indent=1) + "\n")
        sys.stdout.flush()
    return 0


def settle() -> None:
    """Wait until the load of the previous part is gone, at most a minute."""
    ends = time.monotonic() + LONGEST_WAIT
    while os.getloadavg()[0] > CALM and time.monotonic() < ends:
        time.sleep(2)


def measure(part: str, options: argparse.Namespace) -> object:
    """The machine and the figures of one part."""
    began = time.monotonic()
    sys.stderr.write(f"{part} ...\n")
    with tempfile.NamedTemporaryFile(suffix=".json") as result:
        command = [sys.executable, "-m", "benchmarks.stage", part]
        command += ["--json", result.name]
        command += ["--dialogues", options.dialogues] if options.dialogues else []
        subprocess.run(command, check=True)  # noqa: S603 -- our own
        figures: object = json.loads(Path(result.name).read_text())
    sys.stderr.write(f"{part}: {time.monotonic() - began:.0f} s\n")
    return figures


if __name__ == "__main__":
    sys.exit(main())
