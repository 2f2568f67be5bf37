"""Make text from outside storable and safe, and tell whether it shows anything."""

import html
import re
import unicodedata
from collections.abc import Sequence
from operator import itemgetter

from django.utils.translation import gettext as _

LAYOUT = "\t\n\r"
JOINERS = "\u200c\u200d"
SURROGATES = re.compile("[\ud800-\udfff]")  # of an emoji that a client has cut
REPLACEMENT = "\ufffd"
NUMBERED = re.compile(r"^([ \t]*\d{1,9})([.)])", re.MULTILINE)  # a list in Markdown
MARKUP = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]#|~$^"})


def storable(text: str) -> str:
    """Drop control characters; U+FFFD takes the place of half a character."""
    if text.isprintable():
        return text
    return "".join(
        character
        for character in SURROGATES.sub(REPLACEMENT, text)
        if character in LAYOUT or unicodedata.category(character) != "Cc"
    )


def one_line(text: str) -> str:
    """NFC, white space collapsed, no invisible characters."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    visible = "".join(map(_visible, SURROGATES.sub(REPLACEMENT, text)))
    return " ".join(unicodedata.normalize("NFC", visible).split())


def plain_name(text: str) -> str:
    """Without the white space of HTTP alone: two never become one. Raises ValueError."""
    name = text.strip(" \t")
    if not name.isprintable() or REPLACEMENT in name:
        raise ValueError(_("it has characters that cannot be printed"))
    return name


def markdown_escaped(text: str) -> str:
    """Text that Markdown shows as it is: no link, picture, tag or numbered list."""
    escaped = html.escape(text, quote=False).translate(MARKUP)
    return NUMBERED.sub(r"\1\\\2", escaped)


def is_invisible(text: str) -> bool:
    return all(
        character.isspace() or unicodedata.category(character)[0] == "C"
        for character in text
    )


def _visible(character: str) -> str:
    if character.isspace():
        return " "
    if character in JOINERS:
        return character
    return "" if unicodedata.category(character) in {"Cc", "Cf"} else character


def without_spans(text: str, spans: Sequence[Sequence[int]]) -> str:
    """The rest of a text. A span is where a part begins and ends; they may overlap."""
    kept, place = [], 0
    for start, end in sorted(spans, key=itemgetter(0)):
        kept.append(text[place:start])
        place = max(place, end)
    return "".join([*kept, text[place:]]).strip()
