"""Whether a clause tells of the past what a fact states of the present."""

from itertools import pairwise

from memory import languages
from memory.capture.clauses import Clause, either
from memory.capture.grounding import shared_stems, stems_of
from memory.capture.same_fact import fold, negated, past, past_of
from memory.languages import without_spaces as dense
from memory.words import tokens

LEAST = 4  # letters with which two forms of a Polish or Russian verb begin
FORMERLY = either(languages.FORMERLY, dense.FORMERLY)


def is_over(fact: str, clause: Clause) -> bool:
    text = clause.text
    told = FORMERLY.search(text) or _was(fact, text) or _verb_is_past(fact, text)
    return bool(told) and not (past(fact) or negated(fact) or FORMERLY.search(fact))


def _was(fact: str, clause: str) -> bool:
    """Whether "was" is before the first word of the fact: "I was a teacher"."""
    words = tokens(fold(clause))
    if languages.WAS.isdisjoint(words):
        return False
    ours = stems_of(fact)
    has_verb = not languages.IS.isdisjoint(tokens(fold(fact)))
    latest = ""
    for before, word in pairwise(["", *words]):
        if word in languages.WAS | languages.IS:
            latest = word
        elif shared_stems(ours, stems_of(word)):
            # "I was diagnosed" is a present state.
            told = has_verb or before in languages.WAS
            return (
                told
                and latest in languages.WAS
                and not word.endswith(languages.PAST_ENDINGS)
            )
    return False


def _verb_is_past(fact: str, clause: str) -> bool:
    words = tokens(fold(clause))
    if languages.PERFECT.isdisjoint(words) and past_of(clause, fact):
        return True
    german = {word[:-1] for word in words if word.endswith("te")}
    german |= {word[2:] for word in words if word.startswith("ge")}
    verbs = {found[0][:LEAST] for found in languages.PAST_FORMS.finditer(fold(clause))}
    if not german | verbs:
        return False
    ours = tokens(fold(fact))
    present = (word for word in ours if word.endswith(languages.PRESENT_ENDINGS))
    return not german.isdisjoint(ours) or any(w[:LEAST] in verbs for w in present)
