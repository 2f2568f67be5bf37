"""One look for all streams of the process: which of them have to look for themselves.

A page may read on for as long as its user is signed in, active, a member of the space
and the owner of the conversation, and for as long as the message stands. To ask that for
each of a hundred streams every second would take half a processor; here it is asked for
all at once. Whoever is not plainly well looks alone, and decides.
"""

import logging
from collections import deque
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from uuid import UUID

from django.contrib.sessions.models import Session
from django.db import Error
from django.db.models.functions import Length

from conversations.models import Conversation, Message
from meddie.periodic import Pulse
from meddie.threads import run_db

logger = logging.getLogger(__name__)

LOOK_EVERY = 1.0
"""Seconds between two looks."""
PATIENCE = 3
"""Looks within which text should have come from the row to the page. With too many
streams for a processor all are late, and were each to look alone for that, all would be
later still."""


@dataclass(eq=False, slots=True)
class Reader:
    """A page that reads a running reply. `look` has its stream look for itself."""

    message_id: UUID
    user_id: UUID
    session_key: str
    look: Callable[[], object]
    size: int = 0
    """Characters of the reply that the page has; less than none if it goes by the row."""
    stored: deque[int] = field(default_factory=lambda: deque([0] * PATIENCE, PATIENCE))
    """Characters that the row had at the last looks."""

    def take_stock(self, stored: int) -> bool:
        """Note what the row has by now, and say whether the page lacks what it had
        PATIENCE looks ago."""
        lost = self.size < self.stored[0]
        self.stored.append(stored)
        return lost


_readers: set[Reader] = set()


@contextmanager
def watched(reader: Reader) -> Iterator[None]:
    """Watch over a stream of the running loop."""
    _readers.add(reader)
    _looks.keep()
    try:
        yield
    finally:
        _readers.discard(reader)


async def look() -> None:
    """Have those streams look for themselves that something has happened to."""
    readers = list(_readers)
    try:
        due = await run_db(unwell, readers)
    except Error:
        logger.warning("No look at %d streams", len(readers))
        due = readers  # each finds out for itself, or breaks off
    for reader in due:
        reader.look()


def unwell(readers: Collection[Reader]) -> list[Reader]:
    """Whoever may perhaps not read on, or whose reply has perhaps not come whole."""
    growing = Message.objects.filter(
        pk__in={reader.message_id for reader in readers},
        status=Message.Status.STREAMING,
        conversation__in=Conversation.objects.reachable(),
    )
    found = growing.values_list("pk", "conversation__user_id", Length("content"))
    sizes = {(pk, user_id): size for pk, user_id, size in found}
    sessions = Session.objects.filter(pk__in={r.session_key for r in readers})
    signed_in = set(sessions.values_list("pk", flat=True))
    return [
        reader
        for reader in readers
        if reader.session_key not in signed_in
        or (size := sizes.get((reader.message_id, reader.user_id))) is None
        or reader.take_stock(size)
    ]


_looks = Pulse(look, wanted=lambda: _readers, seconds=lambda: LOOK_EVERY)
