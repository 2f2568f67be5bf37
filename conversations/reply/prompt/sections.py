"""Sections of a prompt under one token budget."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf

from meddie.ai.tokens import estimate

REQUIRED = 100  # priority of sections that are never shortened
ITEM_OVERHEAD = 2  # tokens of a line break and a list marker


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and items, the most important first.

    `shorter` has a form of each item for where there is no room for it.
    """

    key: str
    heading: str
    items: Sequence[str]
    priority: int = REQUIRED
    limit: int | None = None  # tokens
    shorter: Sequence[str] = ()

    @property
    def text(self) -> str:
        return "\n".join(filter(None, [self.heading, *self.items]))


def fit(sections: Sequence[Section], budget: int) -> list[Section]:
    """Drop the last items, lowest priority first, to fit `budget` tokens (decision 16)."""
    kept: dict[str, Section] = {}
    for section in sorted(sections, key=lambda one: one.priority, reverse=True):
        heading, room = estimate(section.heading), inf
        if section.priority < REQUIRED:
            room = budget if section.limit is None else min(budget, section.limit)
        items, tokens = leading(section.items, room - heading, section.shorter)
        if items:
            kept[section.key] = replace(section, items=items)
            budget -= heading + tokens
    return [kept[section.key] for section in sections if section.key in kept]


def leading(
    items: Iterable[str], budget: float, shorter: Sequence[str] = ()
) -> tuple[list[str], int]:
    """The first items that fit into `budget` tokens, and their tokens."""
    kept, tokens = [], 0
    for number, whole in enumerate(items):
        for item in (whole, *shorter[number : number + 1]):
            cost = estimate(item) + ITEM_OVERHEAD
            if tokens + cost <= budget:
                break
        else:
            break
        tokens += cost
        kept.append(item)
    return kept, tokens
