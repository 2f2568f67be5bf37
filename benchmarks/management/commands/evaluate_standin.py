"""Print what the stand-in answers, to be marked by hand."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from tqdm import tqdm

from benchmarks.evaluation.standin import play_session, read_sessions


class Command(BaseCommand):
    help = (
        "Play sessions with the stand-in, each in a household of its own, which is deleted"
        " at the end. Print messages and answers as a table of Markdown with room for a mark."
        " FILE has one session per line, as benchmarks/standin.md says."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        number = 0
        for session in tqdm(read_sessions(options["file"]), file=sys.stderr):
            self.stdout.write(f"\n## {session.id} ({session.lang})\n")
            self.stdout.write("| # | message | answer | mark |\n|---|---|---|---|")
            for message, answer in play_session(session):
                number += 1
                cells = (message.text, answer)
                row = " | ".join(cell.replace("|", "\\|") for cell in cells)
                told = "<br>".join(filter(None, row.splitlines()))
                self.stdout.write(f"| {number} | {told} | |")
