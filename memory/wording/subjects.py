"""Whom a fact is about, and the fact as it is shown."""

import re
from dataclasses import dataclass

from memory.wording.words import RELATIONS, USER, WORD, levelled, plain

LEADING = re.compile(
    rf"(?:(?:the|el|la|der|die|de|o|a|у)\s+|l['’])?(?:{'|'.join(sorted(USER))})"
    r"(?:['’]s)?(?!\w)[\s:]*|(?:用户|ユーザー|使用者)[的のはが]?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Subject:
    """`words` are the fact's own, such as "User's mother"; none for the user.

    `key` is in English for the relations that the lexicon knows.
    """

    key: str
    words: str = ""


OF_USER = Subject("")


def subject_of(fact: str) -> Subject | None:
    """The user or a relative of theirs, as the first words tell; None if they do not."""
    words = list(WORD.finditer(fact))[:4]
    possessive = any(word[0] == "s" for word in words[:3])
    for word in words if possessive else words[:2]:
        if relation := RELATIONS.get(plain(word[0])):
            return Subject(relation, fact[: word.end()])
    return OF_USER if LEADING.match(levelled(fact)) else None


def shown_text(fact: str) -> str:
    """The fact without the user at its beginning: "Lives in Bergen", "Mother has asthma"."""
    found = LEADING.match(levelled(fact))
    rest = fact[found.end() :] if found else ""
    return rest[:1].upper() + rest[1:] if rest else fact
