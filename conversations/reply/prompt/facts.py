"""Remembered facts as lines of a prompt."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from conversations.reply.prompt import prompts
from conversations.reply.prompt.sections import ITEM_OVERHEAD, Section
from meddie.ai.tokens import estimate
from meddie.text import one_line

# Priorities: messages are dropped first, then what no search found.
FACTS, ALSO_KNOWN, MESSAGES = 3, 2, 1


def data_line(text: str) -> str:
    """One line that opens no heading, list or fence."""
    line = one_line(text).replace("```", "'''").replace("~~~", "---")
    return line.lstrip("#>-*+`| ")


@dataclass(frozen=True, slots=True)
class FactLine:
    text: str
    stated_on: date

    @property
    def line(self) -> str:
        return f"- {data_line(self.text)} (stated {self.stated_on})"


def most_facts(tokens: int) -> int:
    """How many facts fit at most."""
    shortest = FactLine("x", date.min).line
    return tokens // (estimate(shortest) + ITEM_OVERHEAD)


def sections(
    found: Sequence[FactLine], others: Sequence[FactLine], limit: int, *, total: int
) -> list[Section]:
    """The facts that a search found and, in `limit` tokens, what else is known."""
    lead = prompts.ALSO_KNOWN_LEAD if found else prompts.FACTS_LEAD
    also_known = f"{prompts.ALSO_KNOWN_HEADING}\n{lead}"
    if not found:
        also_known = f"{prompts.MEMORY_HEADING}\n\n{also_known}"
    return [
        Section("facts", heading(len(found), total), _lines(found), FACTS),
        Section("also_known", also_known, _lines(others), ALSO_KNOWN, limit=limit),
    ]


def heading(shown: int, total: int) -> str:
    """`total` is given for an overview only."""
    lead = prompts.overview(shown, total) if total else prompts.FACTS_LEAD
    return f"{prompts.MEMORY_HEADING}\n\n{prompts.FACTS_HEADING}\n{lead}"


def _lines(facts: Sequence[FactLine]) -> list[str]:
    return [fact.line for fact in facts]
