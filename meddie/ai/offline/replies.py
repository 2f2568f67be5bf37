"""What the stand-in writes: replies with a block of notes, summaries and titles."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import log
from typing import Any

from django.utils import translation
from django.utils.translation import gettext_lazy as _

from meddie.ai.events import ChatMessage, text_of
from meddie.ai.offline import languages as words
from meddie.ai.offline.statements import facts_of, sentences, split_profile

ROOM = 800  # characters
LONGEST = 200
_SENTENCE = r"(?<=[.!?…。])\s+|\n+"

TOTAL = r"(\d+) facts with the user profile, \d+ of them here"
ADDED, MESSAGE = "# Added By Meddie, Not By The User\n", "\n# The User's Message\n\n"
NEWEST = 6  # facts that are listed where none shares a word with the question
WHOSE = r"(?i)^(?:User's|.* [„«]m[oó]\w+|.* «мо\w+) (\w+)"  # the relative of a fact
TOPICS = r"\b(?!(?:user|the|and|all|that|about|from|with|ha[sv]e?|was|mojej)\b)\w{3,}"
LINE = "{key}: {value}".format_map  # of a profile fact, as in the prompt
SAVES, FORGETS, PROFILE, ALL = "memory_saves", "memory_forgets", "profile_facts", ["*"]
NOT_NOTED = _("I could not make a note of that without a model. Say it as “I am allergic to …”, “I take …” or “My mother has …”, or write it into the notes.")  # fmt: skip
TEXTS = {
    SAVES: _("Thank you for telling me."),
    FORGETS: _("I have looked for what I should forget."),
    "confirm": _("Say yes if I should really forget everything about you."),
    "unkept": _("I keep nothing from this conversation."),
    "overview": _("This is what I remember:"),
    "total": _("Facts in all:"),
    "emergency": _("First, please do what the note above says."),
    "nothing": _("I remember nothing of that kind. Tell me a lasting fact about you."),
    "not_noted": NOT_NOTED,
    "signature": _("*Offline stand-in: simple rules, no language model.*"),
}


def reply_to(messages: Sequence[Mapping[str, object]]) -> str:
    said = {message.get("role"): text_of(message) for message in messages}
    system, sent, last = (said.get(r, "") for r in ("system", "user", "assistant"))
    text, added, withheld = _split(sent)
    known, total = (
        _remembered(_section(system, "Long-term Memory")),
        re.findall(TOTAL, added),
    )
    found = _relevant(text, known, added, everything=bool(total))
    notes = _section(system, "Taking notes")
    polish, english = (re.findall(p, text, re.I) for p in (words.POLISH, words.ENGLISH))
    with translation.override("pl" if len(polish) > len(english) else "en"):
        asked = str(TEXTS["confirm"]) in last
        confirmed = asked and re.fullmatch(words.YES, text.strip(" \n.!"), re.I)
        names = re.findall(r'^- "(\w+)": ', notes, re.M)
        noted = {FORGETS: ALL} if confirmed else _notes(text, known, names)
        key, facts = next(iter(noted)), any(noted.values())
        kept = key in names
        told = "confirm" if ALL in noted.values() and not asked else key
        parts = [str(TEXTS["emergency"])] if withheld else []
        parts += [str(TEXTS[told if kept else "unkept"])] if facts and notes else []
        asks = re.search(words.ASKS, text, re.I | re.M)
        if asks and found and key == SAVES:
            parts += [str(TEXTS["overview"]), "\n".join(map(_listed, found))]
            parts += (f"{TEXTS['total']} {n}" for n in total)
        elif not (parts or facts):
            tells = notes and not asks and len(text.split()) > 3
            told = ("not_noted" if kept else "unkept") if tells else "nothing"
            parts.append(str(TEXTS[told]))
        parts += [] if last and parts else [str(TEXTS["signature"])]
    if facts and kept:
        block = {name: entries for name, entries in noted.items() if entries}
        parts.append(f"```json\n{json.dumps(block, ensure_ascii=False)}\n```")
    return "\n\n".join(parts)


def _split(text: str) -> tuple[str, str, list[str]]:
    """The user's words but those of an emergency, what Meddie added to them, and these."""
    before, _added, rest = text.partition(ADDED)
    added, _heading, message = rest.partition(MESSAGE)
    withheld = re.findall(r"^- (.+)$", added.partition("# Emergency\n")[2], re.M)
    said = f"{before}{message}"[:4000]
    return re.sub("|".join(map(re.escape, withheld)), "", said), added, withheld


def _remembered(text: str) -> list[str]:
    return re.findall(r"^- (.+?)(?: \(stated [\d-]+\))?$", text, re.M)


def _relevant(
    text: str, known: list[str], added: str, *, everything: bool
) -> list[str]:
    """The facts that share a word with the question, or the newest; else what was said."""
    found = _remembered(re.split(r"\n##? (?:Attached|Emergency)", added)[0])
    said = [line for line in found if re.match(r"\d{4}-", line)]
    more = [line for line in found if line not in said]
    more += _in_files(text, added)
    if everything:
        return known + more
    asked = _stems(text)
    near = [fact for fact in known if asked & _stems(fact)]
    return near + more or known[-NEWEST:] or said


def _in_files(text: str, added: str) -> Iterator[str]:
    """Sentences of files that have words of the question."""
    files = added.partition("\n## Attached Files\n")[2]
    lines = re.findall(r"^- (\[.+?\].*?): (.+)$", files, re.M)
    for name, told in lines:
        parts = re.split(_SENTENCE, told)
        if near := [part for part in parts if _stems(text) & _stems(part)]:
            yield f"{name}: {' '.join(near)[:LONGEST]}"


def _section(system: str, heading: str) -> str:
    return f"\n{system}".partition(f"\n# {heading}\n")[2].partition("\n# ")[0]


def extract(messages: Sequence[ChatMessage]) -> dict[str, object]:
    """What a message heard in the background states, and wants forgotten."""
    heard = json.loads(text_of(messages[-1]))
    known = [one["text"] for one in heard["known"]]
    noted = _notes(heard["message"], [*known, *map(LINE, heard["profile"])], [PROFILE])
    return {
        "memories": noted.get(SAVES, []),
        "profile_facts": noted.get(PROFILE, []),
        "forgets": noted.get(FORGETS, []),
    }


def _notes(text: str, known: list[str], names: list[str]) -> dict[str, list[Any]]:
    found = [re.match(words.FORGET, part, re.I) for part in sentences(text)]
    wishes = [request["what"].rstrip(" .!?") for request in found if request]
    if any(re.fullmatch(words.EVERYTHING, wish, re.IGNORECASE) for wish in wishes):
        return {FORGETS: ALL}
    if wishes:
        meant = (fact for wish in wishes for fact in _meant(wish, known))
        return {FORGETS: list(dict.fromkeys(meant))}
    facts = facts_of(text)
    facts, profile = split_profile(facts) if PROFILE in names else (facts, [])
    return {SAVES: facts, PROFILE: profile}


def _meant(wish: str, known: Sequence[str]) -> Sequence[str]:
    """The remembered facts on the topic, else the fact that the wish states."""
    facts, profile = split_profile(facts_of(wish))
    stated = [*facts, *map(LINE, profile)]
    topic = _stems(" ".join(stated) or wish)
    near = [
        fact
        for fact in known
        if topic and _stems("".join(re.findall(WHOSE, fact))) <= topic <= _stems(fact)
    ]
    same = [fact for fact in near if _stems(fact) == topic]
    return same or near or stated or ([wish] if topic else [])


def _stems(text: str) -> set[str]:
    return {word[:5] for word in re.findall(TOPICS, text.casefold())}


def _listed(fact: str) -> str:
    """In the second person, and escaped: no link, emphasis or block."""
    for user, you in words.SECOND_PERSON.items():
        fact = re.sub(user, you, fact)
    if key := re.match(r"[a-z_]+(?=: )", fact):
        label = translation.gettext(key[0].replace("_", " ").capitalize())
        fact = label + fact[key.end() :]
    return "- " + re.sub(r"([\\`*_\[\]<>{}#|~])", r"\\\1", fact[:1].upper() + fact[1:])


def summarise(messages: Sequence[ChatMessage]) -> dict[str, str]:
    """The user's sentences that say most, with their files, and the rarest words."""
    told = json.loads(text_of(messages[-1]))
    said = [m["text"] for m in told["messages"] if m["role"] == "user"]
    split = (re.split(_SENTENCE, text) for text in [*told["earlier"], *said])
    parts = list(dict.fromkeys(p[:LONGEST] for one in split for p in one if p.strip()))
    words = [set(re.findall(r"\w{3,}", part.casefold())) for part in parts]
    seen = Counter(word for one in words for word in one)
    worth = {word: log(1 + len(parts) / seen[word]) for word in seen}
    left, chosen = set(range(len(parts))), set[int]()
    while left and sum(len(parts[n]) for n in chosen) < ROOM - LONGEST:
        best = max(sorted(left), key=lambda n: sum(worth[word] for word in words[n]))
        left.remove(best)
        if not any(worth[word] for word in words[best]):
            break
        chosen.add(best)
        worth |= dict.fromkeys(words[best], 0)
    kept = [parts[n] for n in sorted(chosen)]
    return {"summary": "\n".join(kept), "topic": _label(kept, seen)}


def _label(parts: Sequence[str], seen: Mapping[str, int]) -> str:
    """Three words: long ones are rare in any language, repeated ones are the topic."""
    text = re.sub(r"(?m)^\[\w+#\w+\]", "", "\n".join(parts))
    found = [word.casefold() for word in re.findall(r"\b[^\W\d_]{4,}\b", text)]
    worth = {word: len(word) * (1 + log(seen[word])) for word in found}
    return ", ".join(sorted(worth, key=lambda word: -worth[word])[:3])


def title(messages: Sequence[Mapping[str, object]]) -> str:
    lines = text_of(messages[-1]).splitlines() if messages else []
    line = next((line for line in lines if line[:1] not in {"", "<"}), "")
    return (
        re.split(_SENTENCE, line.removeprefix("> "))[0].rstrip(".,;:!? ")
        or "Conversation"
    )
