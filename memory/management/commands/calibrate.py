"""Find the thresholds of an embedding model."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from meddie.ai.embeddings import EMBEDDERS
from meddie.ai.errors import AIError
from memory.recall.calibration import calibrate

TABLE_HEAD = "pair     recall@6  after the gate  unrelated rows  without a row"


class Command(BaseCommand):
    help = (
        "Print the thresholds of an embedding model, which a worker measures by itself:"
        " the highest floor that costs at most one point of recall@6, the highest value of"
        " the best cosine that costs at most three with it, the highest value"
        " of strict_semantic that costs at most ten points of recall@10, and of topics at"
        " which two in a hundred turns leave theirs. Also print recall@6"
        " and the rows of an unrelated question by languages of facts and questions."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--embedder", choices=sorted(EMBEDDERS), default="local")

    def handle(self, *args: Any, **options: Any) -> None:
        embedder = EMBEDDERS[options["embedder"]]()
        try:
            found = calibrate(embedder)
        except AIError as error:
            raise CommandError("The embedding model does not answer.") from error
        limits = found.thresholds
        self.stdout.write(f'"{embedder.model.name}": {limits},')
        self.stdout.write(TABLE_HEAD)
        for (facts, questions), figures in found.pairs.items():
            self.stdout.write(
                f"{facts}-{questions}{figures.ungated:12.1%}{figures.gated:16.1%}"
                f"{figures.unrelated:16.1f}{figures.silent:15.0%}"
            )
        self.stdout.write(
            f"topics: {found.topics.left(limits.topic):.1%} of turns leave theirs,"
            f" {found.topics.noticed(limits.topic):.1%} of turns with another begin one"
        )
