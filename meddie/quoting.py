"""Text from outside in a prompt, as data: it opens no section, fence or role.

The headings of a prompt begin their lines, and a line of data begins with a mark of ours.
"""

import json
import re
from collections.abc import Mapping

from meddie.text import one_line

HEADING = re.compile(r"\s{0,3}#{1,6}(?:\s|$)")
# Of headings, quotations and lists, which may be in each other; a minus is not one.
OPENING_MARKS = re.compile(r"(?:[#>]+\s*|[-*+](?:\s+|$)|\d{1,9}[.)]\s+(?=[#>=*+-]))*")
RULE = re.compile(r"[-=_*\s]*")  # of a heading above it, or none
# Tags, and the tokens of chat templates: <h1>, <|im_start|>, <<SYS>>, <s>, [INST].
OPENING = re.compile(r"<(?![\s\d=.,+-]|$)")
BRACKETS = re.compile(r"\[(/?(?:[A-Z_]{3,}|(?i:inst|sys(?:tem)?)))\]")
IN_JSON = re.compile(rf"[\x7f\x85\u2028\u2029]|{OPENING.pattern}|{BRACKETS.pattern}")


def data_line(text: str) -> str:
    """One line that opens no heading, list or fence."""
    return OPENING_MARKS.sub("", _inert(text), count=1).lstrip("#>-=*+`| ")


def quoted(text: str) -> str:
    """Each line after a ">"; headings end with a colon, and what underlines one goes."""
    lines = []
    for line in map(_inert, text.splitlines()):  # at every line break of Unicode
        told = OPENING_MARKS.sub("", line, count=1)
        marks = line[: len(line) - len(told)]
        if RULE.fullmatch(told):
            continue
        if HEADING.match(line):
            told = f"{told.rstrip(' #:')}:"
        lines.append(f"> {'- ' if set('-*+') & set(marks) else ''}{told}")
    return "\n".join(lines)


def json_data(document: Mapping[str, object]) -> str:
    """JSON on one line, in which the marks of chat templates are escaped."""
    written = json.dumps(document, ensure_ascii=False)
    return IN_JSON.sub(lambda mark: f"\\u{ord(mark[0][0]):04x}{mark[0][1:]}", written)


def _inert(text: str) -> str:
    line = one_line(text).replace("```", "'''").replace("~~~", "---")
    return BRACKETS.sub(r"(\1)", OPENING.sub("‹", line))  # noqa: RUF001
