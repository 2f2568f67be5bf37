"""Decide on a fact of any kind from what is known of it. Pure."""

from dataclasses import dataclass
from datetime import datetime

from memory.facts.look import Known
from memory.models import Fact
from memory.reasons import Reason
from memory.values import Action


@dataclass(frozen=True, slots=True)
class Ruling:
    """What becomes of a fact: `row` has it, `target` is what it was compared with."""

    action: Action
    reason: Reason
    row: Fact | None = None
    target: Fact | None = None


def decide(known: Known, stated_at: datetime) -> Ruling:
    return (
        _known(known)
        or _retracted(known)
        or _outdated(known)
        or _same_key(known)
        or _restated(known, stated_at)
        or _store(known)
    )


def _known(known: Known) -> Ruling | None:
    if known.same is None:
        return None
    return Ruling("ignore", known.why_same, known.same, known.same)


def _retracted(known: Known) -> Ruling | None:
    """Reject what was forgotten, unless the user states it again (decision 24)."""
    if known.forgotten is None:
        return None
    return Ruling("reject", Reason.RETRACTED, None, known.forgotten)


def _outdated(known: Known) -> Ruling | None:
    """Keep what would replace a newer statement as superseded by it."""
    if known.newer is None:
        return None
    return Ruling("ignore", Reason.OUTDATED, known.row, known.newer)


def _same_key(known: Known) -> Ruling | None:
    """Keep the surer value of a key, and the more important facts where room ends."""
    if known.surer is not None:
        return Ruling("ignore", Reason.LESS_CERTAIN, known.surer, known.surer)
    return None if known.has_room else Ruling("reject", Reason.FULL)


def _restated(known: Known, stated_at: datetime) -> Ruling | None:
    """Ignore a retired sentence that is not newer, or that is part of an active one."""
    row, successor = known.row, known.successor
    if row is None:
        return None
    if stated_at <= max(one.stated_at for one in (row, successor) if one):
        return Ruling("ignore", Reason.OUTDATED, None, row)
    if successor is not None and known.is_said_by_successor:
        return Ruling("ignore", Reason.DUPLICATE, successor, successor)
    return None


def _store(known: Known) -> Ruling:
    if known.old is not None:
        reason = Reason.CORRECTION if known.corrected else Reason.NEWER
        return Ruling("replace", reason, known.row, known.old)
    return Ruling("add", Reason.REVIVED if known.row else Reason.NEW, known.row)
