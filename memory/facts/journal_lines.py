"""Lines of the operators' journal: one of each message, and none of forgotten ones."""

import uuid
from collections.abc import Collection
from datetime import datetime
from functools import partial

from django.db import transaction

from meddie.text import one_line
from memory.models import JournalFile, JournalLine, Memory, MemoryStatement, ProfileFact
from memory.models.journal_line import AUTHOR_LIMIT, LINE_LIMIT
from memory.values import Provenance
from people.scope import Scope


def add_journal_line(
    scope: Scope,
    message_id: uuid.UUID,
    at: datetime,
    author: str,
    text: str,
    *,
    ingested: bool,
) -> None:
    line = one_line(text)[:LINE_LIMIT].strip()
    if scope.user_id is None or not scope.writes or not line:
        return
    row = JournalLine(
        id=message_id,
        user_id=scope.user_id,
        space_id=scope.space_id,
        at=at,
        author=one_line(author)[:AUTHOR_LIMIT].strip(),
        text=line,
        ingested=ingested,
    )
    JournalLine.objects.bulk_create([row], ignore_conflicts=True)


def drop_journal_lines(
    scope: Scope, message_ids: Collection[uuid.UUID] | None = None
) -> None:
    """Of these messages, or all of the scope; the files follow after the commit."""
    if not JournalLine.objects.filter(space_id=scope.space_id).exists():
        return
    lines = JournalLine.objects.of_author(scope)
    if message_ids is not None:
        lines = JournalLine.objects.of_messages(message_ids)
    lines.delete()
    renew_snapshot_later(scope.space_id)


def renew_snapshot_later(space_id: uuid.UUID) -> None:
    """After the commit, because a worker locks the row while it writes the file."""
    transaction.on_commit(partial(JournalFile.objects.renew_snapshot, space_id))


def forgotten_messages(scope: Scope, wish: Provenance | None) -> set[uuid.UUID]:
    """Messages that stated a retracted fact, and that of the wish."""
    lore = Memory.objects.lore_of(scope.space_id)
    known = Memory.objects.owned_by(scope) | lore
    retracted = known.filter(retired_reason=Memory.RetiredReason.RETRACTED)
    statements = MemoryStatement.objects.filter(memory__in=retracted)
    facts = ProfileFact.objects.owned_by(scope).retracted()
    told = {
        *retracted.values_list("source_message", flat=True),
        *statements.values_list("message_id", flat=True),
        *facts.values_list("message_id", flat=True),
        wish.message_id if wish else None,
    }
    return {key for key in told if key is not None}
