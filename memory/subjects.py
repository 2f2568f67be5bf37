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
    """`words` are the fact's own, such as "User's mother"; none for the user.

    `key` is in English for the relations of `languages.RELATIONS`.
    """

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
    key = " ".join(sorted(languages.RELATIONS.get(other, other) for other in others))
    return Subject(key, words)


def in_second_person(fact: str) -> str:
    """ "You are allergic" for "User is allergic", where the sentence allows it."""
    return _rewritten(fact, languages.SECOND_PERSON)


def as_fact(text: str, stored: str = "") -> str:
    """ "User is allergic" for "You are allergic" and "I am allergic", likewise.

    A user who is a woman in the stored fact stays one.
    """
    fact = _rewritten(text, languages.AS_FACT)
    read = in_second_person(fact)
    kept = read != fact and _rewritten(read, languages.AS_FACT) == fact
    if not kept:
        return text
    woman = any(str(form) in stored for _, form in languages.OF_WOMAN)
    return _rewritten(fact, languages.OF_WOMAN) if woman else fact


def _rewritten(text: str, rules: languages.Rules) -> str:
    for words, form in rules:
        while (changed := words.sub(form, text)) != text:
            text = changed
    return text
