"""Measure ways to search a message that goes on with a dialogue or changes the topic."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from benchmarks.evaluation.follow_ups import follow_up_report, measure_follow_ups
from benchmarks.evaluation.scratch import EmbeddingFailed


class Command(BaseCommand):
    help = (
        "Play the dialogues of benchmarks/evaluation/dialogues.json, search the last message"
        " of each in several ways, and print recall@6. Everything is rolled back."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with tqdm(file=sys.stderr, unit="dialogue") as bar:
                recalls = measure_follow_ups(bar.update)
        except EmbeddingFailed as error:
            message = f"The embedding model did not answer: {error}"
            raise CommandError(message) from error
        for line in follow_up_report(recalls):
            self.stdout.write(line)
