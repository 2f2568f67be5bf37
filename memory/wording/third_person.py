"""A statement as a doctor reads it: "Takes …" for "I take …" and "She takes …"."""

import re

from memory.wording import lexicon
from memory.wording.words import folded, folded_pairs, levelled

PRONOUNS = folded(lexicon.OTHERS_AS_SUBJECT)
VERBS = folded_pairs(lexicon.THIRD_PERSON_VERBS)
BEGINNING = re.compile(r"([^\W\d_]+)(?:\s+|(?='))")
FIRST_PERSON = re.compile(r"\b(?:i|my|me|myself|we|our)\b")
CONTRACTED = re.compile(r"'(?:s|re|m)\s+(had|been|got)?")


def in_third_person(text: str) -> str:
    """Without the pronoun at its beginning; as said where that needs grammar."""
    plain_text = levelled(text)
    found = BEGINNING.match(plain_text)
    if found is None or found[1] not in PRONOUNS | {"i"}:
        return text
    rest, folded_rest = text[found.end() :], plain_text[found.end() :]
    if contracted := CONTRACTED.match(folded_rest):
        verb = "has" if contracted[1] else "is"
        rest = f"{verb} {rest[contracted.end() - len(contracted[1] or '') :]}"
    elif found[1] == "i":
        verb, space, others = rest.partition(" ")
        if verb.lower() not in VERBS:
            return text
        rest = f"{VERBS[verb.lower()]}{space}{others}"
    if found[1] == "i" and FIRST_PERSON.search(levelled(rest)):
        return text
    return rest[:1].upper() + rest[1:]
