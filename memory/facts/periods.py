"""Since when and until when facts are true, where one takes the place of another.

Both are moments; a day, month or year that was stated begins at its first moment and
ends at the first of the next. What is stated counts before what follows from others
(decision 52).
"""

import calendar
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

from django.utils import timezone
from pgvector.django import CosineDistance

from memory.models import Fact, Memory, MemoryUpdate, ProfileFact
from memory.reasons import Reason
from memory.recall.thresholds import thresholds

SAME_PERIOD = MemoryUpdate.FULLER | {Reason.EDITED}
"""What is replaced for these reasons was never true by itself: the new one takes its time."""
LESS_ALIKE = 0.1
"""How much less alike than two statements of one thing an older one of it may be: "I take
20 mg of atorvastatin" and "I take 40 mg of atorvastatin now" have 0.79."""
STATED = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")


def end_replaced(
    versions: Sequence[Fact], old: Memory, new: Memory, reason: str
) -> None:
    """Let `old` end where `new` begins, or earlier, where a version between them does.

    `versions` are what `new` replaced, also `old`, which may have come late.
    """
    if reason in SAME_PERIOD:
        if old.begins_at < new.begins_at:
            _store(new, valid_from=old.begins_at)
        return
    others = _alike(versions, old, new)
    after = [other for other in others if other.begins_at > old.begins_at]
    _end_at(old, min(version.begins_at for version in (new, *after)))
    for other in others:
        if other.begins_at < old.begins_at and other.valid_until is not None:
            _end_at(other, old.begins_at)


def end_values(versions: Iterable[ProfileFact]) -> None:
    """Let each value of a key end where the next one begins."""
    ordered = sorted(versions, key=lambda version: (version.begins_at, version.active))
    for version, following in pairwise(ordered):
        if not version.active:
            _end_at(version, following.begins_at)


def read_moment(text: str, *, is_end: bool = False) -> datetime | None:
    """The first moment of a stated "2025", "2025-06" or "2025-06-03", or the one after it.

    A moment with its zone is itself. None for anything else.
    """
    found = STATED.fullmatch(text.strip())
    try:
        if found is None:
            moment = datetime.fromisoformat(text.strip())
            return moment if moment.tzinfo else None
        year, month, day = (int(part) if part else 0 for part in found.groups())
        if not is_end:
            return datetime(year, month or 1, day or 1, tzinfo=UTC)
        last = day or calendar.monthrange(year, month or 12)[1]
        return datetime(year, month or 12, last, tzinfo=UTC) + timedelta(days=1)
    except (ValueError, OverflowError):
        return None


def _alike(versions: Sequence[Fact], old: Memory, new: Memory) -> list[Memory]:
    """Other versions of what `old` states: `new` may have replaced two different things."""
    others = {version.pk for version in versions} - {old.pk, new.pk}
    if not others:
        return []
    near = Memory.objects.filter(pk=old.pk).values("near", "embedding_model").get()
    if near["near"] is None:
        return []
    least = thresholds(near["embedding_model"]).alike - LESS_ALIKE
    rows: Any = Memory.objects.filter(
        pk__in=others, embedding_model=near["embedding_model"]
    ).defer(*Memory.VECTORS)
    rows = rows.annotate(far=CosineDistance("near", near["near"]))
    return [row for row in rows if row.far <= 1 - least]


def _end_at(fact: Fact, moment: datetime) -> None:
    """Unless it is stated that it ended before."""
    moment = max(moment, fact.begins_at)
    if fact.valid_until is None or fact.valid_until > moment:
        _store(fact, valid_until=moment)


def _store(fact: Fact, **times: datetime) -> None:
    for name, moment in times.items():
        setattr(fact, name, moment)
    rows: Any = type(fact)
    rows.objects.filter(pk=fact.pk).update(**times, updated_at=timezone.now())
