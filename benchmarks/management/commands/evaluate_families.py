"""Measure whether facts are about the right person, and answers, too."""

import sys
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from tqdm import tqdm

from benchmarks.evaluation.families import play_family, read_families


class Command(BaseCommand):
    help = (
        "Play stories of families and ask their questions, each in a household of its own,"
        " which is deleted at the end. Print how many facts are about the right person and"
        " how many questions have the right answer first. FILE has one story per line, as"
        " benchmarks/capture.md says. Without a model the stand-in answers."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--scripted",
            action="store_true",
            help="a scripted model notes the facts; prompts are judged instead of answers",
        )
        parser.add_argument("--faults", action="store_true", help="print what is wrong")

    def handle(self, *args: Any, **options: Any) -> None:
        facts, answers = Counter[str](), Counter[str]()
        stories = read_families(options["file"])
        for story in tqdm(stories, file=sys.stderr, unit="story"):
            played = play_family(story, scripted=options["scripted"])
            facts.update(judged.verdict for judged in played.facts)
            answers.update(judged.verdict for judged in played.answers)
            for judged in (*played.facts, *played.answers):
                if options["faults"] and judged.verdict != "right":
                    told = f"{judged.verdict} {story.id}: {judged.asked}"
                    self.stdout.write(f"{told}\n    {judged.found}")
        self.stdout.write(f"facts: {dict(facts)}")
        self.stdout.write(f"questions: {dict(answers)}")
