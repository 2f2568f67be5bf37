"""What became of the rows that recall weighed, in words."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from conversations.models import Receipt
from conversations.reply.finish import SECTION_OF
from conversations.reply.known_facts import KnownFacts
from memory.values import Recalled, Weighed

IN_PROMPT = _("in the prompt")
NO_ROOM = _("found, but the prompt has no room")
REPEATED = _("found, but others are better, or it repeats a fact or a retired one")
TOO_FAR = _("not found: too few shared words, and too far in meaning")
BELOW = _("not found: its score is below the gate")
NOT_BEST = _("passed the gate, but others are better")
CARRIED = _("in the prompt: the last reply used it")
BEST_OF_ALL = _("in the prompt: below the gate, but among the best")
SHELF_LABELS = {
    Receipt.Kind.MEMORY: _("Facts"),
    Receipt.Kind.PROFILE_FACT: _("User profile: less important"),
    Receipt.Kind.LORE: _("Lore"),
    Receipt.Kind.EPISODE: _("Summaries"),
    Receipt.Kind.MESSAGE: _("Messages"),
    Receipt.Kind.ATTACHMENT: _("Files"),
}
SCORE_PARTS = {
    "cosine": _("cosine"),
    "keyword": _("words"),
    "recency": _("recency"),
    "confidence": _("confidence"),
    "channel": _("channel"),
}


@dataclass(frozen=True, slots=True)
class WeighedRow:
    """`score` is None where nothing was weighed."""

    key: UUID
    text: str
    stated_at: datetime
    verdict: Any
    shown: bool
    score: float | None = None
    parts: Sequence[float | None] = ()


@dataclass(frozen=True, slots=True)
class WeighedShelf:
    """`parts` are the names of the signals of its rows."""

    kind: str
    label: Any
    rows: Sequence[WeighedRow]
    parts: Sequence[Any] = ()


def weighed_shelves(
    weighed: Mapping[str, Sequence[Weighed]],
    known: KnownFacts,
    used: Mapping[str, int],
) -> list[WeighedShelf]:
    """The rows of each shelf with what became of them; then what is not searched."""
    shelves = [_shelf(kind, rows, known, used) for kind, rows in weighed.items()]
    memory = Receipt.Kind.MEMORY
    facts = known.in_prompt(used)[0] if known.found.overview else ()
    for kind, label, shown in (
        (memory, _("All facts"), facts),
        (memory, _("Also in the prompt"), known.in_prompt(used)[1]),
    ):
        rows = [
            WeighedRow(i.memory_id, i.text, i.stated_at, "", shown=True) for i in shown
        ]
        shelves.append(WeighedShelf(kind, label, rows))
    profile = known.profile[: used.get("profile", 0)]
    lines = [
        WeighedRow(p.fact_id, p.text, p.stated_at, "", shown=True) for p in profile
    ]
    shelves.append(WeighedShelf(Receipt.Kind.PROFILE_FACT, _("User profile"), lines))
    return [shelf for shelf in shelves if shelf.rows]


def _shelf(
    kind: str,
    rows: Sequence[Weighed],
    known: KnownFacts,
    used: Mapping[str, int],
) -> WeighedShelf:
    names = [name for name in SCORE_PARTS if any(name in row.parts for row in rows)]
    verdicts = _Verdicts(kind, known, used)
    return WeighedShelf(
        kind,
        SHELF_LABELS[Receipt.Kind(kind)],
        [
            WeighedRow(
                row.item.memory_id,
                row.item.text,
                row.item.stated_at,
                verdicts.of(row),
                verdicts.is_shown(row),
                row.item.score,
                [row.parts.get(name) for name in names],
            )
            for row in rows
        ],
        [SCORE_PARTS[name] for name in names],
    )


class _Verdicts:
    def __init__(self, kind: str, known: KnownFacts, used: Mapping[str, int]) -> None:
        items: Sequence[Recalled]
        shown: Sequence[Recalled]
        self.memory = kind in {Receipt.Kind.MEMORY, Receipt.Kind.PROFILE_FACT}
        if self.memory:
            items, shown = known.found.items, known.in_prompt(used)[0]
        else:
            items = known.found.further.get(kind, ())
            shown = items[: used.get(SECTION_OF[kind], 0)]
        self.found = {item.memory_id for item in items}
        self.injected = {item.memory_id for item in shown}

    def is_shown(self, row: Weighed) -> bool:
        return row.item.memory_id in self.injected

    def of(self, row: Weighed) -> Any:
        key = row.item.memory_id
        if key in self.injected:
            if row.passed:
                return IN_PROMPT
            return CARRIED if row.carried else BEST_OF_ALL
        if key in self.found:
            return NO_ROOM
        if not (row.passed or row.carried):
            return BELOW if row.floor else TOO_FAR
        return NOT_BEST if self.memory else REPEATED


def keys_by_kind(shelves: Sequence[WeighedShelf]) -> Iterator[tuple[str, UUID]]:
    """All rows whose texts are listed."""
    for shelf in shelves:
        for row in shelf.rows:
            yield shelf.kind, row.key
