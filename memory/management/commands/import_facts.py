"""Import facts, such as those of another assistant's export."""

import json
import sys
from argparse import ArgumentParser
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from tqdm import tqdm

from memory.capture.imports import StatedFact, import_facts
from memory.values import Candidate, Decision
from people.models import Space, User
from people.scope import NotAMember, Scope, scope_for

EARLIEST = datetime(1900, 1, 1, tzinfo=UTC)
"""Times near the year 1 do not exist in every time zone."""


class Command(BaseCommand):
    help = (
        "Remember facts of a user in a space. The file has one JSON object per line:"
        ' {"text": "User likes tea", "stated_at": "2026-03-01T12:00:00Z"}. The rules of a'
        " conversation apply: known, outdated and retracted facts are left out."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--user", required=True, help="an e-mail address")
        parser.add_argument(
            "--space", type=UUID, help="its key; default: the user's only space"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(email=options["user"].strip().lower()).first()
        scope = _scope(user, options["space"] or _only_space(user))
        try:
            lines = options["file"].read_text(encoding="utf-8").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"The file cannot be read: {error}") from error
        facts = [
            _fact(line, number) for number, line in enumerate(lines, 1) if line.strip()
        ]
        decisions = tqdm(
            import_facts(scope, facts), total=len(facts), file=sys.stderr, unit="fact"
        )
        counts = Counter(map(_outcome, decisions))
        self.stdout.write(", ".join(f"{n} {outcome}" for outcome, n in counts.items()))


def _outcome(decision: Decision) -> str:
    refused = decision.action == "reject"
    return f"reject ({decision.reason})" if refused else decision.action


def _only_space(user: User | None) -> UUID:
    spaces = Space.objects.filter(memberships__user=user).order_by("name", "pk")
    if not spaces:
        raise CommandError("There is no such user in any space.")
    if len(spaces) > 1:
        named = "; ".join(f"{space.pk} ({space.name})" for space in spaces)
        raise CommandError(f"The user has several spaces, so name one: {named}.")
    return spaces[0].pk


def _scope(user: User | None, space_id: UUID) -> Scope:
    try:
        scope = scope_for(user, space_id, channel="import")
    except NotAMember:
        user = None
    if user is None:
        raise CommandError("There is no such user in that space.")
    if not scope.writes:
        raise CommandError("This user has switched memory off.")
    return scope


def _fact(line: str, number: int) -> StatedFact:
    try:
        fact = json.loads(line)
        text, when = fact["text"], parse_datetime(fact["stated_at"])
    except (ValueError, KeyError, TypeError) as error:
        raise CommandError(f"Line {number} is no fact with a date.") from error
    if not isinstance(text, str) or when is None:
        raise CommandError(f"Line {number} is no fact with a date.")
    if timezone.is_naive(when):
        when = timezone.make_aware(when)
    if when < EARLIEST:
        raise CommandError(f"Line {number} is dated before 1900.")
    return Candidate(text), min(when, timezone.now())
