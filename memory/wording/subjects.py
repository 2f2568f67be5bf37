"""Whom a text is about, by its words: the first whom it names, as a rule.

"I take my mother to the clinic" is about the user, "my mother takes me" about her. A text
without a name is about the person of the conversation, or whom the sentence before it names.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from memory.judgement.judge import belongs
from memory.subjects import UNSURE, USER, Household, Subject, same_name
from memory.wording import lexicon
from memory.wording.splitting import split_sentences
from memory.wording.words import (
    ENDINGS,
    RELATIONS,
    STOP_WORDS,
    folded,
    levelled,
    plain,
    spoken_language,
)
from memory.wording.words import USER as USER_WORDS

WORD = re.compile(r"[^\W\d_]+(?:[-][^\W\d_]+)*")
IN_LAW = re.compile(r"\w+[ -]in[ -]law")
BREAK = re.compile(r"[,;:()]|\s[-–—]\s")
FIRST = {code: folded(words) for code, words in lexicon.FIRST_PERSON.items()}
THIRD = {code: folded(words) for code, words in lexicon.THIRD_PERSON.items()}
REPORTS, GIVES, FOR = map(folded, (lexicon.REPORTS, lexicon.GIVES, lexicon.FOR))
JOINS, TITLES = folded(lexicon.JOINS), folded(lexicon.TITLES)
FEMALE, MALE = folded(lexicon.FEMALE), folded(lexicon.MALE)
POLISH_PAST = re.compile(r"\w{2,}l[ae]m")  # "bralam", "mialem", as folded
NEAR = 3  # words between the user and what they report or give
SHORTEST_STEM = 2


@dataclass(frozen=True, slots=True)
class Mention:
    """Of the user, of another, or of one who was named before (no subject)."""

    place: int  # of the word, from 0
    word: str  # folded
    subject: Subject | None
    begins_clause: bool = False


def subject_of(text: str, household: Household) -> Subject:
    """Whom a fact is about; UNSURE if its words leave it open."""
    return _subject(text, household, _before(text, household))
