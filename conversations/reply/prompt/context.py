"""Build the prompt of a turn. Identical input gives identical bytes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
from meddie.quoting import data_line

MOST_MESSAGES = 40  # while the messages before the last ones wait for their summary
CARRIED_MESSAGES = 30  # in a conversation that carries an earlier one over (S0-51)


@dataclass(frozen=True, slots=True)
class HistoryLine:
    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Brief:
    """`history` ends with the message to answer; `now` is in the user's time zone."""

    history: Sequence[HistoryLine]
    now: datetime
    person: str = ""
    facts: Sequence[FactLine] = ()
    also_known: Sequence[FactLine] = ()
    also_known_tokens: int = 0
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


@dataclass(frozen=True, slots=True)
class Prompt:
    """Messages, and the number of items per section."""

    messages: list[ChatMessage]
    used: Mapping[str, int]


def build(brief: Brief, budget: int) -> Prompt:
    """Build messages of at most `budget` tokens, but keep the message to answer."""
    fitted = _fitted(brief, budget)
    used = _used(fitted)
    system = _joined([one for one in fitted if one.key != "messages"], brief)
    recent = brief.history[-max(used.get("messages", 0), 1) :]
    messages: list[ChatMessage] = [{"role": "system", "content": system}]
    return Prompt(messages + as_turns(recent), used)


def _fitted(brief: Brief, budget: int) -> list[Section]:
    newest_first = [line.text for line in reversed(brief.history)]
    person = brief.person and shortened(brief.person, int(0.3 * budget))
    lines = [f"- {data_line(sentence)}" for sentence in brief.emergency]
    emergency = ["\n".join([prompts.EMERGENCY, *lines])] if lines else []
    now = brief.now
    today = prompts.today(f"{now:%Y-%m-%d}", f"{now:%A}", str(now.tzinfo))
    sections = [
        Section("persona", "", [prompts.PERSONA]),
        Section("person", "", [person] if person else []),
        *_memory(brief, budget),
        Section("block", "", [_block_instructions(brief)]),
        Section("emergency", "", emergency),
        Section("today", "", [today]),
        Section("messages", "", newest_first, MESSAGES),
    ]
    return fit(sections, budget)


def memory_part(brief: Brief, budget: int) -> tuple[str, Mapping[str, int]]:
    """What `build` makes of memory, and the number of items per section."""
    fitted = _fitted(brief, budget)
    remembered = {section.key for section in _memory(brief, budget)}
    part = [section for section in fitted if section.key in remembered]
    return _joined(part, brief), _used(fitted)


def build_memory(brief: Brief, budget: int) -> tuple[str, Mapping[str, int]]:
    """`# Long-term Memory` alone, maybe empty, and the number of items per section."""
    fitted = _memory(brief, budget)
    return _joined(fitted, brief), _used(fitted)


def _memory(brief: Brief, budget: int) -> list[Section]:
    """What is remembered, within its part of the budget; an overview may fill all."""
    listed = sections.fact_sections(
        brief.profile,
        brief.facts,
        brief.also_known,
        brief.also_known_tokens,
        total=brief.total,
        says_empty=brief.says_empty,
    )
    listed += sections.found_sections(brief.lore, brief.episodes, brief.earlier)
    listed = sections.opened(listed)
    listed += sections.conversation_sections(
        brief.summary, brief.open_loops, brief.files
    )
    within = budget if brief.total else min(budget, brief.context_tokens)
    return fit(listed, within)


def _used(fitted: Sequence[Section]) -> Mapping[str, int]:
    return {section.key: len(section.items) for section in fitted}


def _joined(fitted: Sequence[Section], brief: Brief) -> str:
    return "\n\n".join(
        sections.recounted(one, len(brief.facts), brief.total).text
        if one.key == "facts"
        else one.text
        for one in fitted
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
    keys = [
        key.instructions
        for key in KEYS
        if key.instructions
        and (brief.remember or not key.needs_memory)
        and (brief.person or not key.needs_person)
        and (brief.keeps_lore or not key.needs_lore)
    ]
    end = prompts.NOTHING_TO_NOTE if brief.remember else prompts.NOT_KEPT
    return "\n".join([prompts.BLOCK, *keys]) + "\n\n" + end


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
