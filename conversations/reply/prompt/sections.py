"""Sections of a prompt under one token budget. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from meddie.ai.tokens import estimate

REQUIRED = 100
"""The priority of a section that is never shortened."""
ITEM_OVERHEAD = 2
"""Tokens around an item: a line break, a list marker."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the prompt: a heading and items, the most important item first."""

    key: str
    heading: str
    items: Sequence[str]
    priority: int = REQUIRED

    @property
    def text(self) -> str:
        """The section as it is sent."""
        return "\n".join(filter(None, [self.heading, *self.items]))


def fit(sections: Sequence[Section], budget: int) -> list[Section]:
    """Drop whole items from the end of sections, lowest priority first, until they fit.

    Required sections are kept even above the budget, in tokens. Keeps the order; leaves
    out sections without items.
    """
    kept: dict[str, Section] = {}
    for section in sorted(sections, key=lambda one: one.priority, reverse=True):
        if section.priority < REQUIRED:
            room = budget - estimate(section.heading)
            section = replace(section, items=leading(section.items, room))  # noqa: PLW2901 -- the shortened one
        if section.items:
            kept[section.key] = section
            budget -= estimate(section.heading) + sum(map(_cost, section.items))
    return [kept[section.key] for section in sections if section.key in kept]


def leading(items: Iterable[str], budget: int) -> list[str]:
    """The first items that fit into so many tokens."""
    kept = []
    for item in items:
        budget -= _cost(item)
        if budget < 0:
            break
        kept.append(item)
    return kept


def _cost(item: str) -> int:
    return estimate(item) + ITEM_OVERHEAD
