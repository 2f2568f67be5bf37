"""Summaries and messages that a search found, as lines of a prompt."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from conversations.reply.prompt import prompts
from conversations.reply.prompt.facts import EARLIER, RECENT_CONTEXT, data_line
from conversations.reply.prompt.sections import Section

LONGEST_LINE = 600  # characters of a text
EARLIER_LIMIT = 1500  # tokens


@dataclass(frozen=True, slots=True)
class MessageLine:
    text: str
    said_on: date
    by_user: bool

    @property
    def line(self) -> str:
        who = prompts.USER if self.by_user else prompts.ASSISTANT
        return f"- {self.said_on}, {who}: {shortened_line(self.text)}"


@dataclass(frozen=True, slots=True)
class EpisodeLine:
    """`turns` is as in "turns 1-20"."""

    turns: str
    summary: str
    ended_on: date

    @property
    def line(self) -> str:
        return f"- {self.turns}: {shortened_line(self.summary)} ({self.ended_on})"


def shortened_line(text: str) -> str:
    line = data_line(text)
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE].rstrip()}…"


def found_sections(
    episodes: Sequence[EpisodeLine], earlier: Sequence[MessageLine]
) -> list[Section]:
    context = f"{prompts.CONTEXT_HEADING}\n{prompts.CONTEXT_LEAD}"
    messages = f"{prompts.EARLIER_HEADING}\n{prompts.EARLIER_LEAD}"
    summaries = [episode.line for episode in episodes]
    lines = [message.line for message in earlier]
    return [
        Section("recent_context", context, summaries, RECENT_CONTEXT),
        Section("earlier", messages, lines, EARLIER, limit=EARLIER_LIMIT),
    ]
