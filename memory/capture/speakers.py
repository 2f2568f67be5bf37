"""Of whom a clause speaks: the user, or another."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Self

from memory import languages
from memory.capture.clauses import DENSE, NEGATED, Clause
from memory.capture.grounding import CJK, shared_stems, stems_of
from memory.capture.same_fact import fold, root
from memory.languages import without_spaces as dense
from memory.words import tokens

OTHERS = frozenset(map(root, languages.RELATIVES | languages.PEOPLE))
DENSE_HEAD = re.compile(
    rf"^(?:{dense.USER})(?:[{dense.POSSESSIVE}](?:{dense.OTHERS}))?"
)
SELF = languages.FIRST_PERSON | languages.USER
WE = SELF | languages.JOINTS  # "me and my wife"
PERSON = re.compile(
    rf"(?P<self>{dense.FIRST_PERSON})|(?P<other>{dense.OTHERS})|[^\W{CJK}]+|[{CJK}]"
)
LEAD = 4  # words before a name with which it is told: "my name is"
Speaker = Literal["self", "other", ""]


def others_of(fact: str) -> frozenset[str]:
    """Whom the fact is about, if not the user."""
    if DENSE.search(fact):
        found = DENSE_HEAD.match(fact)
        return frozenset(re.findall(dense.OTHERS, found[0] if found else ""))
    words = tokens(fold(fact))[:4]
    possessive = "s" in words[:2]  # "User's second daughter"
    head = words if possessive else words[:2]
    return frozenset(relative(word) for word in head if _is_other(word))


def names_one_of(others: frozenset[str], said: str) -> bool:
    if any(map(DENSE.search, others)):
        return bool(re.search(dense.OTHERS, said))
    words = map(relative, tokens(fold(said)))
    return bool({root(w)[:4] for w in words} & {root(w)[:4] for w in others})


def relative(word: str) -> str:
    return languages.RELATIVE_FORMS.get(word, word)


def speaker_in(clause: Clause, ours: frozenset[str], persons: "Persons") -> Speaker:
    """The person named last before the first shared word, in the clause or before it."""
    if clause.likewise:
        return "self"
    named: Speaker = ""
    words: list[str] = []
    before = clause.before
    if before and set(tokens(fold(before))) <= WE:
        return "self"
    for text in (before, clause.text):
        # "I have no children, but two cats": they are not there to have them.
        missing = text is before and NEGATED.search(before)
        for found in PERSON.finditer(text):
            who = persons.who(found, [fold(word) for word in words[-2:]], named)
            if not (missing and named == "self"):
                named = who or named
            if text is before or who:
                shared = []
            else:
                shared = shared_stems(ours, stems_of(_around(text, found)))
            if shared:
                rest = PERSON.finditer(text, found.end())
                speaks = any(persons.who(one, [""], "") == "self" for one in rest)
                by_name = _by_name(words, found[0], persons.first)
                return named or ("self" if speaks else by_name)
            words.append(found[0])
    return named


@dataclass(frozen=True, slots=True)
class Persons:
    """How the persons of a message are told, for one fact."""

    first: Sequence[str]  # words of the fact
    words: frozenset[str]
    roots: frozenset[str]
    of_user: bool
    by_ending: bool

    @classmethod
    def of(cls, fact: str) -> Self:
        words = frozenset(found[0] for found in PERSON.finditer(fold(fact)))
        by_ending = not languages.USER_BY_ENDING.isdisjoint(words)
        roots = frozenset(map(root, words))
        return cls(tokens(fold(fact))[:2], words, roots, not others_of(fact), by_ending)

    def who(
        self, found: re.Match[str], before: Sequence[str], named: Speaker
    ) -> Speaker:
        """The person of a word, after the words before it and the person they name."""
        word = fold(found[0])
        if found["self"] or word in SELF:
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
    return root(relative(word)) in OTHERS


def _around(text: str, found: re.Match[str]) -> str:
    """The word; of a text without spaces the pair that begins there."""
    if DENSE.match(found[0]):
        return text[found.start() : found.start() + 2]
    return found[0]


def _by_name(words: Sequence[str], following: str, first: Sequence[str]) -> Speaker:
    """ "Anna lives" and "Anna is" are about another, "Finally quit" and "Use" are not."""
    told = [word for word in words if fold(word) not in languages.AUXILIARIES]
    name = told[-1] if told else ""
    has_verb = name != words[-1] if told else False
    has_verb = has_verb or fold(following) in first
    is_name = name[:1].isupper() and not name.endswith("ly") and has_verb
    return "other" if is_name and fold(name) not in languages.STOP_WORDS else ""


def name_in(fact: str) -> str:
    """The name that a fact gives the user: "User is called Bob"; else nothing."""
    if found := re.match(rf"(?:{dense.USER}).{{0,3}}?(?:{dense.NAMING})(.+)", fact):
        return found[1]
    words = tokens(fold(fact))
    named = next((n for n, word in enumerate(words) if word in languages.NAMING), 0)
    if not named or not set(words[:named]) <= languages.USER | languages.STOP_WORDS:
        return ""
    return " ".join(w for w in words[named + 1 :] if w not in languages.STOP_WORDS)


def tells_name(clause: Clause, name: str) -> bool:
    """Whether the user is named so: "I'm Bob", "my name is Bob", "call me Bob"."""
    if clause.negated:
        return False
    if DENSE.search(name):
        told = re.search(rf"(?:{dense.NAMING}).?{re.escape(name)}", clause.text)
        return told is not None and not re.search(dense.OTHERS, clause.text)
    first = name.partition(" ")[0]
    words = tokens(fold(clause.text))
    if first not in words:
        return False
    lead = words[: words.index(first)][-LEAD:]
    if not lead:
        return stems_of(clause.text) <= stems_of(name)
    selves = [n for n, word in enumerate(lead) if _says_self(word)]
    naming = languages.NAMING | languages.IS | languages.STOP_WORDS
    return (
        bool(selves)
        and set(lead[-2:]) <= naming
        and languages.WITH.isdisjoint(lead)
        and not any(map(_is_other, lead[selves[-1] :]))
    )


def _says_self(word: str) -> bool:
    verb = word.endswith(languages.FIRST_PERSON_ENDINGS)
    return word in languages.FIRST_PERSON or (verb and word not in languages.STOP_WORDS)
