"""Embed what has no vector of the embedding model in use."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from meddie.ai import embeddings
from memory import service
from memory.models.embedded import NO_MODEL, embedded_tables


class Command(BaseCommand):
    help = (
        "Embed facts, episodes, messages and texts of files that have no vector of the"
        " embedding model in use. Each batch is stored, so the command can be stopped"
        " and run again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="only count")

    def handle(self, *args: Any, **options: Any) -> None:
        if embeddings.current_embedder().model.name == NO_MODEL:
            raise CommandError("There is no embedding model.")
        tables = [table.to_embed() for table in embedded_tables()]
        for rows in [] if options["dry_run"] else tables:
            with tqdm(
                total=service.count_stale(rows), file=sys.stderr, unit="row"
            ) as bar:
                while batch := service.index(rows):
                    bar.update(batch)
        left = {rows.model: service.count_stale(rows) for rows in tables}
        for model, number in left.items():
            self.stdout.write(f"{number} {model._meta.verbose_name_plural} left")  # noqa: SLF001 -- Django documents it
        if any(left.values()) and not options["dry_run"]:
            raise CommandError("The embedding model does not answer.")
