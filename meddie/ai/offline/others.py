"""What is said of the person whom the talk is about, and lists of remedies."""

import re

from meddie.ai.offline import english
from meddie.ai.offline.statements import is_question, sentences

_FIRST = re.compile(r"\w+", re.UNICODE)
_PRONOUN = r"he|she|they|on|ona|oni|one"
_SINGULAR = {"are": "is", "have": "has", "take": "takes", "use": "uses"}
_SINGULAR |= {"do not": "does not", "don't": "does not", "doesn't": "does not"}
_PLURAL = re.compile(r"(?:do not|don't|doesn't|are|have|take|use)\b", re.IGNORECASE)
_NEXT = re.compile(
    rf",?\s+(?:and|but|i|a|oraz)\s+(?:(?:{_PRONOUN})\s+)?(?=(?:takes?|has|have|is|are|uses?"
    r"|stopped|quit|no longer|does not|doesn't|bierze|ma|jest|przyjmuje)\b)",
    re.IGNORECASE,
)
_ITEM = re.compile(
    r",\s+(?:(?:and|oraz|i)\s+)?|\s+(?:and|plus|oraz|i)\s+", re.IGNORECASE
)
_OFTEN = re.compile(
    r"\s+(?:(?:every|each|daily|once|twice|in the|codziennie|rano|wieczorem|co)\b.*)$",
    re.IGNORECASE,
)
LONGEST_ITEM = 6
"""Words. Longer than that, and it is no list of remedies."""


def said_of(person: str, text: str, *, pronouns: bool) -> list[str]:
    """What the sentences about the person say, their subject cut off."""
    names = [re.escape(word) for word in _FIRST.findall(person) if len(word) > 1]
    if not names:
        return []
    name = "|".join(names)
    subject = rf"(?:{name})(?:\s+(?:{name}))*" + (rf"|{_PRONOUN}" if pronouns else "")
    about = re.compile(
        rf"(?:{subject})(?:\s+|(?='s\s))(?P<does>.+?)[.!]*$", re.IGNORECASE
    )
    return [
        _singular(part)
        for sentence in sentences(text)
        if not is_question(sentence)
        and (found := about.match(_bare(sentence)))
        and not english.will_pass(found["does"])
        for part in _NEXT.split(found["does"])
    ]


def items(what: str) -> list[str]:
    """Each remedy of a list; how often it is taken holds for all of them."""
    parts = [part.strip() for part in _ITEM.split(what) if part.strip()]
    if any(
        len(part.split()) > LONGEST_ITEM or not re.search(r"[^\W\d_]", part)
        for part in parts
    ):
        return [what]
    often = _OFTEN.search(parts[-1])
    if often is None or any(_OFTEN.search(part) for part in parts[:-1]):
        return parts
    return [*(f"{part}{often[0]}" for part in parts[:-1]), parts[-1]]


def _bare(sentence: str) -> str:
    return english.without_opening(english.without_adverbs(sentence))


def _singular(does: str) -> str:
    """ "They have" and "he's" as "has" and "is", the words of the notes."""
    does = re.sub(r"^'s\b", "is", does)
    return (
        _PLURAL.sub(lambda verb: _SINGULAR[verb[0].lower()], does, count=1)
        if (_PLURAL.match(does))
        else does
    )
