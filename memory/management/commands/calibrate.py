"""Find the thresholds of an embedding model."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from meddie.ai.embeddings import EMBEDDERS
from memory.evaluation.calibration import calibrate
from memory.evaluation.scratch import EmbeddingFailed


class Command(BaseCommand):
    help = (
        "Print the line that memory/recall/thresholds.py needs for an embedding model:"
        " the lowest floor that at most 5 % of the questions without an answer reach."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--embedder", choices=sorted(EMBEDDERS), default="local")

    def handle(self, *args: Any, **options: Any) -> None:
        embedder = EMBEDDERS[options["embedder"]]()
        try:
            found = calibrate(embedder)
        except EmbeddingFailed as error:
            raise CommandError("The embedding model does not answer.") from error
        limits = found.thresholds
        self.stdout.write(
            f'"{embedder.model.name}": Thresholds('
            f"gate={limits.gate:.3f}, floor={limits.floor:.2f}),"
        )
        self.stdout.write(
            f"{found.answered:.0%} of the questions with an answer get a row, and"
            f" {found.intruded:.0%} of those without one. {found.kept:.0%} of the answers"
            " are shown."
        )
