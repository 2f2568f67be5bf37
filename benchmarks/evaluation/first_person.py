"""Facts about "User" and questions with "I", made from those that name a speaker.

A few rules replace the names, so some of the grammar stays wrong. Pure.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from benchmarks.evaluation.locomo import Sample

BEFORE_ME = re.compile(
    r"\b(about|after|against|around|at|before|beside|between|by|for|from|in|into"
    r"|like|near|of|on|over|than|through|to|toward|towards|with|without|bring|bother|gave"
    r"|give|help|helped|inspire|inspired|let|made|make|motivate|motivated|remind|tell"
    r"|told) (?:I|my(?=\W*$))(?!\w)",
    re.IGNORECASE,
)
LAST = re.compile(r"(?<!am )(?<!was )(?<!do )(?<!did )(?<!have )(?<!had )\bI(?=\W*$)")
AGREEING = {
    "Does I": "Do I",
    "does I": "do I",
    "Has I": "Have I",
    "has I": "have I",
    "Is I": "Am I",
    "is I": "am I",
    "I is": "I am",
    "I has": "I have",
    "I does": "I do",
}
PRONOUNS = {
    "he": "I",
    "she": "I",
    "her": "my",
    "hers": "mine",
    "him": "me",
    "his": "my",
    "herself": "myself",
    "himself": "myself",
}
AGREES, PRONOUN = (
    re.compile(rf"\b(?:{'|'.join(words)})\b") for words in (AGREEING, PRONOUNS)
)


def in_first_person(told: Sequence[tuple[str, Sample]]) -> list[Sample]:
    return [
        replace(
            sample,
            units=tuple(replace(u, text=fact(u.text, name)) for u in sample.units),
            questions=tuple(
                replace(q, text=question(q.text, name)) for q in sample.questions
            ),
        )
        for name, sample in told
    ]


def fact(text: str, name: str) -> str:
    return _replaced(text, name, "User", "User's")


def question(text: str, name: str) -> str:
    """The question as the named person asks it."""
    own = _replaced(text, name, "I", "my")
    own = PRONOUN.sub(lambda found: PRONOUNS[found[0]], own)
    own = AGREES.sub(lambda found: AGREEING[found[0]], own)
    own = LAST.sub("me", BEFORE_ME.sub(r"\1 me", own))
    return own[:1].upper() + own[1:]


def _replaced(text: str, name: str, itself: str, possessive: str) -> str:
    owned = re.sub(rf"\b{re.escape(name)}(?:'s\b|'(?=\s))", possessive, text)
    return re.sub(rf"\b{re.escape(name)}\b", itself, owned)
