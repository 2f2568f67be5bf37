"""Import facts, such as those of another assistant's export."""

import sys
from argparse import ArgumentParser
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from memory.facts.imports import import_facts
from memory.import_formats import (
    FORMATS,
    InvalidImport,
    UnknownFormat,
    read_import,
)
from memory.values import Decision
from people.management.member_options import add_member_options, named_member
from people.scope import scope_for


class Command(BaseCommand):
    help = (
        "Remember facts of a user in a space. The file has one JSON object per line:"
        ' {"text": "User likes tea", "stated_at": "2026-03-01T12:00:00Z"}, or is an'
        " export of Meddie or another assistant. The rules of a conversation apply:"
        " known, outdated and retracted facts are left out, so an import that was"
        " interrupted can be repeated."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        add_member_options(parser)
        parser.add_argument(
            "--format", choices=FORMATS, help="default: found from the content"
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="only print the decisions"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        user, space_id = named_member(options)
        scope = scope_for(user, space_id, channel="import")
        if not scope.writes:
            raise CommandError("This user has switched memory off.")
        file: Path = options["file"]
        try:
            text = file.read_text(encoding="utf-8-sig")
            written_at = datetime.fromtimestamp(file.stat().st_mtime, UTC)
            facts = read_import(text, options["format"], written_at)
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"The file cannot be read: {error}") from error
        except UnknownFormat as error:
            told = f"{error} If it is one of those, name it with --format."
            raise CommandError(told) from error
        except InvalidImport as error:
            raise CommandError(str(error)) from error
        decisions = tqdm(
            import_facts(scope, facts, dry_run=options["dry_run"]),
            total=len(facts),
            file=sys.stderr,
            unit="fact",
        )
        counts = Counter(map(_outcome, decisions))
        told = ", ".join(f"{n} {outcome}" for outcome, n in counts.items())
        self.stdout.write(told or "0 facts")


def _outcome(decision: Decision) -> str:
    told = decision.action in {"reject", "ignore"}
    return f"{decision.action} ({decision.reason})" if told else decision.action
