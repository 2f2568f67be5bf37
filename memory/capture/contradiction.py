# ruff: noqa: RUF001 - Russian letters are meant
"""Which sentence takes the place of which, where no model needs to be asked.

Only clear cases: the user, or a relative of whom there is one, and an attribute that has
one value at a time ("lives in NY", "moved to LA"), or the same words with and without a
negation. All else stays beside each other until a resolver looks at it: to lose a true
fact is worse than to keep an old one.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from memory.capture.kin import SEVERAL, is_single
from memory.capture.places import is_wide
from memory.capture.same_fact import CANNOT, DATE, OWNERS, negated, told
from memory.words import stem, tokens

SUBJECT = r"(?P<subject>[\w'’ ]{1,60}?)"
FRAMES = [
    (attribute, re.compile(rf"^{SUBJECT}\s+{frame}\W*$", re.IGNORECASE))
    for attribute, frame in (
        ("home", r"(?:now |currently )?(?:lives|resides|is living|is based) in (?P<place>.+?)"),
        ("home", r"(?:has |have )?(?:recently |just )?(?:moved|relocated) to (?P<place>.+?)"),
        ("home", r"(?:teraz )?(?:mieszka|zamieszkał[ao]?) we? (?P<place>.+?)"),
        ("home", r"(?:przeprowadził[ao]?|przeniosła|przeniósł) się do (?P<place>.+?)"),
        ("home", r"(?:сейчас )?жив[её]т в (?P<place>.+?)"),
        ("home", r"переехал[аи]? в (?P<place>.+?)"),
        ("name", r"(?:is called|is named) (?P<value>.+?)"),
        ("nickname", r"(?:goes by|prefers to be called) (?P<value>.+?)"),
        ("name", r"(?:ma na imię|nazywa się) (?P<value>.+?)"),
        ("name", r"зовут (?P<value>.+?)"),
        ("job", r"(?:now |currently )?(?:works|is (?:now )?working) as (?P<value>.+?)"),
        ("job", r"(?:teraz |obecnie )?pracuje jako (?P<value>.+?)"),
        ("weight", r"(?:now |currently )?(?:weighs|waży|весит) (?P<value>\d.*?)"),
        ("height", r"is (?P<value>\d[\d.,]* ?(?:cm|m|feet|ft).*?)(?: tall)?"),
        ("age", r"is (?P<value>\d+) years old"),
        ("age", r"ma (?P<value>\d+) lata?"),
        ("blood type", r"has blood type (?P<value>.+?[+-]?)"),
        ("smoking", r"(?:quit|stopped|does not|doesn['’]t|never) (?P<no>smok\w+)"),
        ("smoking", r"(?P<yes>smokes)(?: (?:\d+ )?cigarettes(?: a day| daily)?)?"),
        (
            "marriage",
            (r"is (?:now |recently |newly )?"
            r"(?P<value>(?:single|married|divorced|widowed|engaged|separated)(?: to .+?)?)"),
        ),
    )
]  # fmt: skip
POSSESSED = re.compile(
    r"^(?P<subject>.{1,40}?)['’]s (?P<attribute>(?:name|age|weight|height|blood type"
    r"|birthday|address|phone number|e-?mail(?: address)?|gp|family doctor"
    r"|favou?rite \w+)) is (?:now )?(?P<value>.+?[+-]?)\W*$",
    re.IGNORECASE,
)
BLOOD = re.compile(r"(?:AB|[AB0O])\b")


def _capital(value: str) -> bool:
    return value.removeprefix("the ")[:1].isupper()


def _number(value: str) -> bool:
    return any(character.isdigit() for character in value)


SHAPES: dict[str, Callable[[str], object]] = {
    **dict.fromkeys(("name", "nickname", "gp", "family doctor", "home"), _capital),
    **dict.fromkeys(("age", "weight", "height", "phone number"), _number),
    "address": lambda value: _capital(value) or _number(value),
    "birthday": lambda value: _number(value) or DATE.search(value),
    "blood type": BLOOD.match,
}
"""What a value looks like: "User's GP is on holiday" names no other doctor."""
_OPINIONS = """
expensive cheap hard easy delicious gone closed nice bad great unknown secret difficult
rare common good healthy unhealthy tasty important unclear missing changing different
"""
OPINIONS = frozenset(_OPINIONS.split())
PREFERENCE = re.compile(
    rf"^{SUBJECT}\s+(?:prefers|woli|предпочитает) (?P<one>.+?)"
    r" (?:over|to|rather than|than|niż|od|чем) (?P<other>.+?)\W*$",
    re.IGNORECASE,
)
CUES = {
    "home": "live living reside based move relocate miesz zamieszk przepro przeni жив переех",
    "nickname": "call goes",
    "name": "call name imię nazywa зову",
    "job": "work pracuj работа",
    "weight": "weigh waży веси",
    "height": "tall cm height",
    "age": "old years age lat lata",
    "blood type": "blood",
    "smoking": "smok",
    "marriage": "single married divorced widowed engaged separated",
}
_QUALIFIERS = """
in on at with during for until when while and or since near before after but w na z
podczas do i lub и или с на в
"""
QUALIFIERS = frozenset(_QUALIFIERS.split())
CHANGE = re.compile(
    r"\b(?:now|no longer|recently|moved|relocated|teraz|obecnie|już nie|przeprowadził\w*"
    r"|przeni[oó]sł\w*|теперь|сейчас|больше не|переехал\w*)\b",
    re.IGNORECASE,
)
"""The sentence says that something is different from before."""
ENDING = re.compile(
    r"(?<=\w{3})(?:i[aeuąęó]?m?|iego|iej|ami|ach|om|ów|em|ego|emu|ej|[aąeęiouy]"
    r"|ами|ями|ах|ях|ов|ом|ой|ей|[аеиоуыюяь])$"
)
"""Of Polish and Russian words: what a case changes."""
AFTERTHOUGHT = re.compile(
    r"[\s,]+(?:after all|any ?more|in fact|as it turns out|jednak|всё-таки)\W*$"
)
"""May stand behind a denial, and changes nothing about what it denies."""
KEPT = 4096
"""Sentences that are not taken apart anew: one is held against many."""
LONGEST_VALUE = 5
"""Words. A longer value says more than the attribute."""
_NOTHING_SAID = """
not no never longer more anymore does do did is are was has have t doesn don didn isn
aren wasn hasn haven the quit stopped now currently nie już nigdy więcej przestał przestała
teraz не больше никогда уже перестал перестала
"""
NOTHING_SAID = frozenset(_NOTHING_SAID.split())


@dataclass(frozen=True, slots=True)
class Claim:
    """That an attribute of somebody has this value."""

    subject: str
    attribute: str
    value: str


def _plain(value: str) -> bool:
    words = tokens(value)
    short = 0 < len(words) <= LONGEST_VALUE
    return short and not (QUALIFIERS | OPINIONS) & set(words)


def _fits(attribute: str, value: str) -> bool:
    if "mail" in attribute:
        return "@" in value
    fits = SHAPES.get(attribute)
    return fits is None or bool(fits(value))


@lru_cache(maxsize=KEPT)
def claim(text: str) -> Claim | None:
    """What the sentence says about an attribute with one value, if it does."""
    if found := PREFERENCE.match(text):
        pair = sorted(found[name].lower() for name in ("one", "other"))
        return _claim(found["subject"], "/".join(pair), found["one"])
    if found := POSSESSED.match(text):
        attribute = found["attribute"].lower().replace("favour", "favor")
        opinion = OPINIONS & set(tokens(found["value"]))
        return None if opinion else _claim(found["subject"], attribute, found["value"])
    for attribute, frame in FRAMES:
        if found := frame.match(text):
            value = _value(found)
            return _claim(found["subject"], attribute, value) if value else None
    return None


def _claim(subject: str, attribute: str, value: str) -> Claim | None:
    if not is_single(subject) or not _fits(attribute, value):
        return None
    whose = subject.lower().strip().removeprefix("the ")
    return Claim(whose, attribute, value.lower())


def _value(found: re.Match[str]) -> str:
    groups = {name: text for name, text in found.groupdict().items() if text}
    if "yes" in groups or "no" in groups:
        return "yes" if "yes" in groups else "no"
    value = groups.get("place") or groups.get("value", "")
    return value if _plain(value) else ""


def _excludes(new: Claim, old: Claim, *, cue: bool) -> bool:
    ours, theirs = told(new.value), told(old.value)
    if _holds(ours, theirs) or _holds(theirs, ours):
        return False
    if new.attribute in {"weight", "height"}:
        return _units(new.value) == _units(old.value)
    if new.attribute == "job":
        return cue
    if new.attribute == "home" and is_wide(new.value) != is_wide(old.value):
        # Warsaw and Poland go together, New York and the Netherlands do not.
        return cue and is_wide(new.value)
    return True


def _holds(words: Sequence[str], others: Sequence[str]) -> bool:
    """Whether all words are among the others; A+ is an A, too."""
    plain = {t.rstrip("+-") for t in others}
    return all(t in others or t in plain for t in words)


def _units(value: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", value)


@lru_cache(maxsize=KEPT)
def _bare(text: str) -> tuple[str, ...]:
    words = tokens(CANNOT.sub("can not", AFTERTHOUGHT.sub("", text.lower())))
    root = _root if text.isascii() else _inflected_root
    return tuple(stem(root(t)) for t in words if t not in NOTHING_SAID)


def _root(token: str) -> str:
    return token.removesuffix("s") or token


def _inflected_root(token: str) -> str:
    """A Polish or Russian noun changes under a negation: pije kawę, nie pije kawy."""
    return ENDING.sub("", _root(token))


def contradicts(new: str, old: str) -> bool:
    """Whether both cannot be true at the same time, so that the newer one stands."""
    ours = claim(new)
    theirs = claim(old) if ours else None
    if ours and theirs:
        same = (ours.subject, ours.attribute) == (theirs.subject, theirs.attribute)
        return same and _excludes(ours, theirs, cue=CHANGE.search(new) is not None)
    return _denies(new, old)


def _denies(new: str, old: str) -> bool:
    """Whether one says the same with a negation, of whom there can be only one."""
    words, there = _bare(new), old.lower()
    if not words or not all(word in there for word in words) or words != _bare(old):
        return False  # the second question is the quick one: one is held against many
    return negated(new) != negated(old) and not SEVERAL & set(tokens(new))


def cues(text: str) -> str:
    """A tsquery for whatever a sentence could contradict: where nothing is claimed, by
    its two longest words; who it is about comes last, since that stands everywhere."""
    said = claim(text)
    if said is not None:
        words = CUES.get(said.attribute, "").split()
        return _tsquery(words or [stem(t) for t in tokens(said.attribute)], " | ")
    words = sorted(dict.fromkeys(_bare(text)), key=_telling, reverse=True)
    return _tsquery(words[:2], " & ")


def _tsquery(beginnings: Sequence[str], joined: str) -> str:
    return joined.join(f"'{beginning}':*" for beginning in beginnings)


def _telling(word: str) -> tuple[bool, bool, int]:
    return not re.search(r"\d", word), word not in OWNERS, len(word)
