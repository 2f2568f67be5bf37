# ruff: noqa: RUF001 - Russian letters are meant
"""Resolve facts about the user with plain patterns of whole sentences."""

import json
import re
from collections.abc import Sequence

from meddie.ai.events import ChatMessage
from meddie.ai.offline.languages import NAME

_SUBJECT = r"(?i)(?:the )?(?:user|użytkowni\w+|пользовател\w+)\b"
_SINGLE = (
    r"(?: is| ma)? (\d{1,3}) (?:years old|lata?|лет|года?)",
    r" (?:now |teraz |теперь )?(?:weighs|waży|весит) (\d{1,3}) ?(?:kg|кг)",
)
# What denies a statement in the present tense.
_DENIALS = (
    (rf" moved from (.+) to {NAME}$", (r" lives in \1", r" now lives in \1")),
    (r" (?:does not|doesn't) have ", (" has ",)),
    (r" (?:does not|doesn't) (\w+)", (r" \1s", r" \1es")),
    (r" (is|can)(?: ?not|n't|'t| no longer) ", (r" \1 ",)),
    (r" no longer (?=\w+s\b)", (" ",)),
    (r" (?:stopped|quit) (\w+)ing\b", (r" \1s", r" \1es")),
    (r" (?:już )?nie (?!\w+ł[aeoiy]?\b)", (" ",)),
    (r" nie (?!\w+ł[aeoiy]?\b)(\w+) już\b", (r" \1",)),
    (r" (?:больше )?не (?!\w+л[аио]?\b)", (" ",)),
)
# Leaves open which part is denied: "does not eat meat and fish".
_OPEN = re.compile(r"\b(?:and|or|i|lub|и|или)\b")
# The ending of a Polish or Russian noun after a denial
_CASE = re.compile(r"\b(?=[a-zа-яąćęłńóśźż])(\w{3,})[aąęeiouyаеиоуыюя]\b")


def find_replacements(messages: Sequence[ChatMessage]) -> dict[str, list[object]]:
    document = json.loads(messages[-1]["content"])
    decisions: list[object] = [
        {"new": new["n"], "action": "replace", "target": known["n"]}
        for new in document["new"]
        for known in document["known"]
        if _replaces(*sorted((known, new), key=lambda fact: fact["stated_at"]))
    ]
    return {"decisions": decisions}


def _replaces(older: dict[str, str], newer: dict[str, str]) -> bool:
    old, new = _statement(older["text"]), _statement(newer["text"])
    if not old or not new or old == new:
        return False
    found = [[re.fullmatch(frame, text) for text in (old, new)] for frame in _SINGLE]
    changed = any(one and other and one[1] != other[1] for one, other in found)
    return changed or _denied(new, old) or _denied(old, new)


def _statement(text: str) -> str:
    """Empty for another subject."""
    line = " ".join(text.split()).rstrip(".!").replace("’", "'")
    subject = re.match(_SUBJECT, line)
    return line[subject.end() :].replace("ё", "е") if subject else ""


def _denied(denial: str, statement: str) -> bool:
    if denial[0] != " " or _OPEN.search(denial):
        return False
    wanted = _CASE.sub(r"\1", statement)
    return any(
        _CASE.sub(r"\1", re.sub(pattern, positive, denial)) == wanted
        for pattern, positives in _DENIALS
        if len(re.findall(pattern, denial)) == 1
        for positive in positives
    )
