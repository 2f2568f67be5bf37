"""The stand-in's replies, with a block of notes."""

import json
import re
from collections.abc import Mapping, Sequence

from django.utils import translation
from django.utils.translation import gettext_lazy as _

from meddie.ai.events import text_of
from meddie.ai.offline import languages as words
from meddie.ai.offline.statements import facts_of, sentences

TOTAL = r"(\d+) facts, \d+ of them below"
READ = 4000  # characters of a message
SAVES, FORGETS, ALL = "memory_saves", "memory_forgets", ["*"]
TEXTS = {
    SAVES: _("Thank you for telling me."),
    FORGETS: _("I have looked for what I should forget."),
    "confirm": _("Say yes if I should really forget everything about you."),
    "unkept": _("I note nothing in this conversation."),
    "overview": _("This is what I remember:"),
    "total": _("Facts in all:"),
    "emergency": _("Please do first what the note above says."),
    "nothing": _("I remember nothing of that kind. Tell me a lasting fact about you."),
    "signature": _("*Offline stand-in: simple rules, no language model.*"),
}


def reply_to(messages: Sequence[Mapping[str, object]]) -> str:
    said = {message.get("role"): text_of(message) for message in messages}
    system, text, last = (said.get(r, "") for r in ("system", "user", "assistant"))
    text = text[:READ]
    withheld = re.findall(r"^- (.+)$", system.partition("# Emergency\n")[2], re.M)
    for sentence in withheld:
        text = text.replace(sentence, "")
    known = _remembered(system)
    found = _remembered(system.partition("\n## Also Known\n")[0])
    polish, english = (re.findall(p, text, re.I) for p in (words.POLISH, words.ENGLISH))
    with translation.override("pl" if len(polish) > len(english) else "en"):
        asked = str(TEXTS["confirm"]) in last
        confirmed = asked and re.fullmatch(words.YES, text.strip(" \n.!"), re.I)
        key, facts = (FORGETS, ALL) if confirmed else _notes(text, known)
        notes = _section(system, "Taking notes")
        kept = f'- "{key}": ' in notes
        told = "confirm" if facts == ALL and not asked else key
        parts = [str(TEXTS["emergency"])] if withheld else []
        parts += [str(TEXTS[told if kept else "unkept"])] if facts and notes else []
        if found and key == SAVES and (not facts or "?" in text):
            parts += [str(TEXTS["overview"]), "\n".join(map(_listed, found))]
            parts += (f"{TEXTS['total']} {n}" for n in re.findall(TOTAL, system))
        parts += [] if parts or facts else [str(TEXTS["nothing"])]
        parts.append(str(TEXTS["signature"]))
    if facts and kept:
        parts.append(f"```json\n{json.dumps({key: facts}, ensure_ascii=False)}\n```")
    return "\n\n".join(parts)


def _remembered(system: str) -> list[str]:
    facts = r"^- (.+?)(?: \(stated [\d-]+\))?$"
    return re.findall(facts, _section(system, "Long-term Memory"), re.M)


def _section(system: str, heading: str) -> str:
    _, _, text = f"\n{system}".partition(f"\n# {heading}\n")
    return re.split(r"^# ", text, maxsplit=1, flags=re.M)[0]


def _notes(text: str, known: Sequence[str]) -> tuple[str, list[str]]:
    found = [re.match(words.FORGET, part, re.I) for part in sentences(text)]
    wishes = [request["what"].rstrip(" .!?") for request in found if request]
    if any(re.fullmatch(words.EVERYTHING, wish, re.IGNORECASE) for wish in wishes):
        return FORGETS, ALL
    if wishes:
        meant = (fact for wish in wishes for fact in _meant(wish, known))
        return FORGETS, list(dict.fromkeys(meant))
    return SAVES, [fact for fact in facts_of(text) if fact not in known]


def _meant(wish: str, known: Sequence[str]) -> Sequence[str]:
    """The remembered facts on the topic, else the fact that the wish states."""
    stated = facts_of(wish)
    topic = _stems(" ".join(stated) or wish)
    near = [fact for fact in known if topic and _whose(fact) <= topic <= _stems(fact)]
    same = [fact for fact in near if _stems(fact) == topic]
    return same or near or stated or ([wish] if topic else [])


def _whose(fact: str) -> set[str]:
    """The stem of a relative, if the fact is about one."""
    found = re.match(r"(?:User's|.* [„«]m[oó]\w+|.* «мо\w+) (\w+)", fact, re.I)
    return _stems(found[1]) if found else set()


def _stems(text: str) -> set[str]:
    topics = (
        r"\b(?!(?:user|the|and|all|that|about|from|with|ha[sv]e?|was|mojej)\b)\w{3,}"
    )
    return {word[:5] for word in re.findall(topics, text.casefold())}


def _listed(fact: str) -> str:
    """In the second person, and escaped: no link, emphasis or block."""
    for user, you in words.SECOND_PERSON.items():
        fact = re.sub(f"^{user}", you, fact)
    return "- " + re.sub(r"([\\`*_\[\]<>{}#|~])", r"\\\1", fact)
