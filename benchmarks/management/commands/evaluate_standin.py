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
        " FILE has one session per line, as benchmarks/capture.md says."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        number = 0
        for session in tqdm(read_sessions(options["file"]), file=sys.stderr):
            self.stdout.write(f"\n## {session.id}\n")
            self.stdout.write("| # | message | good | bad | answer | mark |")
            self.stdout.write("|---|---|---|---|---|---|")
            for message, answer in play_session(session):
                number += 1
                cells = map(_cell, (message.say, message.good, message.bad, answer))
                self.stdout.write(f"| {number} | {' | '.join(cells)} | |")


def _cell(text: str) -> str:
    lines = text.replace("|", "\\|").splitlines()
    return "<br>".join(line for line in lines if line)
