# ruff: noqa: RUF001 - the marks of Chinese and Japanese, and dashes, are meant
"""A message as clauses: the one place where sentences, questions and "not" are read.

Questions, quotations, jokes and games state nothing about the user.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise

from memory import languages
from memory.capture.grounding import CJK, stems_of
from memory.capture.same_fact import EMPTY, fold
from memory.languages import without_spaces as dense
from memory.words import WORD, tokens

SENTENCE = re.compile(r"(?<=[.!?…])(?<!\d\.)\s+|(?<=[。！？])|\n")
CLAUSE = re.compile(
    rf"{languages.PRESUPPOSED.pattern}|(?={languages.LIKEWISE.pattern})"
    rf"|[,;:，；：、()]|\s[-–—]\s|\b(?:{'|'.join(sorted(languages.JOINTS))})\b",
    re.IGNORECASE,
)
QUOTED = re.compile(
    rf"[\"“”„«»][^\"“”„«»]*[\"“”«»]|(?<!\w)'[^'\n]{{3,}}'(?!\w)|{dense.QUOTES}"
)
DENSE = re.compile(f"[{CJK}]")
BEFORE = 300  # characters before a clause in which its person is named
NAME_WORDS, NAME_CHARACTERS = 2, 3  # the longest title or name in quotation marks
LINKING = EMPTY | {  # words between "not" and what is denied
    word
    for word in languages.FIRST_PERSON
    if word.endswith(languages.FIRST_PERSON_ENDINGS)
}


def either(pattern: re.Pattern[str], characters: str) -> re.Pattern[str]:
    return re.compile(f"{pattern.pattern}|{characters}", re.IGNORECASE | re.MULTILINE)


PLAYED = either(languages.PLAYED, dense.PLAYED)
RESUMED = either(languages.RESUMED, dense.RESUMED)
JOKED = either(languages.JOKED, dense.JOKED)
REPORTED = either(languages.REPORTED, dense.REPORTED)
FORGETTING = either(languages.FORGETTING, dense.FORGETTING)
SUPPOSED = either(languages.SUPPOSED, dense.SUPPOSED)
UNCERTAIN = either(languages.UNCERTAIN, dense.UNCERTAIN)
NEGATED = either(languages.NEGATIONS, dense.NEGATIONS)
LIKEWISE = either(languages.LIKEWISE, dense.LIKEWISE)
QUESTION = re.compile(dense.QUESTION)
FIRST_LAUGHTER = re.compile(
    rf"^\W*(?:(?:{languages.LAUGHTER.pattern})\W*)+", re.IGNORECASE
)


@dataclass(frozen=True)
class Clause:
    """`earnest` is false in questions, quotations, jokes and games.

    `before` precedes it in its sentence, `condition` is the "if I" on which it depends.
    Of "so am I" the text is what was said of another, and `likewise` is true.
    """

    text: str
    before: str
    sentence: str
    earnest: bool
    condition: str = ""
    likewise: bool = False

    @cached_property
    def stems(self) -> frozenset[str]:
        return stems_of(self.text)

    @property
    def uncertain(self) -> bool:
        return bool(UNCERTAIN.search(self.text))

    @property
    def negated(self) -> bool:
        return bool(NEGATED.search(self.text))

    @cached_property
    def denied(self) -> list[list[str]]:
        """The two words after each "not"; none where it ends the clause."""
        text = fold(self.text)
        return [
            list(islice(_telling(text, found.end()), 2))
            for found in languages.NEGATIONS.finditer(text)
        ]


def _telling(text: str, start: int) -> Iterator[str]:
    words = (found[0] for found in WORD.finditer(text, start))
    return (word for word in words if word not in LINKING)


def split_sentences(message: str) -> list[str]:
    return [one for one in SENTENCE.split(message) if one.strip()]


def read_clauses(message: str) -> Iterator[Clause]:
    playing = False
    told = split_sentences(_without_quotations(message))
    for sentence, following in pairwise([*told, ""]):
        text = FIRST_LAUGHTER.sub("", sentence) or sentence
        parts = _parts(text)
        unearnest = _asked(text, parts) | _joked(text, parts, following)
        condition = previous = ""
        for start, part in parts:
            if RESUMED.search(part):
                playing = False
            if PLAYED.search(part.strip()):
                playing = True
            rest = LIKEWISE.sub("", part)
            likewise = rest != part and not stems_of(rest)
            said = previous if likewise else part
            before = text[max(start - BEFORE, 0) : start]
            earnest = not playing and start not in unearnest
            yield from _halves(Clause(said, before, text, earnest, condition, likewise))
            alone = SUPPOSED.search(part) and not languages.CONDITION.match(
                part.strip()
            )
            condition = part if alone else ""
            previous = part


def _joked(sentence: str, parts: list[tuple[int, str]], following: str) -> set[int]:
    """Where clauses begin that are taken back, or laughed at."""
    laughing = languages.LAUGHTER.search
    if JOKED.search(following) or _is_taken_back(sentence) or laughing(parts[-1][1]):
        return {start for start, _ in parts}
    ends = max((found.end() for found in JOKED.finditer(sentence)), default=0)
    return {start for start, part in parts if start < ends or laughing(part)}


def _halves(clause: Clause) -> Iterator[Clause]:
    """The clause; of "If I eat nuts I itch" also what follows the condition."""
    yield clause
    found = languages.CONDITION.match(clause.text.strip())
    if found:
        text = clause.text.strip()[found.end() :]
        yield Clause(text, clause.before, clause.sentence, clause.earnest, found[0])


def _asked(sentence: str, parts: list[tuple[int, str]]) -> set[int]:
    """Where clauses begin that ask. "Does it matter that I smoke?" tells that, too."""
    if_asks = bool(QUESTION.search(sentence.strip()))
    last_start, last = parts[-1]
    told = {found.end() for found in languages.PRESUPPOSED.finditer(sentence)}
    # A tag or a condition makes a question of all: "…, don't I?"
    tag = not stems_of(last) or languages.SUPPOSED.match(last.strip())
    if if_asks and tag:
        return {start for start, _ in parts} - told
    asked = {s for s, part in parts if _begins_question(part, in_question=if_asks)}
    return (asked | ({last_start} if if_asks else set())) - told


def _begins_question(part: str, *, in_question: bool) -> bool:
    first = tokens(fold(part))[:2]
    begins = bool(first) and first[0] in languages.ASKING
    inverted = len(first) > 1 and first[1] in languages.FIRST_PERSON
    return begins and (in_question or inverted)


def _is_taken_back(sentence: str) -> bool:
    rest = languages.REMINDER.sub("", sentence)
    return bool(languages.TAKEN_BACK.search(rest) or FORGETTING.search(rest))


def _parts(sentence: str) -> list[tuple[int, str]]:
    """The clauses with their places; a clause that reports speech ends the sentence."""
    reported = REPORTED.search(sentence)
    if reported:
        sentence = sentence[: reported.start()]
    found = list(CLAUSE.finditer(sentence))
    starts = [0, *(one.end() for one in found)]
    ends = [*(one.start() for one in found), len(sentence)]
    parts = [(s, sentence[s:e]) for s, e in zip(starts, ends, strict=True)]
    return [(start, part) for start, part in parts if part.strip()] or [(0, sentence)]


def _without_quotations(message: str) -> str:
    """Keep names in quotation marks, and what is a word or two."""

    def kept(found: re.Match[str]) -> str:
        words = tokens(found[0])
        speaks = not languages.FIRST_PERSON.isdisjoint(words) or len(words) > NAME_WORDS
        many = bool(DENSE.search(found[0])) and len(found[0]) > NAME_CHARACTERS + 2
        return " " if speaks or many else found[0]

    return QUOTED.sub(kept, message)
