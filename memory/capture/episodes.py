"""Store summaries of stretches of conversation."""

import numpy as np

from memory.capture.store import owner
from memory.models import EpisodicMemory
from memory.models.embedded import DIMENSIONS, NO_MODEL
from memory.values import Turns
from people.scope import Scope


def store_episode(scope: Scope, content: str, turns: Turns) -> EpisodicMemory:
    """Store it without a vector, which the sweep adds if nothing else does."""
    return EpisodicMemory.objects.create(
        user_id=owner(scope),
        space_id=scope.space_id,
        run_id=turns.run_id,
        thread_id=turns.thread_id,
        turn_start=turns.first,
        turn_end=turns.last,
        turn_range=f"turns {turns.first}-{turns.last}",
        content=content,
        stated_at=turns.stated_at,
        embedding=np.zeros(DIMENSIONS, np.float32),
        embedding_model=NO_MODEL,
    )
