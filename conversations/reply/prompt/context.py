"""Build the prompt of a turn. Identical input gives identical bytes."""

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, cast

from conversations.reply.block.keys import KEYS
from conversations.reply.prompt import prompts, sections
from conversations.reply.prompt.sections import (
    MESSAGES,
    EpisodeLine,
    FactLine,
    FileLine,
    LoreLine,
    MessageLine,
    Section,
    fit,
    leading,
)
from meddie.ai.events import ChatMessage
from meddie.ai.tokens import estimate
from meddie.quoting import data_line, quoted

MOST_MESSAGES = 40  # while the messages before the last ones wait for their summary
CARRIED_MESSAGES = 30  # in a conversation that carries an earlier one over (S0-51)
# Sections of what is remembered, and those that come with the message to answer.
FOUND_SECTIONS = frozenset(
    {"named", "found", "lore", "recent_context", "earlier", "files", "overview"}
)
MEMORY_SECTIONS = FOUND_SECTIONS | {"profile", "facts", "summary"}
ADDED_SECTIONS = FOUND_SECTIONS | {"added", "today", "emergency", "message"}


@dataclass(frozen=True, slots=True)
class HistoryLine:
    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Brief:
    """`history` ends with the message to answer; `now` is in the user's time zone."""

    history: Sequence[HistoryLine]
    now: datetime
    instructions: str = ""  # the user's own, about answers
    person: str = ""
    named: str = ""  # notes on another person, whom the message asks about
    facts: Sequence[FactLine] = ()
    by_date: bool = True  # whether `facts` are the newest, the last first
    found: Sequence[FactLine] = ()  # for the message, beside `facts`
    profile: Sequence[str] = ()  # lines, the most important first
    total: int = 0  # facts in all, for an overview
    says_empty: bool = False
    lore: Sequence[LoreLine] = ()
    episodes: Sequence[EpisodeLine] = ()
    earlier: Sequence[MessageLine] = ()
    summary: str = ""  # of the conversation so far
    open_loops: Sequence[str] = ()
    files: Sequence[FileLine] = ()
    context_tokens: int = 4000
    remember: bool = True
    keeps_lore: bool = False
    emergency: Sequence[str] = ()  # sentences of the message to answer
    short: bool = False  # instructions, for a small model


@dataclass(frozen=True, slots=True)
class Prompt:
    """Messages, and the number of items per section."""

    messages: list[ChatMessage]
    used: Mapping[str, int]


def build(brief: Brief, budget: int) -> Prompt:
    """Build messages of at most `budget` tokens, but keep the message to answer.

    They begin with what changes least, and end with what was found for the message:
    providers charge less for a beginning that they know from the last call.
    """
    fitted = _fitted(brief, budget)
    used = _used(fitted)
    *before, last = brief.history[-max(used.get("messages", 0), 1) :]
    added = _joined(brief, fitted, ADDED_SECTIONS)
    turns = as_turns([*before, replace(last, text=f"{added}\n\n{last.text}")])
    system = _joined(brief, fitted, used.keys() - ADDED_SECTIONS - {"messages"})
    return Prompt([{"role": "system", "content": system}, *turns], used)


def _fitted(brief: Brief, budget: int) -> list[Section]:
    newest_first = [line.text for line in reversed(brief.history)]
    wishes = quoted(brief.instructions)
    person = brief.person and shortened(brief.person, int(0.3 * budget))
    lines = [f"- {data_line(sentence)}" for sentence in brief.emergency]
    emergency = ["\n".join([prompts.EMERGENCY, *lines])] if lines else []
    persona = prompts.SHORT_PERSONA if brief.short else prompts.PERSONA
    memory = _memory(brief, budget)
    found = [section for section in memory if section.key in FOUND_SECTIONS]
    sections = [
        Section("persona", "", [persona]),
        Section("instructions", prompts.INSTRUCTIONS, [wishes] if wishes else []),
        Section("person", "", [person] if person else []),
        *(section for section in memory if section.key in {"profile", "facts"}),
        Section("block", "", [_block_instructions(brief)]),
        *(section for section in memory if section.key == "summary"),
        Section("messages", "", newest_first, MESSAGES),
        *_added(brief, [*found, Section("emergency", "", emergency)]),
    ]
    return fit(sections, budget)


def memory_part(brief: Brief, budget: int) -> tuple[str, Mapping[str, int]]:
    """What `build` makes of memory, and the number of items per section."""
    fitted = _fitted(brief, budget)
    return _joined(brief, fitted, MEMORY_SECTIONS), _used(fitted)


def build_memory(brief: Brief, budget: int) -> tuple[str, str, Mapping[str, int]]:
    """What a client's system message and its last message are given, maybe empty.

    And the number of items per section.
    """
    fitted = _memory(brief, budget)
    found = [section for section in fitted if section.key in FOUND_SECTIONS]
    known = [section for section in fitted if section.key not in FOUND_SECTIONS]
    whole = [*known, *_added(brief, found)]
    added = _joined(brief, whole, ADDED_SECTIONS) if found else ""
    return _joined(brief, whole, MEMORY_SECTIONS - FOUND_SECTIONS), added, _used(fitted)


def _added(brief: Brief, found: Sequence[Section]) -> list[Section]:
    """What comes with the message to answer, until its text."""
    return [
        Section("added", "", [prompts.ADDED]),
        *found,
        Section("today", "", [prompts.today(brief.now)]),
        Section("message", "", [prompts.MESSAGE]),
    ]


def _memory(brief: Brief, budget: int) -> list[Section]:
    """What is remembered, within its part of the budget; an overview may fill all."""
    overview = [prompts.overview(brief.total, brief.total)] if brief.total else []
    lead = prompts.FOUND_LEAD if brief.facts else prompts.FACTS_LEAD
    within = budget if brief.total else min(budget, brief.context_tokens)
    named = brief.named and shortened(brief.named, int(0.3 * within))
    listed = [
        *sections.known_sections(
            brief.profile,
            brief.facts,
            by_date=brief.by_date,
            says_empty=brief.says_empty and not brief.found,
        ),
        sections.summary_section(brief.summary, brief.open_loops),
        Section("named", "", [named] if named else [], sections.FACTS),
        *sections.found_sections(
            brief.found, lead, brief.lore, brief.episodes, brief.earlier, brief.files
        ),
        Section("overview", "", overview),
    ]
    return fit(listed, within)


def _used(fitted: Sequence[Section]) -> Mapping[str, int]:
    return {section.key: len(section.items) for section in fitted}


def _joined(brief: Brief, fitted: Sequence[Section], keys: Set[str]) -> str:
    """These sections, and in an overview the number of facts that fit."""
    used = _used(fitted)
    shown = sum(used.get(key, 0) for key in ("profile", "facts", "found"))
    return "\n\n".join(
        prompts.overview(shown, brief.total)
        if section.key == "overview"
        else section.text
        for section in fitted
        if section.key in keys
    )


def shortened(person: str, budget: int) -> str:
    """Shorten the longest notes of a person's section to `budget` tokens."""
    head, *notes = re.split(r"\n\n(?=### )", person)
    left = budget - estimate(head)
    kept = dict.fromkeys(range(len(notes)), "")
    shortest_first = sorted(kept, key=lambda index: len(notes[index]))
    for done, index in enumerate(shortest_first):
        room = left // (len(notes) - done)
        lines, _ = leading(notes[index].split("\n"), room)
        kept[index] = "\n".join(lines)
        left -= estimate(kept[index])
    return "\n\n".join([head, *filter(None, kept.values())])


def _block_instructions(brief: Brief) -> str:
    # In every prompt, because the history contains no block.
    block = prompts.SHORT_BLOCK if brief.short else prompts.BLOCK
    keys = [
        key.short if brief.short else key.instructions
        for key in KEYS
        if key.instructions
        and (brief.remember or not key.needs_memory)
        and (brief.person or not key.needs_person)
        and (brief.keeps_lore or not key.needs_lore)
    ]
    end = prompts.NOTHING_TO_NOTE if brief.remember else prompts.NOT_KEPT
    return "\n".join([block, *keys]) + "\n\n" + end


def as_turns(history: Sequence[HistoryLine]) -> list[ChatMessage]:
    """Alternating roles, the user's first."""
    first = next((i for i, line in enumerate(history) if line.role == "user"), 0)
    messages: list[ChatMessage] = []
    for line in history[first:]:
        # Some providers refuse two messages of one role in a row.
        if messages and messages[-1]["role"] == line.role:
            messages[-1]["content"] += f"\n\n{line.text}"
        else:
            messages.append({"role": line.role, "content": line.text})
    return messages


def with_pictures(
    messages: list[ChatMessage], pictures: Sequence[str]
) -> list[ChatMessage]:
    """With addresses of data in the last message."""
    if not pictures:
        return messages
    parts: list[object] = [{"type": "text", "text": messages[-1]["content"]}]
    parts += [{"type": "image_url", "image_url": {"url": url}} for url in pictures]
    last = cast("ChatMessage", {"role": "user", "content": parts})
    return [*messages[:-1], last]
