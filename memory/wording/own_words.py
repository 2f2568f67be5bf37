"""The user's own words of a text, and the text with another's words marked as such."""

import re
from collections.abc import Callable, Sequence
from operator import itemgetter

from meddie.quoting import data_line, quoted
from meddie.text import without_spans
from memory.wording.quoted_parts import LEFT_OUT, quoted_parts

QUOTED = "The user quotes another's words:"
FORWARDED = "The user forwards what {} wrote:"
REPLIED = "The user replies to what {} wrote:"
REPLIED_OWN = "The user replies to their own message:"
FENCED = re.compile(r"^\s*[`~]")


def own_words(text: str, left_out: Sequence[Sequence[int]] = ()) -> str:
    """The text without another's words, and without what is between other places.

    "…" stays where a colon introduces another's words.
    """
    return _without(text, left_out, lambda _quoted, introduced: LEFT_OUT * introduced)


def marked_words(
    text: str, forwarded_from: str = "", left_out: Sequence[Sequence[int]] = ()
) -> str:
    """The text for a model, with another's words as quoted data, code as it is."""
    if forwarded_from:
        told = without_spans(text, left_out)
        return f"{FORWARDED.format(data_line(forwarded_from))}\n{quoted(told)}"
    return _without(text, left_out, lambda part, _introduced: _mark(part))


def after_quote(text: str, quote: str, quoted_from: str) -> str:
    """The text for a model, after what it replies to; the user's own without a name."""
    if not quote:
        return text
    whose = REPLIED.format(data_line(quoted_from)) if quoted_from else REPLIED_OWN
    return f"{whose}\n{quoted(quote)}\n\n{text}".strip()


def _mark(part: str) -> str:
    lines = quoted(part)
    return part if FENCED.match(part) or not lines else f"\n{QUOTED}\n{lines}\n"


def _without(
    text: str,
    left_out: Sequence[Sequence[int]],
    replaced: Callable[[str, bool], str],
) -> str:
    kept, place = [], 0
    for start, end in quoted_parts(text):
        introduced = text[place:start].rstrip().endswith((":", "："))
        part = _rest(text, start, end, left_out)
        kept += [_rest(text, place, start, left_out), replaced(part, introduced), "\n"]
        place = end
    return "".join([*kept, _rest(text, place, len(text), left_out)]).strip()


def _rest(text: str, start: int, end: int, left_out: Sequence[Sequence[int]]) -> str:
    """What is left of a part of the text."""
    kept, place = [], start
    for begin, until in sorted(left_out, key=itemgetter(0)):
        kept.append(text[place : max(min(begin, end), place)])
        place = min(max(place, until), end)
    return "".join([*kept, text[place:end]])
