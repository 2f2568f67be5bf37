"""Measure recall on conversations whose questions have known evidence."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from benchmarks.evaluation import locomo
from benchmarks.evaluation.measures import report_data, report_lines
from benchmarks.evaluation.recall import evaluate
from benchmarks.evaluation.scratch import EmbeddingFailed
from meddie.ai.embeddings import EMBEDDERS
from memory.recall.rankings import RANKINGS


class Command(BaseCommand):
    help = (
        "Load conversations in LoCoMo's format into a scratch space, ask every question"
        " through recall, and print recall@k, hit@k and MRR by category (MRR over the"
        " first 20) and the time of a query. The table is the ranking without its gate;"
        " the effect of the gate is printed below it. Everything is rolled back."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--k", type=int, nargs="+", default=[6, 10])
        parser.add_argument(
            "--unit", choices=["turn", "observation", "summary"], default="observation"
        )
        parser.add_argument(
            *("--ranking", "--profile"), choices=sorted(RANKINGS), default="chat"
        )
        parser.add_argument("--embedder", choices=sorted(EMBEDDERS), default="local")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        ks: list[int] = sorted(set(options["k"]))
        if min(ks) < 1:
            raise CommandError("--k takes numbers from 1")
        try:
            data = self._measure(options, ks)
        except (locomo.InvalidData, EmbeddingFailed) as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt:
            raise CommandError("Stopped. Nothing was stored.") from None
        if options["json"]:
            self.stdout.write(json.dumps(data, indent=2))
            return
        for line in report_lines(data, ks):
            self.stdout.write(line)

    def _measure(self, options: dict[str, Any], ks: list[int]) -> dict[str, Any]:
        samples = locomo.load_samples(options["file"], options["unit"])
        steps = sum(len(s.units) + 2 * len(s.questions) for s in samples)
        with tqdm(total=steps, file=sys.stderr, unit="step") as bar:
            outcome = evaluate(
                samples,
                options["unit"],
                RANKINGS[options["ranking"]],
                EMBEDDERS[options["embedder"]](),
                bar.update,
            )
        return {
            "unit": options["unit"],
            "profile": options["ranking"],  # "ranking" holds the figures
            "embedder": options["embedder"],
            **report_data(outcome, ks),
        }
