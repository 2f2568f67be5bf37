"""A yes or a no in words to a question whether something is to be forgotten."""

from memory.wording import lexicon
from memory.wording.naming import IS_UNDIVIDED
from memory.wording.wish_verbs import (
    ANY_EVERYTHING,
    ANY_FORGETTING,
    ANY_OPENING,
    BETWEEN_WORDS,
    DENYING,
    EVERYTHING,
    FORGETTING,
    NO,
    OPENINGS,
    opens_as_wish,
    says_undivided,
    taken_out,
)
from memory.wording.words import WORD, folded, plain

LONGEST_ANSWER = 8  # words
YES, AGREEING = (
    frozenset(WORD.findall(plain(listed))) for listed in (lexicon.YES, lexicon.AGREEING)
)
YES_UNDIVIDED = folded(lexicon.DENSE_YES)
STAYING, NO_UNDIVIDED = folded(lexicon.STAYING), folded(lexicon.DENSE_NO)


def agrees(message: str) -> bool:
    """Whether a message says yes to a question, and nothing else.; "ok wait" is none."""
    folded_text = plain(message)
    if "?" in folded_text:
        return False
    if IS_UNDIVIDED.search(folded_text):
        said = (YES_UNDIVIDED, *OPENINGS.values(), *FORGETTING.values())
        rest = taken_out(
            BETWEEN_WORDS.sub("", folded_text), [*said, *EVERYTHING.values()]
        )
        return not rest and says_undivided(message, YES_UNDIVIDED)
    words = WORD.findall(folded_text)
    saying = YES | AGREEING | ANY_OPENING | ANY_EVERYTHING | ANY_FORGETTING
    plainly = saying.issuperset(words) and len(words) <= LONGEST_ANSWER
    return plainly and not YES.isdisjoint(words)


def declines(message: str) -> bool:
    """Whether a message says no to a question, or that all stays, and nothing else."""
    folded_text = plain(message)
    if "?" in folded_text or not any(map(str.isalnum, folded_text)):
        return False
    if IS_UNDIVIDED.search(folded_text):
        rest = taken_out(
            BETWEEN_WORDS.sub("", folded_text), [NO_UNDIVIDED, *OPENINGS.values()]
        )
        return not rest and says_undivided(message, NO_UNDIVIDED)
    words = WORD.findall(folded_text)
    saying = NO | STAYING | DENYING | ANY_OPENING
    if ANY_FORGETTING.intersection(words) and opens_as_wish(message) is not False:
        return False
    plainly = saying.union(ANY_FORGETTING).issuperset(words)
    return plainly and len(words) <= LONGEST_ANSWER and not NO.isdisjoint(words)
