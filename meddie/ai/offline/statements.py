"""Lasting statements of users about themselves, as facts; not English ones are quoted."""

import json
import re
from collections.abc import Iterator, Sequence

from meddie.ai.events import ChatMessage
from meddie.ai.offline import languages as words

LONGEST_SENTENCE = 300  # characters
_QUOTED = re.compile('["“”„«»`>][^"“”„«»`]*["“”„«»`]?')
_SENTENCE_END = r"(?i)(?<=[.!?…])(?<!\b[dms][rt]\.)(?<!\bmrs\.)(?<!\bprof\.)\s|[\n;]"
_PERSON = {"i was": "they were", "i": "they", "am": "are", "my": "their", "me": "them"}


def extract(messages: Sequence[ChatMessage]) -> dict[str, object]:
    message = json.loads(messages[-1]["content"])["message"]
    memories, profile = split_profile(facts_of(message))
    return {"memories": memories, "profile_facts": profile}


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
    short = (line for line in lines if line and len(line) <= LONGEST_SENTENCE)
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
