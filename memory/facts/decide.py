"""Decide on a fact of any kind from what is known of it. Pure."""

from dataclasses import dataclass
from datetime import datetime

from memory.models import Fact
from memory.reasons import Reason
from memory.values import Action


@dataclass(frozen=True, slots=True)
class Known:
    """Rows that a decision needs."""

    # Active, and says the same.
    same: Fact | None = None
    why_same: Reason = Reason.DUPLICATE
    # Forgotten, and not stated again since.
    forgotten: Fact | None = None
    # Newer than the fact, which would have replaced it.
    newer: Fact | None = None
    # The active value of the key, if it is more certain.
    surer: Fact | None = None
    has_room: bool = True
    # Retired, in the same words.
    row: Fact | None = None
    # Active, what took the place of that row, and whether it says all of the fact.
    successor: Fact | None = None
    is_said_by_successor: bool = False
    # Active and older: what the fact takes the place of.
    old: Fact | None = None
    corrected: bool = False


@dataclass(frozen=True, slots=True)
class Ruling:
    """What becomes of a fact: `row` has it, `target` is what it was compared with."""

    action: Action
    reason: Reason
    row: Fact | None = None
    target: Fact | None = None


def decide(known: Known, stated_at: datetime) -> Ruling:
    """Known, retracted, outdated, another value of its key, restated, or to be stored."""
    if known.same is not None:
        return Ruling("ignore", known.why_same, known.same, known.same)
    # Unless the user has stated again what was forgotten (decision 24).
    if known.forgotten is not None:
        return Ruling("reject", Reason.RETRACTED, None, known.forgotten)
    # Kept as superseded by the newer statement.
    if known.newer is not None:
        return Ruling("ignore", Reason.OUTDATED, known.row, known.newer)
    if known.surer is not None:
        return Ruling("ignore", Reason.LESS_CERTAIN, known.surer, known.surer)
    if not known.has_room:
        return Ruling("reject", Reason.FULL)
    return _restated(known, stated_at) or _store(known)


def _restated(known: Known, stated_at: datetime) -> Ruling | None:
    """Ignore a retired sentence that is not newer, or that is part of an active one."""
    row, successor = known.row, known.successor
    if row is None:
        return None
    if stated_at <= max(memory.stated_at for memory in (row, successor) if memory):
        return Ruling("ignore", Reason.OUTDATED, None, row)
    if successor is not None and known.is_said_by_successor:
        return Ruling("ignore", Reason.DUPLICATE, successor, successor)
    return None


def _store(known: Known) -> Ruling:
    if known.old is not None:
        reason = Reason.CORRECTION if known.corrected else Reason.NEWER
        return Ruling("replace", reason, known.row, known.old)
    return Ruling("add", Reason.REVIVED if known.row else Reason.NEW, known.row)
