"""Ingested messages that wait or failed, when what they say is forgotten."""

from collections.abc import Collection
from datetime import datetime

from django.utils import timezone

from conversations.models import IngestedMessage
from memory import service
from people.scope import Scope


def end_forgotten(
    scope: Scope, lines: Collection[str] | None, until: datetime | None
) -> None:
    """End those that speak of a line, or all. Their keys stay: none is stored again."""
    rows = IngestedMessage.objects.exclude(state=IngestedMessage.State.DONE).filter(
        thread__user=scope.user_id, thread__space=scope.space_id
    )
    if until is not None:
        rows = rows.filter(stated_at__lte=until)
    told = [
        row.pk
        for row in rows.select_for_update(of=("self",))
        if lines is None
        or any(service.grounded(line, row.payload["text"]) for line in lines)
    ]
    if not told:
        return
    IngestedMessage.objects.filter(pk__in=told).update(
        state=IngestedMessage.State.DONE,
        error="forgotten",
        payload={},
        lease_holder=None,
        leased_until=None,
        updated_at=timezone.now(),
    )
