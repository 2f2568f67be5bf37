# ruff: noqa: RUF001 - Russian letters are meant
"""Which sentence takes the place of which, where no model needs to be asked.

Only clear cases: the same subject and an attribute that has one value at a time ("lives
in NY", "moved to LA"), or the same words with and without a negation. All else stays
beside each other until a resolver looks at it.
"""

import re
from dataclasses import dataclass

from memory.capture.likeness import negated
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
        ("name", r"(?:is called|goes by|prefers to be called|is named) (?P<value>.+?)"),
        ("name", r"(?:ma na imię|nazywa się) (?P<value>.+?)"),
        ("name", r"зовут (?P<value>.+?)"),
        ("job", r"(?:now |currently )?(?:works as|is working as) (?P<value>.+?)"),
        ("job", r"pracuje jako (?P<value>.+?)"),
        ("job", r"работает (?P<value>\w+(?:ом|ем|ой|ей))"),
        ("weight", r"(?:now |currently )?(?:weighs|waży|весит) (?P<value>\d.*?)"),
        ("height", r"is (?P<value>\d[\d.,]* ?(?:cm|m|feet|ft).*?)(?: tall)?"),
        ("age", r"is (?P<value>\d+) years old"),
        ("age", r"ma (?P<value>\d+) lata?"),
        ("blood type", r"(?:has blood type|'s blood type is) (?P<value>.+?)"),
        ("smoking", r"(?P<value>(?:quit|stopped|does not|doesn't|never) smok\w+|smokes.*?)"),
        (
            "marriage",
            (r"is (?:now |recently |newly )?"
            r"(?P<value>(?:single|married|divorced|widowed|engaged|separated)(?: to .+?)?)"),
        ),
    )
]  # fmt: skip
POSSESSED = re.compile(
    r"^(?P<subject>.{1,40}?)['’]s (?P<attribute>(?:name|age|weight|height|blood type"
    r"|birthday|address|phone number|e-?mail(?: address)?|gp|family doctor|job"
    r"|favou?rite \w+)) is (?:now )?(?P<value>.+?)\W*$",
    re.IGNORECASE,
)
PREFERENCE = re.compile(
    rf"^{SUBJECT}\s+(?:prefers|woli|предпочитает) (?P<one>.+?)"
    r" (?:over|to|rather than|than|niż|od|чем) (?P<other>.+?)\W*$",
    re.IGNORECASE,
)
CUES = {
    "home": "live living reside based move relocate miesz zamieszk przepro przeni жив переех",
    "name": "call goes name imię nazywa зову",
    "job": "work pracuj работа job",
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
LONGEST_VALUE = 5
"""Words. A longer value says more than the attribute."""
_NOTHING_SAID = """
not no never longer more anymore does do did is are was has have t doesn don didn isn
aren wasn hasn haven quit stopped now currently nie już nigdy więcej przestał przestała
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
    return 0 < len(words) <= LONGEST_VALUE and not QUALIFIERS & set(words)


def _is_place(value: str) -> bool:
    return value.removeprefix("the ")[:1].isupper()


def claim(text: str) -> Claim | None:
    """What the sentence says about an attribute with one value, if it does."""
    if found := PREFERENCE.match(text):
        pair = sorted(found[name].lower() for name in ("one", "other"))
        return Claim(found["subject"].lower(), "/".join(pair), found["one"].lower())
    if found := POSSESSED.match(text):
        attribute = found["attribute"].lower().replace("favour", "favor")
        return Claim(found["subject"].lower(), attribute, found["value"].lower())
    for attribute, frame in FRAMES:
        if found := frame.match(text):
            groups = found.groupdict()
            value = groups.get("place") or groups.get("value") or ""
            if not _plain(value) or (groups.get("place") and not _is_place(value)):
                return None
            return Claim(groups["subject"].lower().strip(), attribute, value.lower())
    return None


def _bare(text: str) -> list[str]:
    return [
        stem(t.removesuffix("s") or t) for t in tokens(text) if t not in NOTHING_SAID
    ]


def contradicts(new: str, old: str) -> bool:
    """Whether both cannot be true at the same time, so that the newer one stands."""
    ours, theirs = claim(new), claim(old)
    if ours and theirs:
        same = (ours.subject, ours.attribute) == (theirs.subject, theirs.attribute)
        return same and ours.value != theirs.value
    words = _bare(new)
    return bool(words) and negated(new) != negated(old) and words == _bare(old)


def cues(text: str) -> list[str]:
    """Beginnings of words, one of which stands in whatever this could contradict."""
    said = claim(text)
    if said is None:
        return sorted(set(_bare(text)), key=len, reverse=True)[:1]
    words = CUES.get(said.attribute, "").split()
    return words or [stem(t) for t in tokens(said.attribute)]
