"""A part of the page, and tables for it. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under a heading, and the drawings below it by name."""

    title: str
    text: str
    drawings: Mapping[str, str] = field(default_factory=dict)


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown; all but the first column are figures."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def ms(value: float) -> str:
    """Milliseconds, as exactly as they deserve."""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}"
