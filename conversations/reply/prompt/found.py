"""Summaries, messages and texts of files, as lines of a prompt."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from conversations.reply.prompt import prompts
from conversations.reply.prompt.facts import (
    EARLIER,
    FILES,
    LORE,
    RECENT_CONTEXT,
    SUMMARY,
    data_line,
)
from conversations.reply.prompt.sections import Section


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
    """`turns` is as in "turns 1-20"."""

    turns: str
    summary: str
    ended_on: date

    @property
    def line(self) -> str:
        return f"- {self.turns}: {data_line(self.summary)} ({self.ended_on})"


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


def found_sections(
    lore: Sequence[LoreLine],
    episodes: Sequence[EpisodeLine],
    earlier: Sequence[MessageLine],
) -> list[Section]:
    of_space = f"{prompts.LORE_HEADING}\n{prompts.LORE_LEAD}"
    context = f"{prompts.CONTEXT_HEADING}\n{prompts.CONTEXT_LEAD}"
    messages = f"{prompts.EARLIER_HEADING}\n{prompts.EARLIER_LEAD}"
    summaries = [episode.line for episode in episodes]
    lines = [message.line for message in earlier]
    return [
        Section("lore", of_space, [one.line for one in lore], LORE),
        Section("recent_context", context, summaries, RECENT_CONTEXT),
        Section("earlier", messages, lines, EARLIER),
    ]


def conversation_sections(
    summary: str, open_loops: Sequence[str], files: Sequence[FileLine]
) -> list[Section]:
    so_far = f"{prompts.SUMMARY_HEADING}\n{prompts.SUMMARY_LEAD}"
    attached = f"{prompts.FILES_HEADING}\n{prompts.FILES_LEAD}"
    told = [f"- {data_line(summary)}"] if summary else []
    told += [f"- {prompts.OPEN}: {data_line(loop)}" for loop in open_loops]
    lines = [file.line for file in files]
    shorter = [replace(file, text=file.excerpt or file.text).line for file in files]
    return [
        Section("summary", so_far, told, SUMMARY),
        Section("files", attached, lines, FILES, 1600, shorter),
    ]
