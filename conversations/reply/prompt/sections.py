"""Sections of a prompt: their lines, which are data, under one token budget."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from math import inf

from conversations.reply.prompt import prompts
from meddie.ai.tokens import estimate
from meddie.quoting import data_line

# Priorities: recent messages are dropped first, then earlier ones.
SUMMARY, PROFILE, FACTS, FOUND, FILES, LORE, RECENT_CONTEXT, EARLIER, MESSAGES = (
    9, 8, 7, 6, 5, 4, 3, 2, 1,
)  # fmt: skip

REQUIRED = 100  # priority of sections that are never shortened
ITEM_OVERHEAD = 2  # tokens of a line break and a list marker


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and items, the most important first.

    `shorter` has a form of each item for where there is no room for it. With
    `ends_with_first` the items are written from the last to the first. `groups` has the
    heading of each item, under which it is then written.
    """

    key: str
    heading: str
    items: Sequence[str]
    priority: int = REQUIRED
    limit: int | None = None  # tokens
    shorter: Sequence[str] = ()
    ends_with_first: bool = False
    groups: Sequence[str] = ()

    @property
    def text(self) -> str:
        items = self.items[::-1] if self.ends_with_first else self.items
        if self.groups:
            items = list(self._grouped(items))
        return "\n".join(filter(None, [self.heading, *items]))

    def _grouped(self, items: Sequence[str]) -> Iterator[str]:
        headings = self.groups[: len(items)]
        if self.ends_with_first:
            headings = headings[::-1]
        by_heading: dict[str, list[str]] = {}
        for heading, item in zip(headings, items, strict=True):
            by_heading.setdefault(heading, []).append(item)
        order = list(by_heading)
        if self.ends_with_first:
            order.sort(key=lambda heading: prompts.PLACES.get(heading, 1))
        for heading in order:
            yield from (heading, *by_heading[heading])


def fit(sections: Sequence[Section], budget: int) -> list[Section]:
    """Drop the last items, lowest priority first, to fit `budget` tokens (decision 16)."""
    kept: dict[str, Section] = {}
    for section in sorted(sections, key=lambda section: section.priority, reverse=True):
        heading, room = estimate(section.heading), inf
        if section.priority < REQUIRED:
            room = budget if section.limit is None else min(budget, section.limit)
        items, tokens = leading(
            section.items, room - heading, section.shorter, section.groups
        )
        if items:
            kept[section.key] = replace(section, items=items)
            budget -= heading + tokens
    return [kept[section.key] for section in sections if section.key in kept]


def leading(
    items: Iterable[str],
    budget: float,
    shorter: Sequence[str] = (),
    groups: Sequence[str] = (),
) -> tuple[list[str], int]:
    """The first items that fit into `budget` tokens with their headings, and the tokens."""
    kept, tokens, headed = [], 0, set[str]()
    for number, whole in enumerate(items):
        above = [group for group in groups[number : number + 1] if group not in headed]
        for item in (whole, *shorter[number : number + 1]):
            cost = sum(estimate(line) + ITEM_OVERHEAD for line in (*above, item))
            if tokens + cost <= budget:
                break
        else:
            break
        tokens += cost
        headed.update(above)
        kept.append(item)
    return kept, tokens


@dataclass(frozen=True, slots=True)
class FactLine:
    """Evidence and confidence are shown if there is a confidence.

    `about` is the heading above it, `period` is when it is or was true, as in "until 2025-06",
    and `before` another dose that was: "75 µg until 2026-11-28".
    """

    text: str
    stated_on: date
    shared: bool = False
    confidence: float | None = None
    evidence: str = ""
    period: str = ""
    before: str = ""
    about: str = prompts.ABOUT_USER

    @property
    def line(self) -> str:
        when = f"{data_line(self.period)}: " if self.period else ""
        remark = prompts.SHARED if self.shared else f"stated {self.stated_on}"
        if self.before:
            remark += f", before: {data_line(self.before)}"
        if self.confidence is not None:
            remark += f", confidence {self.confidence:.2f}"
        if self.confidence is not None and (said := data_line(self.evidence)):
            remark += f", {prompts.EVIDENCE} {json.dumps(said, ensure_ascii=False)}"
        return f"- {when}{data_line(self.text)} ({remark})"


@dataclass(frozen=True, slots=True)
class MessageLine:
    text: str
    said_on: date
    by_user: bool

    @property
    def line(self) -> str:
        who = prompts.USER if self.by_user else prompts.ASSISTANT
        return f"- {self.said_on}, {who}: {data_line(self.text)}"


@dataclass(frozen=True, slots=True)
class EpisodeLine:
    """`turns` is as in "turns 1-20 of “Knee pain”"."""

    turns: str
    summary: str
    ended_on: date

    @property
    def line(self) -> str:
        turns = data_line(self.turns)
        return f"- {self.ended_on}, {turns}: {data_line(self.summary)}"


@dataclass(frozen=True, slots=True)
class LoreLine:
    text: str
    stated_on: date

    @property
    def line(self) -> str:
        return f"- {data_line(self.text)} ({self.stated_on})"


@dataclass(frozen=True, slots=True)
class FileLine:
    """`name` is as in "[image#A1]" or "[document#A2] page 3".

    `excerpt` is shown where there is no room for the text.
    """

    name: str
    text: str
    stated_on: date
    excerpt: str = ""

    @property
    def line(self) -> str:
        return f"- {data_line(self.name)}, {self.stated_on}: {data_line(self.text)}"


def most_facts(tokens: int) -> int:
    """How many facts fit at most."""
    shortest = FactLine("x", date.min).line
    return tokens // (estimate(shortest) + ITEM_OVERHEAD)


def known_sections(
    profile: Sequence[str],
    facts: Sequence[FactLine],
    *,
    by_date: bool,
    says_empty: bool,
) -> list[Section]:
    """`# Long-term Memory`, whose beginning stays as it is from turn to turn.

    Facts that are listed `by_date` are given the newest first, others the best first.
    `says_empty`: without a fact there is a sentence that says so.
    """
    lines = [f"- {data_line(text)}" for text in profile]
    listed, lead = [fact.line for fact in facts], f"\n{prompts.FACTS_LEAD}"
    if says_empty and not facts:
        listed, lead = [prompts.NO_FACTS], ""
    above = f"{prompts.MEMORY_HEADING}\n\n"
    about_user = f"{above}{prompts.PROFILE_HEADING}\n{prompts.PROFILE_LEAD}"
    heading = f"{'' if lines else above}{prompts.FACTS_HEADING}{lead}"
    return [
        Section("profile", about_user, lines, PROFILE),
        Section(
            "facts",
            heading,
            listed,
            FACTS,
            ends_with_first=by_date,
            groups=[fact.about for fact in facts],
        ),
    ]


def found_sections(
    facts: Sequence[FactLine],
    facts_lead: str,
    lore: Sequence[LoreLine],
    episodes: Sequence[EpisodeLine],
    earlier: Sequence[MessageLine],
    files: Sequence[FileLine],
) -> list[Section]:
    """What was found for a message."""
    beyond = f"{prompts.FACTS_HEADING}\n{facts_lead}"
    of_space = f"{prompts.LORE_HEADING}\n{prompts.LORE_LEAD}"
    context = f"{prompts.CONTEXT_HEADING}\n{prompts.CONTEXT_LEAD}"
    messages = f"{prompts.EARLIER_HEADING}\n{prompts.EARLIER_LEAD}"
    summaries = [episode.line for episode in episodes]
    lines = [message.line for message in earlier]
    attached = f"{prompts.FILES_HEADING}\n{prompts.FILES_LEAD}"
    texts = [file.line for file in files]
    shorter = [replace(file, text=file.excerpt or file.text).line for file in files]
    return [
        Section(
            "found",
            beyond,
            [fact.line for fact in facts],
            FOUND,
            groups=[fact.about for fact in facts],
        ),
        Section("lore", of_space, [item.line for item in lore], LORE),
        Section("recent_context", context, summaries, RECENT_CONTEXT),
        Section("earlier", messages, lines, EARLIER),
        Section("files", attached, texts, FILES, 1600, shorter),
    ]


def summary_section(summary: str, open_loops: Sequence[str]) -> Section:
    so_far = f"{prompts.SUMMARY_HEADING}\n{prompts.SUMMARY_LEAD}"
    told = [f"- {data_line(summary)}"] if summary else []
    told += [f"- {prompts.OPEN}: {data_line(loop)}" for loop in open_loops]
    return Section("summary", so_far, told, SUMMARY)
