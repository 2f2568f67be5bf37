"""Whom a fact is about, and how the user reads it."""

import re
from dataclasses import dataclass

from memory import languages
from memory.capture.speakers import others_of, relative
from memory.languages import without_spaces as dense

WORD = re.compile(r"[^\W_]+")
OF_USER = "|".join(sorted(languages.USER | languages.FIRST_PERSON))
ABOUT_USER = re.compile(rf"(?:{OF_USER})\b|{dense.USER}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Subject:
    """`words` are the fact's own, such as "User's mother"; none for the user."""

    key: str
    words: str = ""


USER = Subject("")


def subject_of(fact: str) -> Subject | None:
    """The user or a relative of theirs, as the first words tell; None if they do not."""
    others = others_of(fact)
    if not others:
        return USER if ABOUT_USER.match(fact) else None
    named = [
        word for word in WORD.finditer(fact) if relative(word[0].lower()) in others
    ]
    words = fact[: named[0].end()] if named else fact
    return Subject(" ".join(sorted(others)), words)


def in_second_person(fact: str) -> str:
    """ "You are allergic" for "User is allergic", where the sentence allows it."""
    for words, form in languages.SECOND_PERSON:
        fact = words.sub(form, fact)
    return fact
