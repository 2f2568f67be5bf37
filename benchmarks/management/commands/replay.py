"""Measure what prompts hold after long conversations."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from benchmarks.evaluation.locomo import InvalidData, load_transcripts
from benchmarks.evaluation.replay import play
from benchmarks.evaluation.replay_report import replay_figures, replay_report


class Command(BaseCommand):
    help = (
        "Play whole conversations in LoCoMo's format through turns, episodes and"
        " summaries, at their own dates, and print how well episodes meet the sessions, the"
        " tokens of prompts, in how many prompts the evidence of a question is, and what"
        " is stored. Who speaks first in a session is its user. Everything is deleted at"
        " the end."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--only", type=int, help="this many conversations from the first"
        )
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            transcripts = load_transcripts(options["file"])[: options["only"]]
        except InvalidData as error:
            raise CommandError(str(error)) from error
        steps = sum(len(t.exchanges) + len(t.questions) for t in transcripts)
        try:
            with tqdm(total=steps, file=sys.stderr, unit="turn") as bar:
                played = [play(transcript, bar.update) for transcript in transcripts]
        except KeyboardInterrupt:
            raise CommandError("Stopped. Everything was deleted.") from None
        data = replay_figures(played, settings.CONTEXT_TOKENS)
        if options["json"]:
            self.stdout.write(json.dumps(data, indent=2))
            return
        for line in replay_report(data):
            self.stdout.write(line)
