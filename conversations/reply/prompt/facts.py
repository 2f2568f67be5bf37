"""The user's profile and remembered facts as lines of a prompt."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from conversations.reply.prompt import prompts
from conversations.reply.prompt.sections import ITEM_OVERHEAD, Section
from meddie.ai.tokens import estimate
from meddie.text import one_line

# Priorities: recent messages are dropped first, then earlier ones.
SUMMARY, PROFILE, FACTS, FILES, LORE, RECENT_CONTEXT, ALSO_KNOWN, EARLIER, MESSAGES = (
    9, 8, 7, 6, 5, 4, 3, 2, 1,
)  # fmt: skip


def data_line(text: str) -> str:
    """One line that opens no heading, list or fence."""
    line = one_line(text).replace("```", "'''").replace("~~~", "---")
    return line.lstrip("#>-*+`| ")


@dataclass(frozen=True, slots=True)
class FactLine:
    """Evidence and confidence are shown if there is a confidence."""

    text: str
    stated_on: date
    shared: bool = False
    confidence: float | None = None
    evidence: str = ""

    @property
    def line(self) -> str:
        remark = prompts.SHARED if self.shared else f"stated {self.stated_on}"
        if self.confidence is not None:
            remark += f", confidence {self.confidence:.2f}"
        if self.confidence is not None and (said := data_line(self.evidence)):
            remark += f", {prompts.EVIDENCE} {json.dumps(said, ensure_ascii=False)}"
        return f"- {data_line(self.text)} ({remark})"


def most_facts(tokens: int) -> int:
    """How many facts fit at most."""
    shortest = FactLine("x", date.min).line
    return tokens // (estimate(shortest) + ITEM_OVERHEAD)


def sections(
    profile: Sequence[str],
    found: Sequence[FactLine],
    others: Sequence[FactLine],
    limit: int,
    *,
    total: int,
    says_empty: bool,
) -> list[Section]:
    """The profile, the facts that a search found and, in `limit` tokens, what else is known.

    `says_empty`: without a fact there is a sentence that says so.
    """
    about_user = f"{prompts.PROFILE_HEADING}\n{prompts.PROFILE_LEAD}"
    lead = prompts.ALSO_KNOWN_LEAD if found else prompts.FACTS_LEAD
    also_known = f"{prompts.ALSO_KNOWN_HEADING}\n{lead}"
    lines = [f"- {data_line(text)}" for text in profile]
    listed = Section("facts", heading(len(found), total), _lines(found), FACTS)
    if says_empty and not (found or others):
        listed = Section("facts", prompts.FACTS_HEADING, [prompts.NO_FACTS], FACTS)
    return [
        Section("profile", about_user, lines, PROFILE),
        listed,
        Section("also_known", also_known, _lines(others), ALSO_KNOWN, limit=limit),
    ]


def heading(shown: int, total: int) -> str:
    """`total` is given for an overview only."""
    lead = prompts.overview(shown, total) if total else prompts.FACTS_LEAD
    return f"{prompts.FACTS_HEADING}\n{lead}"


def recounted(section: Section, found: int, total: int) -> Section:
    """The section of facts with the number of those that fit, if it has a number."""
    before, after = heading(found, total), heading(len(section.items), total)
    return replace(section, heading=section.heading.replace(before, after))


def opened(sections: Sequence[Section]) -> list[Section]:
    """The sections with `# Long-term Memory` above the first that has items."""
    first = next((one for one in sections if one.items), None)
    return [
        replace(one, heading=f"{prompts.MEMORY_HEADING}\n\n{one.heading}")
        if one is first
        else one
        for one in sections
    ]


def _lines(facts: Sequence[FactLine]) -> list[str]:
    return [fact.line for fact in facts]
