"""What should happen after a turn, as data; rung in one place, after the commit.

A bell that is not heard loses nothing: a title falls back to the first words, and a
periodic sweep picks up the rest.
"""

import logging
from dataclasses import dataclass
from uuid import UUID

from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from conversations.tasks import title_conversation
from memory.tasks import reembed

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Followups:
    """Keys of what has work waiting."""

    title_for: UUID | None = None
    stale_ids: tuple[UUID, ...] = ()


def ring(followups: Followups) -> None:
    """Tell the workers. Blocks for a few seconds at most when the broker is away."""
    try:
        if followups.title_for is not None:
            title_conversation.delay(str(followups.title_for))
        if followups.stale_ids:
            reembed.delay([str(pk) for pk in followups.stale_ids])
    except (OperationalError, RedisError):
        logger.warning("No broker to ring; the sweep will find the work")
