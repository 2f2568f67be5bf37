"""Commands are whole messages: `/newsletter` is not `/new`."""

import re
from dataclasses import dataclass

COMMAND = re.compile(
    r"/(start|help|new)(?:@(\w{1,64}))?(?:[ \n]+([A-Za-z0-9_-]{1,64}))?"
)


@dataclass(frozen=True, slots=True)
class Command:
    """`start`, `help` or `new`; `code` comes from a deep link."""

    name: str
    code: str = ""


def parse_command(text: str, username: str) -> Command | None:
    """None for other text and other bots' commands."""
    match = COMMAND.fullmatch(text.strip())
    if match is None:
        return None
    name, bot, code = match.groups()
    if bot and bot.lower() != username.lower():
        return None
    if code and name != "start":
        return None
    return Command(name, code or "")
