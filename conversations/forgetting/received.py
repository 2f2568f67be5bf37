"""Received messages that wait or failed, when what they say is forgotten."""

from collections.abc import Collection
from datetime import datetime

from conversations.inbox.worker import Inbox
from meddie.jobs.registry import QUEUES
from memory.words import grounded
from people.scope import Scope


def end_received(
    scope: Scope, lines: Collection[str] | None, until: datetime | None
) -> None:
    """End those that speak of a line, or all."""
    for queue in QUEUES.values():
        if not isinstance(queue, Inbox):
            continue
        told = [
            row.pk
            for row in queue.jobs.unread_of(scope).select_for_update(of=("self",))
            if (until is None or row.stated_at <= until)
            and (lines is None or any(grounded(one, row.text) for one in lines))
        ]
        queue.jobs.filter(pk__in=told).forget()
