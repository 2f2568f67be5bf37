"""Find the sentences of a message that describe an emergency of this moment.

A sign is one or two groups of phrases within a sentence, or within two that follow each
other. Clauses about another time, a story or a question in general do not count, nor
does a phrase after a negation. The time grows with the length of the message.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from types import ModuleType

from conversations.emergencies import english, polish, russian

LANGUAGES = {"en": english, "pl": polish, "ru": russian}
SENTENCE = re.compile(r"[^.!?…\n]+[.!?…]*")
CLAUSE = re.compile(r"[,;:()\"“”„«»\u2013\u2014]|\s-\s")
WORD = re.compile(r"[\w-]+")
GAP = 4
"""Words that `...` stands for at most."""
BEFORE = 60
"""Characters before a sign that are searched for a negation."""


@dataclass(frozen=True, slots=True)
class Sign:
    """The groups of phrases that make a sign together, and what excludes it."""

    groups: tuple[str, ...]
    unless: str = ""
    medical: bool = True
    crisis: bool = False
    recurring: bool = False  # also told of habits: "If I eat nuts I get hives"


SIGNS = (
    Sign(("CHEST_PAIN", "BESIDE_CHEST_PAIN")),
    Sign(("HEART_ATTACK",), unless="PAST_ATTACK"),
    Sign(("STROKE",), unless="PAST_ATTACK"),
    Sign(("BREATHING",), unless="HARMLESS_BREATHING"),
    Sign(("UNCONSCIOUS",), unless="HARMLESS_UNCONSCIOUS"),
    Sign(("ANAPHYLAXIS",), recurring=True),
    Sign(("SWELLING", "REACTION"), recurring=True),
    Sign(("OVERDOSE",), unless="HARMLESS_OVERDOSE", crisis=True),
    Sign(("BLEEDING",), unless="HARMLESS_BLEEDING"),
    Sign(("SUICIDE",), unless="HARMLESS_SUICIDE", medical=False, crisis=True),
    Sign(("SUICIDE", "SUFFERING"), medical=False, crisis=True),
    Sign(("FAREWELL", "DESPAIR"), medical=False, crisis=True),
)


@dataclass(frozen=True, slots=True)
class Emergency:
    """The sentences with a sign, their language, and which help they call for.

    `rest` is the other sentences.
    """

    sentences: tuple[str, ...]
    rest: str
    language: str
    medical: bool
    crisis: bool


def find_emergency(text: str) -> Emergency | None:
    """Return what the message says of an emergency, if anything."""
    sentences = SENTENCE.findall(text)
    found: dict[int, tuple[str, list[Sign]]] = {}
    for number, sentence in enumerate(sentences):
        if named := _signs_of(sentence):
            found[number] = named
    for first, second in pairwise(range(len(sentences))):
        if first in found or second in found:
            continue
        if named := _signs_of(f"{sentences[first]}, {sentences[second]}"):
            found[first] = found[second] = named
    if not found:
        return None
    signs = [sign for _, named in found.values() for sign in named]
    return Emergency(
        tuple(sentences[number] for number in sorted(found)),
        "".join(one for number, one in enumerate(sentences) if number not in found),
        found[min(found)][0],
        medical=any(sign.medical for sign in signs),
        crisis=any(sign.crisis for sign in signs),
    )


def plain_letters(text: str) -> str:
    """Lower case without accents and apostrophes, as people type on a phone."""
    plain = unicodedata.normalize("NFKD", text.casefold().replace("ł", "l"))
    return "".join(
        character
        for character in plain
        if character not in "'’‘`´" and unicodedata.category(character) != "Mn"  # noqa: RUF001
    )


class _Phrases:
    """The rows of one language, compiled."""

    def __init__(self, module: ModuleType) -> None:
        no = _alternatives(module.NO_WORDS)
        self._gap = rf"(?:(?!{no} )\S+ ){{0,{GAP}}}?"
        self.denied = re.compile(rf" {no} (?:{_alternatives(module.FILLING)} )*$")
        self.aside = self._compile(module.ASIDE + module.LONG_AGO)
        self.long_ago = self._compile(module.LONG_AGO)
        self.habit = self._compile(module.HABIT)
        self.now = self._compile(module.NOW)
        joints = self._compile("\n".join(module.JOINTS.split("|")))
        self.joint = re.compile(f"(?={joints.pattern})")
        names = {name for s in SIGNS for name in (*s.groups, s.unless) if name}
        self.groups = {name: self._compile(getattr(module, name)) for name in names}
        named = {name for s in SIGNS for name in s.groups}
        self.named = self._compile("\n".join(getattr(module, n) for n in sorted(named)))

    def _compile(self, rows: str) -> re.Pattern[str]:
        phrases = ("".join(map(self._piece, r.split())) for r in rows.splitlines() if r)
        return re.compile(rf"(?<= )(?:{'|'.join(phrases)})")

    def _piece(self, word: str) -> str:
        if word == "...":
            return self._gap
        if word == "$":
            return word
        plain = f"{_alternatives(word.removesuffix('?'))} "
        return f"(?:{plain})?" if word.endswith("?") else plain

    def signs_of(self, sentence: str) -> list[Sign]:
        clauses = list(self._clauses(sentence))
        if not any(map(self.named.search, clauses)):  # most sentences
            return []
        live = [list(self._live_clauses(clauses, habits=h)) for h in (True, False)]
        return [sign for sign in SIGNS if self._shows(sign, live[sign.recurring])]

    def _shows(self, sign: Sign, clauses: list[str]) -> bool:
        if sign.unless:
            harmless = self.groups[sign.unless]
            clauses = [one for one in clauses if not harmless.search(one)]
        return all(
            any(self._states(self.groups[name], clause) for clause in clauses)
            for name in sign.groups
        )

    def _states(self, group: re.Pattern[str], clause: str) -> bool:
        """Whether a phrase of the group is in the clause and not denied."""
        found = group.search(clause)
        while found:
            start = found.start()
            if not self.denied.search(clause, max(0, start - BEFORE), start):
                return True
            found = group.search(clause, start + 1)
        return False

    def _live_clauses(self, clauses: list[str], *, habits: bool) -> Iterator[str]:
        """The clauses that speak of this moment, or of habits, too."""
        elsewhere = False
        for clause in clauses:
            if self.now.search(clause):
                elsewhere = False
            elif not habits and self.habit.search(clause):
                elsewhere = True
            aside = self.aside.search(clause)
            opening = self.long_ago.search(clause)
            if opening and clause.count(" ", 0, opening.start()) <= 2:
                elsewhere = True
            if not aside and not elsewhere:
                yield clause

    def _clauses(self, sentence: str) -> Iterator[str]:
        for part in CLAUSE.split(sentence):
            words = f" {' '.join(WORD.findall(part))} "
            yield from (f" {clause.strip()} " for clause in self.joint.split(words))


def _alternatives(word: str) -> str:
    """`|`, `*`, `_` and `#` of a row as a regular expression."""
    escaped = re.escape(plain_letters("".join(word.split())).replace("_", " "))
    for mark, meaning in (("\\|", "|"), ("\\*", r"\S*"), ("\\#", r"\d{2,}")):
        escaped = escaped.replace(mark, meaning)
    return f"(?:{escaped})"


_PHRASES = {code: _Phrases(module) for code, module in LANGUAGES.items()}


def _signs_of(sentence: str) -> tuple[str, list[Sign]] | None:
    """The language and the signs of the sentence, if it has any."""
    folded = plain_letters(sentence)
    for code, phrases in _PHRASES.items():
        if signs := phrases.signs_of(folded):
            return code, signs
    return None
