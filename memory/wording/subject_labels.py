"""The text of a fact with whom it is about, and without, as a list or a doctor reads it."""

import re

from memory.subjects import NO_HOUSEHOLD, Household, Subject
from memory.wording import lexicon
from memory.wording.mentions import NamingText
from memory.wording.person_words import ANY_THIRD, NOMINATIVES, POSSESSIVES
from memory.wording.words import USER as USER_WORDS
from memory.wording.words import folded, folded_pairs, levelled, plain

LEADING = re.compile(
    rf"(?:(?:the|el|la|der|die|de|o|a|у)\s+|l['’])?(?:{'|'.join(sorted(USER_WORDS))})"
    r"(?:['’]s)?(?!\w)[\s:]*|(?:用户|ユーザー|使用者)[的のはが]?",
    re.IGNORECASE,
)
OTHERS_AS_SUBJECT = folded(lexicon.OTHERS_AS_SUBJECT)
THIRD_PERSON_VERBS = folded_pairs(lexicon.THIRD_PERSON_VERBS)
BEGINNING = re.compile(r"([^\W\d_]+)(?:\s+|(?='))")
FIRST_PERSON = re.compile(r"\b(?:i|my|me|myself|we|our)\b")
CONTRACTED = re.compile(r"'(?:s|re|m)\s+(had|been|got)?")
LONGEST_LABEL = 3  # words, as in "my daughter Mia"


def labelled(text: str, subject: Subject) -> str:
    """With whom it is about, unless it says so: "Mia: she takes montelukast"."""
    if subject.unsure or subject.is_user or names(text, subject):
        return text
    first = text.split(maxsplit=1)[0] if text else ""
    if plain(first) in ANY_THIRD:
        text = text[:1].lower() + text[1:]
    return f"{subject.label}: {text}"


def without_label(text: str, subject: Subject) -> str:
    """As said, for a list that is headed by the subject."""
    label, colon, rest = text.partition(": ")
    is_label = label == subject.label or (
        len(label.split()) <= LONGEST_LABEL and names(label, subject)
    )
    return rest[:1].upper() + rest[1:] if colon and is_label else text


def without_user(text: str) -> str:
    """For a fact that moves to another: "Takes ramipril" of "User takes ramipril"."""
    shown = shown_text(text)
    first = next(iter(NamingText(text, NO_HOUSEHOLD).mentions()), None)
    if shown != text or first is None or not first.of_user:
        return shown
    word, _space, rest = text.partition(" ")
    says_user = levelled(word).partition("'")[0] in NOMINATIVES | POSSESSIVES
    return rest[:1].upper() + rest[1:] if says_user and rest else text


def names(text: str, subject: Subject) -> bool:
    """Whether a text names the subject."""
    return any(
        mention.subject is not None and subject.is_same(mention.subject)
        for mention in NamingText(text, Household(relatives=[subject])).mentions()
    )


def shown_text(fact: str) -> str:
    """The fact without the user at its beginning: "Lives in Bergen", "Mother has asthma"."""
    found = LEADING.match(levelled(fact))
    rest = fact[found.end() :] if found else ""
    return rest[:1].upper() + rest[1:] if rest else fact


def in_third_person(text: str) -> str:
    """As a doctor reads it: "Takes …" for "I take …"; as said where that needs grammar."""
    plain_text = levelled(text)
    found = BEGINNING.match(plain_text)
    if found is None or found[1] not in OTHERS_AS_SUBJECT | {"i"}:
        return text
    rest, folded_rest = text[found.end() :], plain_text[found.end() :]
    if contracted := CONTRACTED.match(folded_rest):
        verb = "has" if contracted[1] else "is"
        rest = f"{verb} {rest[contracted.end() - len(contracted[1] or '') :]}"
    elif found[1] == "i":
        verb, space, others = rest.partition(" ")
        if verb.lower() not in THIRD_PERSON_VERBS:
            return text
        rest = f"{THIRD_PERSON_VERBS[verb.lower()]}{space}{others}"
    if found[1] == "i" and FIRST_PERSON.search(levelled(rest)):
        return text
    return rest[:1].upper() + rest[1:]
