"""What goes into the block: facts to save, facts to forget, changes of a person's notes."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from meddie.ai.offline.others import items, said_of
from meddie.ai.offline.prompt import Known
from meddie.ai.offline.statements import (
    Statement,
    of_sentence,
    sentences,
    statements,
)

_FORGET = re.compile(
    r"^(?:(?:please|can you|could you|meddie|ok|hi|proszę|możesz)[\s,]+)*"
    r"(?:forget|stop remembering|don't remember|do not remember|delete|erase|zapomnij|usuń"
    r"|wymaż|nie pamiętaj)\b[\s,]*"
    r"(?:(?:that|about|the fact|what i said|że|o tym|o|proszę)\b[\s,]*)*(?P<what>.*)$",
    re.IGNORECASE,
)
_EVERYTHING = re.compile(
    r"(?:(?:everything|it all|all(?: of (?:it|this|that|them))?|me|wszystk\w+|mnie"
    r"|all (?:my|the|your) (?:memories|memory|facts|notes)|(?:all )?what you know"
    r"|(?:all|everything) (?:that )?(?:you|i)\b(?!.*\b(?:my|mój|moj\w+)\b).*)"
    r"(?:[\s,]+(?:(?:that )?you (?:know|remember)|about me|o mnie|co wiesz|please|proszę"
    r"|now|at once))*)$",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"\b(?:(?:grand|step)?(?:mother|father|son|daughter|parent|child|children)|mum|mom|dad"
    r"|sister|brother|wife|husband|partner|aunt|uncle|cousin|friend|baby|dog|cat"
    r"|mam\w{1,2}|matk\w|oj?c\w{2,4}|tat\w{1,2}|syn\w*|córk\w|siostr\w|brat\w*|żon\w"
    r"|mąż|męż\w+|babci\w|dziad\w+|dzieck\w|partner\w*)(?:'?s\b|\b)",
    re.IGNORECASE,
)
_TAKES = re.compile(
    r"^(?:takes|is taking|has (?:been )?(?:started )?taking|started taking|is on|uses|bierze"
    r"|przyjmuje|zażywa|stosuje)\s+(?P<what>.+)",
    re.IGNORECASE,
)
_ENDED = re.compile(
    r"^(?:stopped (?:taking|using)|quit(?: taking)?|no longer (?:takes|uses)|does not (?:take"
    r"|use)|(?:przestał|przestała) (?:brać|przyjmować|zażywać|stosować)|(?:już )?nie (?:już )?"
    r"(?:bierze|przyjmuje|zażywa|stosuje))\s+(?P<what>.+)",
    re.IGNORECASE,
)
_SUPPLEMENT = re.compile(
    r"\b(?:vitamin|magnesium|omega|zinc|iron\b|creatine|collagen|probiotic|melatonin"
    r"|folic acid|calcium|selenium|potassium|fish oil|ashwagandha|turmeric|curcumin|biotin"
    r"|supplement|protein|electrolyte|witamin|magnez|cynk|żelaz|kreatyn|kolagen|probiotyk"
    r"|melatonin|kwas foliowy|wapń|selen|potas|tran\b|suplement|błonnik)",
    re.IGNORECASE,
)
_MEDICATION = re.compile(
    r"\b(?:metformin|ibuprofen|paracetamol|acetaminophen|aspirin|insulin|levothyroxine"
    r"|euthyrox|letrox|warfarin|ozempic|antibiotic|antidepressant|painkiller|steroid|pill"
    r"|tablet|drops|inhaler|blood thinner|antybiotyk|lek[ióa]?\b|tablet|insulin|aspiryn"
    r"|metformin|\w+(?:pril|sartan|statin|olol|azole|prazol|cillin|cyclin|oxetine|pram"
    r"|dipine|gliptin|tide|zyna|yna)\b)|\d\s?(?:mg|mcg|µg|ug|ml|iu)\b",
    re.IGNORECASE,
)
_HEALTH = re.compile(
    r"\b(?:allerg|intoleran|diagnos|asthma|diabet|hypertension|blood pressure|surgery"
    r"|operation|stroke|cancer|epilep|migraine|arthritis|thyroid|hashimoto|celiac|coeliac"
    r"|pregnan|anaemia|anemia|depression|suffers?\b|transplant|fracture|broke\b"
    r"|uczul|alergi|nietoleranc|cukrzyc|astm|nadciśnieni|operacj|zawał|udar|padaczk|migren"
    r"|tarczyc|celiaki|ciąż|anemi|depresj|cierpi|choruje|zdiagnozowan|złama)",
    re.IGNORECASE,
)
_COPULA = re.compile(
    r"^(?:is|was|had|has been|has|jest|ma|miał|miała)\s+", re.IGNORECASE
)
_ALSO_END = re.compile(r"\s+(?:any ?more|any longer|now|already)$", re.IGNORECASE)
_SUBJECT = re.compile(r"^(?:User|Użytkownik|Użytkowniczka)\s+")
_STOP_WORDS = frozenset(
    [
        "that",
        "have",
        "with",
        "about",
        "from",
        "they",
        "them",
        "their",
        "this",
        "user",
        "uses",
        "does",
        "what",
        "know",
        "która",
        "który",
        "jest",
        "mnie",
        "moja",
        "mój",
        "moje",
        "użytkownik",
        "użytkowniczka",
        "użytkownika",
        "said",
        "told",
        "all",
        "everything",
        "wszystko",
        "wszystkim",
    ]
)


@dataclass(frozen=True)
class Notes:
    """What the user's message asks to be noted."""

    new: tuple[Statement, ...] = ()
    known: tuple[Statement, ...] = ()
    forgets: tuple[str, ...] = ()
    updates: tuple[dict[str, str], ...] = ()
    asked_to_forget: bool = False
    saves: tuple[str, ...] = ()

    def block(self) -> str:
        """The fenced JSON at the end of a reply; empty when there is nothing to note."""
        parts = {
            "profile_updates": self.updates,
            "memory_saves": self.saves,
            "memory_forgets": self.forgets,
        }
        filled = {key: value for key, value in parts.items() if value}
        if not filled:
            return ""
        return f"```json\n{json.dumps(filled, ensure_ascii=False)}\n```"


def take(text: str, known: Known) -> Notes:
    """Read one message of the user, knowing what a model would know."""
    requests = [found for part in sentences(text) if (found := _FORGET.match(part))]
    if requests:
        targets = [_targets(found["what"].rstrip(" .!?"), known) for found in requests]
        forgets = dict.fromkeys(fact for target in targets for fact in target)
        return Notes(forgets=tuple(forgets), asked_to_forget=True)
    said = statements(text)
    there = {_plain(fact) for fact in known.facts}
    new = tuple(one for one in said if _plain(one.fact) not in there)
    updates = _updates(new, known) + _updates_of_other(text, known)
    return Notes(
        new=new,
        known=tuple(one for one in said if one not in new),
        updates=updates,
        saves=tuple(
            one.fact for one in new if known.kept and not _only_profile(one, known)
        ),
    )


def _targets(what: str, known: Known) -> list[str]:
    """The remembered sentences that are meant, else the sentence as it would read."""
    if _EVERYTHING.match(what) or not what:
        return list(known.facts)
    meant = [one.fact for one in of_sentence(what)]
    exact = [fact for fact in known.facts if _plain(fact) in map(_plain, meant)]
    return exact or _nearest(" ".join(meant) or what, known.facts) or meant


def _nearest(what: str, facts: Sequence[str]) -> list[str]:
    """Facts of the same subject with most of the words; one with just these, alone."""
    wanted = _stems(what)
    near = [
        fact
        for fact in facts
        if wanted
        and _whose(fact) <= _relatives(what) <= _relatives(fact)
        and len(wanted & _stems(fact)) / len(wanted) >= 0.6
    ]
    return [fact for fact in near if _stems(fact) == wanted] or near


def _whose(fact: str) -> set[str]:
    """Whom a fact is about; nobody besides, where the user is its subject."""
    return set() if _SUBJECT.match(fact) else _relatives(fact)


def _relatives(text: str) -> set[str]:
    """Of whom besides the user a text tells; Polish endings are left out."""
    found = (match[0].casefold() for match in _RELATIVE.finditer(text))
    return {word.removesuffix("s").removesuffix("'")[:3] for word in found}


def _stems(text: str) -> set[str]:
    words = re.findall(r"[\w']+", text.casefold())
    return {
        word.removesuffix("'s")[:5]
        for word in words
        if len(word) > 2 and word.removesuffix("'s") not in _STOP_WORDS
    }


def _plain(fact: str) -> str:
    return " ".join(re.findall(r"\w+", fact.casefold()))


def _only_profile(one: Statement, known: Known) -> bool:
    """Supplements and medications belong to the person's notes alone."""
    if not known.person_is_user:
        return False
    does = _SUBJECT.sub("", one.fact)
    takes = _TAKES.match(does)
    return bool(_ENDED.match(does) or (takes and _is_remedy(takes["what"])))


def _updates(said: Sequence[Statement], known: Known) -> tuple[dict[str, str], ...]:
    if not known.person_is_user:
        return ()
    mine = [one.fact for one in said if _SUBJECT.match(one.fact)]
    return tuple(
        update for fact in mine for update in _update(_SUBJECT.sub("", fact), known)
    )


def _updates_of_other(text: str, known: Known) -> tuple[dict[str, str], ...]:
    """ "Anna takes zinc", where the talk is about Anna."""
    said = said_of(known.person, text, pronouns=not known.person_is_user)
    return tuple(update for does in said for update in _update(does, known))


def _update(does: str, known: Known) -> list[dict[str, str]]:
    """What a statement in the third person changes in the notes, its subject cut off."""
    if ended := _ENDED.match(does):
        over = items(_ALSO_END.sub("", ended["what"]))
        return [
            {"field": _field_of(what, known), "action": "remove", "text": what}
            for what in over
        ]
    if (takes := _TAKES.match(does)) and _is_remedy(takes["what"]):
        taken = items(takes["what"])
        return [new for what in taken for new in _addition(_field(what), what, known)]
    if _HEALTH.search(does):
        return _addition("health_notes", _COPULA.sub("", does), known)
    return []


def _addition(field: str, what: str, known: Known) -> list[dict[str, str]]:
    if any(_plain(note.text) == _plain(what) for note in known.notes):
        return []
    return [{"field": field, "action": "append", "text": what[:1].upper() + what[1:]}]


def _field_of(what: str, known: Known) -> str:
    """Where the notes have it."""
    holding = (n.field for n in known.notes if what.casefold() in n.text.casefold())
    return next(holding, _field(what))


def _is_remedy(what: str) -> bool:
    return bool(_SUPPLEMENT.search(what) or _MEDICATION.search(what))


def _field(what: str) -> str:
    return "supplements" if _SUPPLEMENT.search(what) else "medications"
