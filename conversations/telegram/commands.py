"""Commands: the whole message, to the letter. `/newsletter` is talk, not `/new`."""

import re
from dataclasses import dataclass

COMMAND = re.compile(
    r"/(start|help|new)(?:@(\w{1,64}))?(?:[ \n]+([A-Za-z0-9_-]{1,64}))?"
)


@dataclass(frozen=True, slots=True)
class Command:
    """`start`, `help` or `new`; `code` comes with a deep link's start."""

    name: str
    code: str = ""


def parse(text: str, username: str) -> Command | None:
    """The command that the message is; None for talk, and for other bots' commands."""
    match = COMMAND.fullmatch(text.strip())
    if match is None:
        return None
    name, bot, code = match.groups()
    if bot and bot.lower() != username.lower():
        return None
    if code and name != "start":
        return None
    return Command(name, code or "")
