"""Build the prompt of a turn from what is known. Pure: identical input, identical bytes.

Order: persona, person, long-term memory, block instructions, date, recent messages.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from conversations.reply.block.keys import KEYS
from conversations.reply.prompt import prompts
from conversations.reply.prompt.sections import Section, fit, leading
from meddie.ai.chat import ChatMessage
from meddie.ai.tokens import estimate
from meddie.text import one_line

RECENT_MESSAGES = 20
"""User and assistant messages in the prompt, the original application's window."""
CARRIED_MESSAGES = 30
"""The same in a conversation that carries an earlier one over (S0-51)."""
FACTS, MESSAGES = 2, 1
"""Priorities: a long conversation loses its oldest messages before any fact."""
PERSON_SHARE = 0.3
"""The part of the budget that a person's notes may take."""


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One message of the conversation."""

    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Brief:
    """What goes into a prompt.

    `history` ends with the message to answer, `now` is in the user's time zone, and
    `kept` says whether the conversation is remembered.
    """

    history: Sequence[HistoryLine]
    now: datetime
    person: str = ""
    facts: Sequence[str] = ()
    kept: bool = True


@dataclass(frozen=True, slots=True)
class Prompt:
    """The messages to send, and how many items of each section they hold."""

    messages: list[ChatMessage]
    used: Mapping[str, int]


def build(brief: Brief, budget: int) -> Prompt:
    """Put the prompt together within `budget` tokens.

    The message to answer, the person's name and the instructions are kept in any case.
    """
    newest_first = [line.text for line in reversed(brief.history)]
    sections = [
        Section("persona", "", [prompts.PERSONA]),
        Section("person", "", _person(brief.person, int(PERSON_SHARE * budget))),
        Section("facts", _facts_heading(), list(map(_fact, brief.facts)), FACTS),
        Section("block", "", [_block_instructions(brief)]),
        Section("today", "", [_today(brief.now)]),
        Section("messages", "", newest_first, MESSAGES),
    ]
    fitted = fit(sections, budget)
    used = {section.key: len(section.items) for section in fitted}
    system = "\n\n".join(one.text for one in fitted if one.key != "messages")
    recent = brief.history[-max(used.get("messages", 0), 1) :]
    messages: list[ChatMessage] = [{"role": "system", "content": system}]
    return Prompt(messages + as_turns(recent), used)


def data_line(text: str) -> str:
    """A remembered text as one line that opens no heading, list or fence."""
    line = one_line(text).replace("```", "'''").replace("~~~", "---")
    return line.lstrip("#>-*+`| ")


def _fact(text: str) -> str:
    return f"- {data_line(text)}"


def _facts_heading() -> str:
    memory, facts = prompts.MEMORY_HEADING, prompts.FACTS_HEADING
    return f"{memory}\n\n{facts}\n{prompts.FACTS_LEAD}"


def _person(person: str, budget: int) -> list[str]:
    return [shortened(person, budget)] if person else []


def shortened(person: str, budget: int) -> str:
    """A person's section in so many tokens: the head, short notes whole, and the first
    lines of longer notes."""
    head, *notes = re.split(r"\n\n(?=### )", person)
    left = budget - estimate(head)
    kept = dict.fromkeys(range(len(notes)), "")
    shortest_first = sorted(kept, key=lambda index: len(notes[index]))
    for done, index in enumerate(shortest_first):
        room = left // (len(notes) - done)
        kept[index] = "\n".join(leading(notes[index].split("\n"), room))
        left -= estimate(kept[index])
    return "\n\n".join([head, *filter(None, kept.values())])


def _block_instructions(brief: Brief) -> str:
    """How to take notes; in every prompt, as the history never contains a block."""
    keys = [
        key.instructions
        for key in KEYS
        if key.instructions
        and (brief.kept or not key.needs_memory)
        and (brief.person or not key.needs_person)
    ]
    end = prompts.NOTHING_TO_NOTE if brief.kept else prompts.NOT_KEPT
    return "\n".join([prompts.BLOCK, *keys]) + "\n\n" + end


def _today(now: datetime) -> str:
    return prompts.today(f"{now:%Y-%m-%d}", f"{now:%A}", str(now.tzinfo))


def as_turns(history: Sequence[HistoryLine]) -> list[ChatMessage]:
    """Messages with alternating roles that begin with the user's.

    Some providers refuse two messages of one role in a row, which a failed reply leaves,
    so these are joined.
    """
    first = next((i for i, line in enumerate(history) if line.role == "user"), 0)
    messages: list[ChatMessage] = []
    for line in history[first:]:
        if messages and messages[-1]["role"] == line.role:
            messages[-1]["content"] += f"\n\n{line.text}"
        else:
            messages.append({"role": line.role, "content": line.text})
    return messages
