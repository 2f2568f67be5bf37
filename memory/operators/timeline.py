"""What happened to a memory or profile fact, oldest first, for staff."""

import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.apps import apps
from django.db.models import Count, Max, Q
from django.utils.translation import gettext_lazy as _

from memory.models import Memory, MemoryEvent, MemoryUpdate, ProfileFact
from people.models import User

Kind = MemoryEvent.Kind
REPAIRED = {
    "correct": _("Corrected by staff"),
    "merge": _("Merged by staff with another one"),
    "retire": _("Retired by staff"),
    "restore": _("Restored by staff"),
    "undo": _("Last repair undone by staff"),
}
DECIDED = {
    "ignore": _("Confirmed: it was stated again"),
    "reject": _("Stated again and refused"),
    "retract": _("Forgotten at the user's request"),
}
SAID = {
    "remembered": _("The user was told that it is remembered"),
    "forgotten": _("The user was told that it is forgotten"),
    "not_remembered": _("Offered to the user to forget"),
}
RETIRED = {
    Memory.RetiredReason.SUPERSEDED: _("Superseded"),
    Memory.RetiredReason.ARCHIVED: _("Archived"),
    Memory.RetiredReason.RETRACTED: _("Retracted"),
}
REPLACED = {
    "refined": _("Refined by a fuller one"),
    "duplicate": _("Found to be a duplicate"),
    "corrected": _("Replaced by its correction"),
    "edited": _("Replaced by the user's own correction"),
    "merged": _("Merged into another one"),
    "forgotten": _("Given up by a user to whom it was lent"),
}


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """`other` is the row that took part, `line` what a conversation says of it."""

    at: datetime
    text: Any
    reason: str = ""
    other: uuid.UUID | None = None
    by: str = ""
    line: Any = None


@dataclass(frozen=True, slots=True)
class Shown:
    """In how many replies; `last` is None for none."""

    found: int
    in_prompt: int
    last: datetime | None


def read_timeline(row: Memory | ProfileFact) -> list[TimelineEntry]:
    memory = row if isinstance(row, Memory) else None
    entries = [TimelineEntry(row.inserted_at, _("Stored"), str(row.origin))]
    if memory is not None:
        entries += _statements(memory)
        entries += _updates(memory)
    entries += _events(row)
    entries += _lines(row)
    if row.retired_at and row.retired_reason:
        text = RETIRED[Memory.RetiredReason(row.retired_reason)]
        entries.append(TimelineEntry(row.retired_at, text))
    return sorted(entries, key=lambda entry: entry.at)


def count_replies(row: Memory | ProfileFact) -> Shown:
    # Conversations are above; the receipts have no foreign key either.
    receipts = apps.get_model("conversations", "Receipt")
    found = receipts._default_manager.filter(  # noqa: SLF001 -- Django's name for it
        object_id=row.pk, kind__in=["memory", "profile_fact", "lore"]
    )
    counts = found.aggregate(
        found=Count("pk"),
        in_prompt=Count("pk", filter=Q(injected=True)),
        last=Max("message__created_at"),
    )
    return Shown(**counts)


def _statements(memory: Memory) -> Iterator[TimelineEntry]:
    told = memory.statements.all().standing().order_by("stated_at")
    for at in told.values_list("stated_at", flat=True)[1:]:
        yield TimelineEntry(at, _("Stated by another message, too"))


def _updates(memory: Memory) -> Iterator[TimelineEntry]:
    updates = MemoryUpdate.objects.filter(Q(old=memory) | Q(new=memory))
    for update in updates:
        if update.old_id == memory.pk:
            text = REPLACED.get(update.reason, _("Replaced by a newer one"))
            other = update.new_id
        elif update.old_id is not None:
            text, other = _("Took the place of another one"), update.old_id
        else:
            text, other = _("Made active again"), None
        yield TimelineEntry(update.created_at, text, update.reason, other)


def _events(row: Memory | ProfileFact) -> Iterator[TimelineEntry]:
    events = list(MemoryEvent.objects.of_owner(row))
    staff = _addresses(event.data.get("by") for event in events)
    for event in events:
        by = staff.get(str(event.data.get("by")), "")
        for text, other in _told(event, str(row.pk)):
            yield TimelineEntry(event.created_at, text, other=other, by=by)


def _lines(row: Memory | ProfileFact) -> Iterator[TimelineEntry]:
    """Lines under replies that name the row."""
    name = "memory" if isinstance(row, Memory) else "profile_fact"
    references = apps.get_model("conversations", "MemoryReference")._default_manager  # noqa: SLF001 -- Django's name for it
    named = references.filter(**{name: row}).exclude(message__line_kind="")
    for one in named.select_related("message__conversation"):
        text = SAID.get(one.message.line_kind, _("Named in a conversation"))
        yield TimelineEntry(one.message.created_at, text, line=one.message)


def _told(event: MemoryEvent, key: str) -> Iterator[tuple[Any, uuid.UUID | None]]:
    data = event.data
    if event.kind == Kind.REPAIR:
        keys = [data["memory"], data.get("target")]
        others = (uuid.UUID(one) for one in keys if one and one != key)
        yield REPAIRED[data["action"]], next(others, None)
    elif event.kind == Kind.FORGET:
        yield _forgotten(data), None
    elif event.kind == Kind.RESTORE:
        yield _("Restored at the user's request"), None
    for decision in data.get("decisions", []):
        text = DECIDED.get(decision["action"])
        if text and key in {decision["memory"], decision["target"]}:
            yield text, None


def _forgotten(data: Mapping[str, Any]) -> Any:
    if data.get("erased"):
        return _("Erased")
    return _("Retracted by staff") if "by" in data else _("Forgotten by the user")


def _addresses(keys: Iterable[Any]) -> dict[str, str]:
    found = User.objects.filter(pk__in={key for key in keys if key})
    return {str(user.pk): user.email for user in found}
