# ruff: noqa: RUF001 - Russian letters are meant
"""Lasting statements of users as facts, and which of them replaces another.

Statements in other languages than English are quoted.
"""

import json
import re
from collections.abc import Iterator, Sequence

from meddie.ai.events import ChatMessage
from meddie.ai.offline import languages as words
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

_QUOTED = re.compile('["“”„«»`>][^"“”„«»`]*["“”„«»`]?')
_SENTENCE_END = r"(?i)(?<=[.!?…])(?<!\b[dms][rt]\.)(?<!\bmrs\.)(?<!\bprof\.)\s|[\n;]"
_PERSON = {"i was": "they were", "i": "they", "am": "are", "my": "their", "me": "them"}


def split_profile(facts: Sequence[str]) -> tuple[list[str], list[dict[str, str]]]:
    """The facts that are none of the profile, and those of the profile."""
    found = {
        fact: {"category": category, "key": key, "value": value[1]}
        for fact in facts
        for pattern, (category, key) in words.PROFILE.items()
        if (value := re.fullmatch(pattern, fact.rstrip("”»"), re.I))
    }
    return [fact for fact in facts if fact not in found], list(found.values())


def sentences(text: str) -> list[str]:
    """Leave out openings such as "please remember that"."""
    parts = re.split(_SENTENCE_END, re.sub(words.EMOJI, "", text))
    lines = (" ".join(part.split()) for part in parts)
    short = (line for line in lines if line and len(line) <= 300)
    return [re.sub(words.OPENING, "", line, flags=re.I) for line in short]


def facts_of(text: str) -> list[str]:
    """None in a game, joke, question, quotation or secret."""
    if re.search(words.NOT_MEANT, text, re.IGNORECASE):
        return []
    text = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    facts = (fact for one in sentences(_QUOTED.sub('"', text)) for fact in _facts(one))
    return list(dict.fromkeys(facts))


def _facts(sentence: str) -> Iterator[str]:
    if sentence.endswith("?") or re.match(words.NOT_SAID, sentence, re.I):
        return
    both = re.match(words.BOTH, sentence, re.I)
    alone = f"I{sentence[both.end() :]}" if both else sentence
    for clause in re.split(words.JOINT, alone.rstrip(" .!…"), flags=re.I):
        if fact := _fact(clause):
            yield fact
        if both and fact and alone.startswith(clause):
            yield fact.replace("User", f"User's {both[1] or both[2]}", 1)


def _fact(clause: str) -> str:
    """Empty if the clause states nothing lasting."""
    for start, other in words.STARTS.items():
        clause = re.sub(start, other, clause, flags=re.I)
    frame = next((frame for frame in words.FRAMES if re.match(frame, clause, re.I)), "")
    if not frame or re.match(words.PASSING, clause, re.I):
        return ""
    fact = re.sub(f"^{frame}", words.FRAMES[frame], clause, flags=re.I)
    if not fact.startswith("User"):
        return fact
    first = rf"\b(?:{'|'.join(_PERSON)})\b"
    return re.sub(first, lambda word: _PERSON[word[0].lower()], fact, flags=re.I)


def find_replacements(messages: Sequence[ChatMessage]) -> dict[str, list[object]]:
    document = json.loads(messages[-1]["content"])
    decisions: list[object] = [
        {
            "new": new["n"],
            "target": known["n"],
            "same_subject": True,
            "same_time": True,
            "both_can_be_true": False,
            "action": "replace",
        }
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
