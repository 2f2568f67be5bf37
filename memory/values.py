"""What goes into memory and what comes out of it: plain values, no database."""

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Action = Literal["add", "replace", "ignore", "reject", "defer", "retract"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A proposed fact. `text` is unchecked and may be of any type.

    `supersedes` is the memory that it replaces, where the proposer knows.
    """

    text: object
    kind: str = "other"
    confidence: float = 1.0
    evidence: str = ""
    supersedes: uuid.UUID | None = None


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where and when something was stated.

    `stated_at` is when the user stated it, not when it is stored. `user_text` is the user
    message of this turn, which alone can state a retracted fact again.
    """

    origin: str
    stated_at: datetime
    source: str = "chat"
    message_id: uuid.UUID | None = None
    run_id: uuid.UUID | None = None
    user_text: str | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What happened to a candidate, and why (a short stable slug).

    `memory_id` is the row that holds the fact now. `target_id` is the row that was
    replaced or retracted, or of which the fact is a duplicate.
    """

    text: str
    action: Action
    reason: str
    memory_id: uuid.UUID | None = None
    target_id: uuid.UUID | None = None


@dataclass(frozen=True, slots=True)
class Recalled:
    """A found row with its score and the signals that made it.

    `cosine` is None where the vectors cannot be compared. `shelf` is the table that
    `memory_id` is a key of.
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
    """The answer to one query, best first.

    `stale_ids` are memories whose vector is of another model. `degraded` means that no
    vectors could be used.
    """

    items: tuple[Recalled, ...] = ()
    overview: bool = False
    stale_ids: tuple[uuid.UUID, ...] = ()
    degraded: bool = False
