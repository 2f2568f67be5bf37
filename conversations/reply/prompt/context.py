"""From what is known to what the model reads: pure, in a fixed order, within a budget.

Order: persona, person, long-term memory, the instructions for the block,
today, the recent messages as chat turns. A section without content is left out, and what
does not fit the budget is left out whole, lowest first.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from conversations.reply.prompt import prompts
from meddie.ai.chat import ChatMessage
from meddie.ai.tokens import estimate

RECENT_MESSAGES = 20
"""User and assistant messages that go along (the original application's window)."""
CARRIED_MESSAGES = 30
"""Of the talk before a long pause, with the first message after it (S0-51)."""
PERSON_BUDGET = 3_500
"""Tokens; with those below and the fixed texts, about 12,000 for everything sent."""
FACTS_BUDGET = 1_500
HISTORY_BUDGET = 6_000


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One message of the past."""

    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Brief:
    """All that goes into a prompt. `history` ends with the message to answer; `kept`
    says whether facts of this conversation are remembered."""

    history: Sequence[HistoryLine]
    now: datetime
    person: str = ""
    facts: Sequence[str] = ()
    kept: bool = True


@dataclass(frozen=True, slots=True)
class Prompt:
    """The messages to send, and how many of the facts found room in them."""

    messages: list[ChatMessage]
    facts_used: int


def build(brief: Brief) -> Prompt:
    """Put the prompt together. `brief.now` is in the user's time zone."""
    facts = fitting(brief.facts, FACTS_BUDGET)
    person = shortened(brief.person, PERSON_BUDGET)
    system = "\n\n".join(
        section
        for section in (
            prompts.PERSONA,
            person,
            memory_section(facts),
            block_section(with_person=bool(person), kept=brief.kept),
            _today(brief.now),
        )
        if section
    )
    messages: list[ChatMessage] = [{"role": "system", "content": system}]
    messages += turns(brief.history)
    return Prompt(messages, len(facts))


def shortened(person: str, budget: int) -> str:
    """A person's section within so many tokens: who it is stays, then the shorter notes
    whole, and of longer ones the first lines that fit."""
    head, *notes = re.split(r"\n\n(?=### )", person)
    left = budget - estimate(head)
    kept = dict.fromkeys(range(len(notes)), "")
    shortest_first = sorted(kept, key=lambda index: len(notes[index]))
    for done, index in enumerate(shortest_first):
        kept[index] = _first_lines(notes[index], left // (len(notes) - done))
        left -= estimate(kept[index])
    return "\n\n".join([head, *filter(None, kept.values())])


def _first_lines(text: str, budget: int) -> str:
    lines = []
    for line in text.split("\n"):
        budget -= estimate(line) + 1
        if budget < 0:
            break
        lines.append(line)
    return "\n".join(lines)


def fitting(facts: Sequence[str], budget: int) -> list[str]:
    """The first facts, whole, that fit into so many tokens."""
    used = 0
    kept = []
    for fact in facts:
        used += estimate(fact) + 2
        if used > budget:
            break
        kept.append(one_line(fact))
    return kept


def one_line(text: str) -> str:
    """A remembered text as data: one line that opens no section, fence or list."""
    line = " ".join(text.split()).replace("```", "'''").replace("~~~", "---")
    return re.sub(r"^[#>\-*+`|\s]+", "", line)


def memory_section(facts: Sequence[str]) -> str:
    """`# Long-term Memory` with the facts, one a line; nothing where there are none."""
    if not facts:
        return ""
    lines = "\n".join(f"- {fact}" for fact in facts)
    return (
        f"{prompts.MEMORY_HEADING}\n\n"
        f"{prompts.FACTS_HEADING}\n{prompts.FACTS_LEAD}\n{lines}"
    )


def block_section(*, with_person: bool, kept: bool) -> str:
    """How to take notes; in every prompt, for blocks never stand in the history."""
    parts = [prompts.BLOCK]
    if with_person and kept:
        parts.append(prompts.PROFILE_KEY)
    end = prompts.NOTHING_TO_NOTE if kept else prompts.NOT_KEPT
    return "\n".join(parts) + "\n\n" + end


def _today(now: datetime) -> str:
    return prompts.today(f"{now:%Y-%m-%d}", f"{now:%A}", str(now.tzinfo))


def turns(history: Sequence[HistoryLine]) -> list[ChatMessage]:
    """The last messages that fit, oldest first, roles taking turns, the user first.

    Some providers refuse two messages of one role in a row (a failed reply leaves
    such), so neighbours are joined. The latest message is always there.
    """
    kept: list[HistoryLine] = []
    used = 0
    for said in reversed(history):
        used += estimate(said.text) + 4
        if kept and used > HISTORY_BUDGET:
            break
        kept.insert(0, said)
    while kept and kept[0].role != "user":
        kept.pop(0)
    messages: list[ChatMessage] = []
    for said in kept:
        if messages and messages[-1]["role"] == said.role:
            messages[-1]["content"] += f"\n\n{said.text}"
        else:
            messages.append({"role": said.role, "content": said.text})
    return messages
