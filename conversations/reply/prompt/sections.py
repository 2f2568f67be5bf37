"""Sections of a prompt under one token budget."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from meddie.ai.tokens import estimate

REQUIRED = 100  # priority of sections that are never shortened
ITEM_OVERHEAD = 2  # tokens of a line break and a list marker


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and items, the most important first."""

    key: str
    heading: str
    items: Sequence[str]
    priority: int = REQUIRED
    limit: int | None = None  # tokens

    @property
    def text(self) -> str:
        return "\n".join(filter(None, [self.heading, *self.items]))


def fit(sections: Sequence[Section], budget: int) -> list[Section]:
    """Drop the last items, lowest priority first, to fit `budget` tokens."""
    kept: dict[str, Section] = {}
    for section in sorted(sections, key=lambda one: one.priority, reverse=True):
        if section.priority < REQUIRED:
            room = budget if section.limit is None else min(budget, section.limit)
            room -= estimate(section.heading)
            section = replace(section, items=leading(section.items, room))  # noqa: PLW2901 -- the shortened one
        if section.items:
            kept[section.key] = section
            budget -= estimate(section.heading) + sum(map(_cost, section.items))
    return [kept[section.key] for section in sections if section.key in kept]


def leading(items: Iterable[str], budget: int) -> list[str]:
    """The first items that fit into `budget` tokens."""
    kept = []
    for item in items:
        budget -= _cost(item)
        if budget < 0:
            break
        kept.append(item)
    return kept


def _cost(item: str) -> int:
    return estimate(item) + ITEM_OVERHEAD
