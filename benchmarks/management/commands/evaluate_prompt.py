"""Measure whether prompts have the facts that their questions need."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from benchmarks.evaluation.prompts import (
    InvalidQuestions,
    QuestionFile,
    measure_prompts,
    prompt_report,
)
from benchmarks.evaluation.scratch import EmbeddingFailed
from memory.models import MemoryPolicy


class Command(BaseCommand):
    help = (
        "Store facts in a scratch space, build the prompt of every question, and print in"
        " how many the needed facts are. Rows and tokens are averages of a question;"
        " tokens are those of the facts. Everything is rolled back. FILE is"
        ' {"facts": [{"id": 1, "en": "…"}], "questions": [{"gold": [1], "en": "…"}],'
        ' "unrelated": [{"en": "…"}]}.'
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--facts", default="en", help="the language of the facts")
        parser.add_argument("--questions", default="en", help="that of the questions")
        parser.add_argument(
            "--facts-tokens",
            type=int,
            default=MemoryPolicy().facts_tokens,
            help="tokens for facts in every prompt (default: %(default)s)",
        )
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["facts_tokens"] < 0:
            raise CommandError("--facts-tokens takes numbers from 0")
        policy = MemoryPolicy(facts_tokens=options["facts_tokens"])
        try:
            file = QuestionFile.read(options["file"])
            steps = len(file.questions) + len(file.unrelated)
            with tqdm(total=steps, file=sys.stderr, unit="question") as bar:
                measured = measure_prompts(
                    file, options["facts"], options["questions"], policy, bar.update
                )
        except InvalidQuestions as error:
            raise CommandError(str(error)) from error
        except EmbeddingFailed as error:
            message = f"The embedding model did not answer: {error}"
            raise CommandError(message) from error
        except KeyboardInterrupt:
            raise CommandError("Stopped. Nothing was stored.") from None
        if measured.not_stored:
            ids = ", ".join(map(str, measured.not_stored))
            self.stderr.write(f"Not stored, because a guard refused them: {ids}")
        if options["json"]:
            self.stdout.write(json.dumps(measured.figures()))
            return
        for line in prompt_report(measured):
            self.stdout.write(line)
