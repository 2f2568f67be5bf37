"""Import facts, such as those of another assistant's export."""

from argparse import ArgumentParser
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from conversations.attachments.extraction import Unreadable
from conversations.attachments.extraction.encodings import decode
from memory import service
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
            "--format", choices=service.FORMATS, help="default: found from the content"
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="only print the decisions"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        user, space = named_member(options)
        scope = scope_for(user, space.pk, channel="import")
        if not scope.writes:
            raise CommandError("The user or the household has switched memory off.")
        file: Path = options["file"]
        try:
            text = decode(file.read_bytes())
            written_at = datetime.fromtimestamp(file.stat().st_mtime, UTC)
            facts = service.read_import(text, options["format"], written_at)
        except OSError as error:
            raise CommandError(f"The file cannot be read: {error}") from error
        except Unreadable as error:
            told = f"The file cannot be read: {error}. Save it as UTF-8."
            raise CommandError(told) from error
        except service.InvalidImport as error:
            told, is_unknown = str(error), str(error) == str(service.UNKNOWN_SHAPE)
            hint = " If it is one of those, name it with --format."
            raise CommandError(told + hint * is_unknown) from error
        decisions = service.import_all(scope, facts, dry_run=options["dry_run"])
        counts = Counter(map(_outcome, decisions))
        told = ", ".join(f"{n} {outcome}" for outcome, n in counts.items())
        self.stdout.write(told or "0 facts")


def _outcome(decision: Decision) -> str:
    told = decision.action in {"reject", "ignore"}
    return f"{decision.action} ({decision.reason})" if told else decision.action
