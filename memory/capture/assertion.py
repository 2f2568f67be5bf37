"""Whether a message states a fact as true of its subject, against a fooled extractor.

The words of the fact have to be in clauses that are meant in earnest, and the person
named before them has to be the one whom the fact is about.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Self

from memory import languages
from memory.capture.clauses import Clause, either, read_clauses
from memory.capture.grounding import (
    CJK,
    LINKING,
    denied,
    grounded,
    next_word,
    shared_stems,
    stems_of,
)
from memory.capture.measures import YEAR, dated_words, has_numbers
from memory.capture.same_fact import fold, root
from memory.capture.tense import is_over
from memory.languages import without_spaces as dense
from memory.words import WORD, plain, tokens

OVERLAP, DENSE_OVERLAP = 0.33, 0.15  # shares of a fact's words, S3-39
EVIDENCED = 0.7  # of the share, if the message has the evidence
SHORTEST, LONGEST_ENDING = 3, 3  # letters of a word's stem and ending
BEFORE = 300  # characters before a clause in which its person is named
HAS_DENSE = re.compile(f"[{CJK}]")
OTHERS = frozenset(map(root, languages.RELATIVES | languages.PEOPLE))
DENSE_HEAD = re.compile(
    rf"^(?:{dense.USER})(?:[{dense.POSSESSIVE}](?:{dense.OTHERS}))?"
)
WE = languages.FIRST_PERSON | languages.JOINTS  # "me and my wife"
UNCERTAIN = either(languages.UNCERTAIN, dense.UNCERTAIN)
NEGATED = either(languages.NEGATIONS, dense.NEGATIONS)
PERSON = re.compile(
    rf"(?P<self>{dense.FIRST_PERSON})|(?P<other>{dense.OTHERS})|[^\W{CJK}]+|[{CJK}]"
)


def refusal_of(
    fact: str, message: str, *, evidence: str = "", earlier: str = ""
) -> str:
    """The reason why the message does not state the fact; empty if it does.

    `earlier` is what was said before, which may name what the message is about.
    """
    if not grounded(fact, message):
        return "ungrounded"
    if not _is_covered(fact, message, earlier, evidence):
        return "ungrounded"
    told = [
        c for c in read_clauses(message) if c.earnest and not _is_open(c.text, fact)
    ]
    text = "\n".join(clause.text for clause in told)
    if not grounded(fact, text) or not _is_covered(fact, text, earlier, evidence):
        return "not_asserted"
    if denied(fact, text) or _contradicts(fact, told):
        return "not_asserted"
    return "" if _is_about_subject(fact, told, earlier) else "not_asserted"


def _is_open(part: str, fact: str) -> bool:
    """Whether the clause leaves open what the fact states, or says that it is over."""
    uncertain = bool(UNCERTAIN.search(part)) and not UNCERTAIN.search(fact)
    return uncertain or is_over(fact, part)


def _is_covered(fact: str, text: str, earlier: str, evidence: str) -> bool:
    """Whether enough of the fact's words are there, or less with evidence."""
    said = f"{text}\n{earlier}"
    if not has_numbers(fact, said):
        return False
    if _compact(fact) in _compact(text):
        return True
    ours = _content(fact, said)
    least = DENSE_OVERLAP if HAS_DENSE.search(fact) else OVERLAP
    if is_literal(evidence, text):
        least *= EVIDENCED
    shared = shared_stems(ours, stems_of(said))
    return not ours or len(shared) >= least * len(ours)


def is_literal(evidence: str, text: str) -> bool:
    """Whether the text has the evidence, but for its case, marks and spaces."""
    return bool(_compact(evidence)) and _compact(evidence) in _compact(text)


def _compact(text: str) -> str:
    return "".join(tokens(plain(text)))


def _content(fact: str, said: str) -> frozenset[str]:
    """The stems that the message has to have: no persons, no resolved dates."""
    words = tokens(fold(DENSE_HEAD.sub(" ", fact)))
    dated = dated_words(words)
    kept = [
        word
        for word in words
        if not (word in dated or YEAR.fullmatch(word)) or word in said.lower()
    ]
    others = [word for word in kept if _relative(word) not in _others(fact)]
    return stems_of(" ".join(others)) or stems_of(" ".join(kept))


def _contradicts(fact: str, told: Sequence[Clause]) -> bool:
    """Whether each clause that tells of all the fact says the opposite."""
    ours = _content(fact, "")
    share = DENSE_OVERLAP if HAS_DENSE.search(fact) else 1
    about = [
        clause.text
        for clause in told
        if len(shared_stems(ours, stems_of(clause.text))) >= share * len(ours)
    ]
    if NEGATED.search(fact):
        return bool(about) and not any(NEGATED.search(text) for text in about)
    words = tokens(fold(fact))
    if about:
        return all(_negates(text, words) for text in about)
    if languages.LACKING.search(fact):
        return False
    near = [c.text for c in told if shared_stems(ours, stems_of(c.text))]
    return bool(near) and all(_lacks(text, words) for text in near)


def _lacks(text: str, words: list[str]) -> bool:
    """Whether one "not" is before a word of the fact, with at most a verb between."""
    text = fold(text)
    found = list(languages.NEGATIONS.finditer(text))
    if len(found) != 1:  # "can't sleep without"
        return False
    behind = [
        word for word in WORD.findall(text[found[0].end() :]) if word not in LINKING
    ]
    return any(_same_word(one, word) for one in behind[:2] for word in words)


def _negates(text: str, words: list[str]) -> bool:
    """Whether a "not" is right before a form of one of the words."""
    if HAS_DENSE.search(text):
        return bool(NEGATED.search(text))
    text = fold(text)
    denied_words = (
        next_word(text, no.end()) for no in languages.NEGATIONS.finditer(text)
    )
    # At the end it denies the clause: "Ich rauche nicht".
    return any(
        not one or any(_same_word(one, word) for word in words) for one in denied_words
    )


def _same_word(one: str, other: str) -> bool:
    """Whether two words have one beginning, and endings of at most three letters."""
    pairs = zip(plain(one), plain(other), strict=False)
    same = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
    if same == len(other) == SHORTEST - 1:  # "je" and "jem"
        return len(one) - same <= 1
    return same >= SHORTEST and max(len(one), len(other)) - same <= LONGEST_ENDING


def _is_about_subject(fact: str, told: Sequence[Clause], earlier: str) -> bool:
    others = _others(fact)
    ours = _content(fact, "")
    about = [clause for clause in told if shared_stems(ours, stems_of(clause.text))]
    most = max((len(shared_stems(ours, stems_of(c.text))) for c in about), default=0)
    best = [c for c in about if len(shared_stems(ours, stems_of(c.text))) == most]
    if others:
        said = "\n".join({earlier, *(clause.sentence for clause in told)})
        return _has_relative(others, fact, said) and any(
            _speaker(c, ours, fact) != "self" for c in best
        )
    return not best or any(_speaker(c, ours, fact) != "other" for c in best)


def _others(fact: str) -> frozenset[str]:
    """Whom the fact is about, if not the user."""
    if HAS_DENSE.search(fact):
        found = DENSE_HEAD.match(fact)
        return frozenset(re.findall(dense.OTHERS, found[0] if found else ""))
    words = tokens(fold(fact))[:4]
    possessive = "s" in words[:2]  # "User's second daughter"
    head = words if possessive else words[:2]
    return frozenset(_relative(word) for word in head if _is_other(word))


def _has_relative(others: frozenset[str], fact: str, said: str) -> bool:
    if HAS_DENSE.search(fact):
        return bool(re.search(dense.OTHERS, said))
    words = map(_relative, tokens(fold(said)))
    return bool({root(w)[:4] for w in words} & {root(w)[:4] for w in others})


def _speaker(clause: Clause, ours: frozenset[str], fact: str) -> str:
    """ "self", "other" or "": the person named last before the first shared word."""
    persons = _Persons.of(fact)
    named = ""
    words: list[str] = []
    before = clause.sentence.partition(clause.text)[0][-BEFORE:]
    if before and set(tokens(fold(before))) <= WE:
        return "self"
    for text in (before, clause.text):
        for found in PERSON.finditer(text):
            who = persons.who(found, [fold(word) for word in words[-2:]], named)
            named = who or named
            if text is before or who:
                shared = []
            else:
                shared = shared_stems(ours, stems_of(_around(text, found)))
            if shared:
                rest = PERSON.finditer(text, found.end())
                speaks = any(persons.who(one, [""], "") == "self" for one in rest)
                return named or ("self" if speaks else _by_name(words))
            words.append(found[0])
    return named


@dataclass(frozen=True, slots=True)
class _Persons:
    """How the persons of a message are told, for one fact."""

    words: frozenset[str]
    roots: frozenset[str]
    of_user: bool
    by_ending: bool

    @classmethod
    def of(cls, fact: str) -> Self:
        words = frozenset(found[0] for found in PERSON.finditer(fold(fact)))
        by_ending = not languages.USER_BY_ENDING.isdisjoint(words)
        return cls(words, frozenset(map(root, words)), not _others(fact), by_ending)

    def who(self, found: re.Match[str], before: Sequence[str], named: str) -> str:
        """The person of a word, after the words before it and the person they name."""
        word = fold(found[0])
        if found["self"] or word in languages.FIRST_PERSON:
            return "self"
        # "I have two cats": who belongs to the user's fact is not its subject.
        if _names_other(found, word) and not (
            self.of_user and root(word) in self.roots
        ):
            # "with my brother": nor is a companion.
            return "other" if languages.WITH.isdisjoint(before[-2:]) else ""
        verb = self.by_ending and word.endswith(languages.FIRST_PERSON_ENDINGS)
        # After another person only with "and" or "not": nouns have these endings, too.
        begins = not named or before[-1] in languages.STOP_WORDS
        known = word in self.words or word in languages.STOP_WORDS
        return "self" if verb and begins and not known else ""


def _names_other(found: re.Match[str], word: str) -> bool:
    pronoun = bool(found["other"]) or word in languages.THIRD_PERSON
    return pronoun or _is_other(word)


def _is_other(word: str) -> bool:
    return root(_relative(word)) in OTHERS


def _relative(word: str) -> str:
    return languages.RELATIVE_FORMS.get(word, word)


def _around(text: str, found: re.Match[str]) -> str:
    """The word; of a text without spaces the pair that begins there."""
    if HAS_DENSE.match(found[0]):
        return text[found.start() : found.start() + 2]
    return found[0]


def _by_name(words: Sequence[str]) -> str:
    """ "Anna lives" is about another, "Finally quit" is not."""
    told = [word for word in words if fold(word) not in languages.AUXILIARIES]
    word = told[-1] if told else ""
    is_name = word[:1].isupper() and not word.endswith("ly")
    return "other" if is_name and fold(word) not in languages.STOP_WORDS else ""
