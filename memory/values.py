"""What goes into memory and what comes out of it. Plain values, no database."""

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Action = Literal["add", "replace", "ignore", "reject", "defer", "retract"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A proposed fact. `text` is whatever the proposer wrote, checked later.

    `supersedes` names the memory that it takes the place of, where the proposer knows.
    """

    text: object
    kind: str = "other"
    confidence: float = 1.0
    evidence: str = ""
    supersedes: uuid.UUID | None = None


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where and when something was said.

    `stated_at` is when the user said it, not when it is stored. `user_text` is the one
    user message of this turn: only it can state a retracted fact anew.
    """

    origin: str
    stated_at: datetime
    source: str = "chat"
    message_id: uuid.UUID | None = None
    run_id: uuid.UUID | None = None
    user_text: str | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of a candidate, and why (a short stable slug).

    `memory_id` is the row that now stands for the fact, `target_id` the row that gave
    way, or that the fact is a duplicate of.
    """

    text: str
    action: Action
    reason: str
    memory_id: uuid.UUID | None = None
    target_id: uuid.UUID | None = None


@dataclass(frozen=True, slots=True)
class Recalled:
    """A memory that was found, with the raw signals behind its score.

    `cosine` is None where the vectors could not be compared. On another shelf than
    memory's own, `shelf` is its table and `memory_id` the key of the row there.
    """

    memory_id: uuid.UUID
    text: str
    score: float
    cosine: float | None
    keyword: float
    stated_at: datetime
    shelf: str = "memories"


@dataclass(frozen=True, slots=True)
class Recall:
    """The answer of memory to one message, best first.

    `stale_ids` are rows that want a new vector; `degraded` says that no vectors could
    be used.
    """

    items: tuple[Recalled, ...] = ()
    overview: bool = False
    stale_ids: tuple[uuid.UUID, ...] = ()
    degraded: bool = False
