"""The versions of a message or a reply, as the page shows them."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from conversations.models import Message


@dataclass(frozen=True, slots=True)
class Versions:
    """`number` is that of the shown one; `first` names them all."""

    number: int
    total: int
    first: UUID
    previous: UUID | None
    next: UUID | None


def versions_of(message: Message) -> Versions | None:
    """None for a message with one version."""
    ids: Sequence[UUID] = message.version_ids or ()
    if len(ids) < 2 or message.pk not in ids:
        return None
    place = list(ids).index(message.pk)
    return Versions(
        number=place + 1,
        total=len(ids),
        first=ids[0],
        previous=ids[place - 1] if place else None,
        next=ids[place + 1] if place + 1 < len(ids) else None,
    )
