"""Export what is known about a user in a space."""

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from memory.exports import (
    count_exported,
    exported_facts,
    fact_as_json,
    facts_as_markdown,
)
from memory.models import Fact
from memory.operators.private_files import replace_text
from memory.subjects import Subject
from people.management.member_options import add_member_options, named_member
from people.scope import retraction_scope


def _heading(subject: Subject) -> str:
    return "not sure" if subject.unsure else subject.text or "user"


FORMATS: dict[str, Callable[[Iterable[Fact]], Iterator[str]]] = {
    "jsonl": partial(map, fact_as_json),
    "markdown": partial(facts_as_markdown, named=_heading),
}


class Command(BaseCommand):
    help = (
        "Write the active facts and profile facts of a user in a space to a file that"
        " only you can read, or print them. `import_facts` reads JSON lines again, and"
        " changes nothing where the facts are known."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", help="default: print")
        add_member_options(parser)
        parser.add_argument("--format", choices=FORMATS, default="jsonl")
        parser.add_argument("--dry-run", action="store_true", help="only count")

    def handle(self, *args: Any, **options: Any) -> None:
        user, space = named_member(options)
        scope = retraction_scope(user.pk, space.pk)
        number = count_exported(scope)
        if options["dry_run"]:
            self.stdout.write(f"{number} facts")
            return
        facts = tqdm(exported_facts(scope), total=number, file=sys.stderr, unit="fact")
        lines = FORMATS[options["format"]](facts)
        if options["file"] is None:
            self.stdout.writelines(lines)
            return
        try:
            replace_text(options["file"], lines)
        except OSError as error:
            raise CommandError(f"The file cannot be written: {error}") from error
