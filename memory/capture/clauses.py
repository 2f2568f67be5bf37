# ruff: noqa: RUF001 - the marks of Chinese and Japanese, and dashes, are meant
"""A message as clauses that are meant in earnest or not.

Questions, quotations, jokes and games state nothing about the user.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memory import languages
from memory.capture.grounding import CJK, stems_of
from memory.capture.same_fact import fold
from memory.languages import without_spaces as dense
from memory.words import tokens

SENTENCE = re.compile(r"(?<=[.!?…])(?<!\d\.)\s+|(?<=[。！？])|\n")
CLAUSE = re.compile(
    rf"[,;:，；：、()]|\s[-–—]\s|\b(?:{'|'.join(sorted(languages.JOINTS))})\b",
    re.IGNORECASE,
)
QUOTED = re.compile(
    rf"[\"“”„«»][^\"“”„«»]*[\"“”«»]|(?<!\w)'[^'\n]{{3,}}'(?!\w)|{dense.QUOTES}"
)
DENSE = re.compile(f"[{CJK}]")
NAME_WORDS, NAME_CHARACTERS = 2, 3  # the longest title or name in quotation marks


def either(pattern: re.Pattern[str], characters: str) -> re.Pattern[str]:
    return re.compile(f"{pattern.pattern}|{characters}", re.IGNORECASE | re.MULTILINE)


PLAYED = either(languages.PLAYED, dense.PLAYED)
RESUMED = either(languages.RESUMED, dense.RESUMED)
JOKED = either(languages.JOKED, dense.JOKED)
REPORTED = either(languages.REPORTED, dense.REPORTED)
FORGETTING = either(languages.FORGETTING, dense.FORGETTING)
QUESTION = re.compile(dense.QUESTION)


@dataclass(frozen=True, slots=True)
class Clause:
    """`earnest` is false in questions, quotations, jokes and games."""

    text: str
    sentence: str
    earnest: bool


def read_clauses(message: str) -> Iterator[Clause]:
    playing = False
    sentences = [s for s in SENTENCE.split(_without_quotations(message)) if s.strip()]
    for number, sentence in enumerate(sentences):
        following = sentences[number + 1] if number + 1 < len(sentences) else ""
        joke_ends = max((m.end() for m in JOKED.finditer(sentence)), default=0)
        parts = _parts(sentence)
        last = parts[-1][1]
        asks = bool(QUESTION.search(sentence.strip()))
        whole = asks and _ends_as_question(last)
        taken_back = (
            JOKED.search(following)
            or _is_taken_back(sentence)
            or languages.LAUGHTER.search(last)
        )
        for start, part in parts:
            if RESUMED.search(part):
                playing = False
            if PLAYED.search(part.strip()):
                playing = True
            earnest = not (playing or taken_back or start < joke_ends)
            earnest = earnest and not languages.LAUGHTER.search(part)
            asked = (
                whole
                or (asks and part is last)
                or _begins_question(part, in_question=asks)
            )
            earnest = earnest and not asked
            yield Clause(part, sentence, earnest)


def _is_taken_back(sentence: str) -> bool:
    rest = languages.REMINDER.sub("", sentence)
    return bool(languages.TAKEN_BACK.search(rest) or FORGETTING.search(rest))


def _parts(sentence: str) -> list[tuple[int, str]]:
    """The clauses with their places; a clause that reports speech ends the sentence."""
    reported = REPORTED.search(sentence)
    if reported:
        sentence = sentence[: reported.start()]
    starts = [0, *(found.end() for found in CLAUSE.finditer(sentence))]
    ends = [*(found.start() for found in CLAUSE.finditer(sentence)), len(sentence)]
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


def _ends_as_question(last: str) -> bool:
    """Whether the last clause makes a question of all: a tag or a condition."""
    tag = not stems_of(last)  # "…, don't I?"
    return tag or bool(languages.SUPPOSED.match(last.strip()))


def _begins_question(part: str, *, in_question: bool) -> bool:
    first = tokens(fold(part))[:2]
    begins = bool(first) and first[0] in languages.ASKING
    inverted = len(first) > 1 and first[1] in languages.FIRST_PERSON
    return begins and (in_question or inverted)
