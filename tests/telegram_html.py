"""A reader of Telegram's HTML, as strict as Telegram."""

import re
from html import unescape

TAGS = frozenset(
    "a b blockquote code del em i ins pre s span strike strong tg-emoji tg-spoiler u".split()  # noqa: SIM905
)
MARKUP = re.compile(r"<(/?)([A-Za-z0-9-]*)([^<>]*)>|<")
ENTITY = re.compile(r"&(?:lt|gt|amp|quot|#\d{1,7}|#x[0-9a-fA-F]{1,6});")
MOST_BYTES = 9_500


class Unparsable(ValueError):
    """The reason that Telegram gives after "can't parse entities: "."""


def visible(html: str) -> str:
    """The visible text. Raises Unparsable."""
    text, opened, end = [], [], 0
    for found in MARKUP.finditer(html):
        text.append(_entities(html[end : found.start()]))
        end = found.end()
        closing, name = found[1], (found[2] or "").lower()
        if name not in TAGS:
            raise Unparsable(f'Unsupported start tag "{name}" at byte offset 0')
        if not closing:
            _check_attributes(name, found[3])
            opened.append(name)
        elif not opened or opened.pop() != name:
            raise Unparsable(f'Unmatched end tag "{name}" at byte offset 0')
    if opened:
        raise Unparsable(
            f'Can\'t find end tag corresponding to start tag "{opened[-1]}"'
        )
    return "".join([*text, _entities(html[end:])])


def weight(html: str) -> int:
    """Near what Telegram counts against its limit of formatting in bytes."""
    return sum(24 + len(m[3] or "") for m in MARKUP.finditer(html) if not m[1])


def _entities(text: str) -> str:
    return ENTITY.sub(lambda found: unescape(found[0]), text)


def _check_attributes(name: str, attributes: str) -> None:
    if attributes and not re.fullmatch(r'(\s+[a-z-]+="[^"]*")*\s*', attributes):
        raise Unparsable(f'Bad attributes of "{name}"')
