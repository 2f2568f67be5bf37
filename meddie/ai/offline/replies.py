"""The stand-in's replies, with a block of notes."""

import json
import re
from collections.abc import Mapping, Sequence

from django.utils import translation
from django.utils.translation import gettext_lazy as _

from meddie.ai.events import text_of
from meddie.ai.offline.languages import (
    ENGLISH,
    EVERYTHING,
    FORGET,
    POLISH,
    SECOND_PERSON,
)
from meddie.ai.offline.statements import facts_of, sentences

FACT = r"^- (.+?)(?: \(stated [\d-]+\))?$"
TOTAL = r"(\d+) facts, \d+ of them below"
READ = 4000  # characters of a message
SAVES, FORGETS = "memory_saves", "memory_forgets"
TEXTS = {
    SAVES: _("Noted. From now on I remember:"),
    FORGETS: _("All right, I will forget this:"),
    "unkept": _("I note nothing in this conversation."),
    "overview": _("This is what I remember:"),
    "total": _("Facts in all:"),
    "emergency": _("Please do first what the note above says."),
    "nothing": _("I remember nothing of that kind. Tell me a lasting fact about you."),
    "signature": _("*Offline stand-in: simple rules, no language model.*"),
}


def reply_to(messages: Sequence[Mapping[str, object]]) -> str:
    system = "\n".join(text_of(m) for m in messages if m.get("role") == "system")
    asked = [text_of(m) for m in messages if m.get("role") == "user"]
    text = asked[-1][:READ] if asked else ""
    withheld = re.findall(r"^- (.+)$", system.partition("# Emergency\n")[2], re.M)
    for sentence in withheld:
        text = text.replace(sentence, "")
    known = _remembered(system)
    found = _remembered(system.partition("\n## Also Known\n")[0])
    key, facts = _notes(text, known)
    kept = f'- "{key}": ' in _section(system, "Taking notes")
    with translation.override(_language(text)):
        parts = _listed(key, facts) if kept else _listed("unkept", facts)[:1]
        if key == SAVES and (not facts or "?" in text):
            parts += _listed("overview", [_addressed(fact) for fact in found])
            parts += (f"{TEXTS['total']} {n}" for n in re.findall(TOTAL, system))
        if withheld:
            parts.insert(0, str(TEXTS["emergency"]))
        parts = [*(parts or [str(TEXTS["nothing"])]), str(TEXTS["signature"])]
    if facts and kept:
        parts.append(f"```json\n{json.dumps({key: facts}, ensure_ascii=False)}\n```")
    return "\n\n".join(parts)


def _language(text: str) -> str:
    polish, english = (len(re.findall(p, text, re.I)) for p in (POLISH, ENGLISH))
    return "pl" if polish > english else "en"


def _remembered(system: str) -> list[str]:
    return re.findall(FACT, _section(system, "Long-term Memory"), re.M)


def _addressed(fact: str) -> str:
    for user, you in SECOND_PERSON.items():
        fact = re.sub(f"^{user}", you, fact)
    return fact


def _section(system: str, heading: str) -> str:
    _, _, text = f"\n{system}".partition(f"\n# {heading}\n")
    return re.split(r"^# ", text, maxsplit=1, flags=re.M)[0]


def _notes(text: str, known: Sequence[str]) -> tuple[str, list[str]]:
    parts = (part.rstrip(" .!?") for part in sentences(text))
    requests = [part for part in parts if re.match(FORGET, part, re.IGNORECASE)]
    if requests:
        meant = (fact for request in requests for fact in _meant(request, known))
        return FORGETS, list(dict.fromkeys(meant))
    there = {fact.casefold() for fact in known}
    return SAVES, [fact for fact in facts_of(text) if fact.casefold() not in there]


def _meant(request: str, known: Sequence[str]) -> Sequence[str]:
    """The remembered facts on the topic, else the fact that the request states."""
    what = re.sub(FORGET, r"\g<what>", request, flags=re.IGNORECASE)
    if re.fullmatch(EVERYTHING, what, re.IGNORECASE):
        return known
    stated = facts_of(what)
    topic = _stems(" ".join(stated) or what)
    near = [fact for fact in known if topic and _whose(fact) <= topic <= _stems(fact)]
    return [fact for fact in near if _stems(fact) == topic] or near or stated


def _whose(fact: str) -> set[str]:
    """The stem of a relative, if the fact is about one."""
    found = re.match(r"(?:User's|.* [„«]m[oó]\w+|.* «мо\w+) (\w+)", fact, re.I)
    return _stems(found[1]) if found else set()


def _stems(text: str) -> set[str]:
    topics = (
        r"\b(?!(?:user|the|and|all|that|about|from|with|has|have|was|mojej)\b)\w{3,}"
    )
    return {word[:5] for word in re.findall(topics, text.casefold())}


def _listed(heading: str, facts: Sequence[str]) -> list[str]:
    """Escape facts, so that they make no link, emphasis or block."""
    plain = (re.sub(r"([\\`*_\[\]<>{}#|~])", r"\\\1", fact) for fact in facts)
    lines = "\n".join(f"- {fact}" for fact in plain)
    return [str(TEXTS[heading]), lines] if facts else []
