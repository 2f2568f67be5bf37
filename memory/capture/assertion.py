"""Whether a message states a fact as true of its subject, against a fooled extractor.

The words of the fact have to be in clauses that are meant in earnest, and the person
named before them has to be the one whom the fact is about.
"""

from collections.abc import Callable, Sequence
from itertools import takewhile

from memory import languages
from memory.capture.clauses import DENSE, NEGATED, UNCERTAIN, Clause, read_clauses
from memory.capture.grounding import grounded, has_value, shared_stems, stems_of
from memory.capture.measures import YEAR, dated_words, has_numbers
from memory.capture.same_fact import fold
from memory.capture.speakers import (
    DENSE_HEAD,
    Persons,
    name_in,
    names_one_of,
    others_of,
    relative,
    speaker_in,
    tells_name,
)
from memory.capture.tense import is_over
from memory.words import plain, tokens

OVERLAP, DENSE_OVERLAP = 0.33, 0.15  # shares of a fact's words, S3-39
EVIDENCED = 0.7  # of the share, if the message has the evidence
SHORTEST, LONGEST_ENDING = 3, 3  # letters of a word's stem and ending


def refusal_of(
    fact: str, message: str, *, evidence: str = "", earlier: str = "", state: str = ""
) -> str:
    """The reason why the message does not state the fact; empty if it does.

    `earlier` is what was said before, which may name what the message is about.
    `state` has verbs that the fact leaves out.
    """
    if not _is_covered(fact, message, earlier, evidence):
        return "ungrounded"
    clauses = [clause for clause in read_clauses(message) if clause.earnest]
    ours = _content(fact, "")
    over, current = _split(clauses, lambda c: is_over(f"{fact} {state}", c))
    told = [clause for clause in current if not _is_open(clause, fact, ours)]
    text = "\n".join(f"{clause.condition} {clause.text}" for clause in told)
    if not _is_covered(fact, text, earlier, evidence) or _contradicts(fact, told):
        return "not_asserted"
    if _rests_on(over, ours, stems_of(text)):
        return "not_asserted"
    others = others_of(fact)
    name = "" if others else name_in(fact)
    if name:
        states = any(tells_name(clause, name) for clause in told)
    else:
        states = _is_about_subject(fact, others, told, earlier)
    return "" if states else "not_asserted"


def states_anything(message: str) -> bool:
    """Whether a clause in earnest has a content word or speaks of the user ("I'm he")."""
    return any(
        clause.stems or not languages.FIRST_PERSON.isdisjoint(tokens(clause.text))
        for clause in read_clauses(message)
        if clause.earnest
    )


def states_value(value: str, message: str) -> bool:
    """Whether a clause that neither asks nor wants forgetting has the value."""
    return has_value(value, _earnest_text(message))


def denied(fact: str, message: str) -> bool:
    """Whether all that the message says of the fact is "not": "I'm not diabetic"."""
    return _contradicts(fact, list(read_clauses(message)))


def says_more(fact: str, known: str, message: str) -> bool:
    """Whether the user tells of something in the fact that the known one lacks."""
    ours = stems_of(fact)
    more = ours.difference(shared_stems(ours, stems_of(known)))
    return bool(shared_stems(more, stems_of(_earnest_text(message))))


def is_literal(evidence: str, text: str) -> bool:
    """Whether the text has the evidence, but for its case, marks and spaces."""
    return bool(_compact(evidence)) and _compact(evidence) in _compact(text)


def _earnest_text(message: str) -> str:
    return "\n".join(c.text for c in read_clauses(message) if c.earnest)


def _split(
    clauses: Sequence[Clause], test: Callable[[Clause], bool]
) -> tuple[list[Clause], list[Clause]]:
    """Those that pass the test, and the others."""
    sides: tuple[list[Clause], list[Clause]] = ([], [])
    for clause in clauses:
        sides[not test(clause)].append(clause)
    return sides


def _is_open(clause: Clause, fact: str, ours: frozenset[str]) -> bool:
    """Whether the clause leaves open what the fact states.

    "If I eat nuts I itch" states what joins both, "User itches from nuts", and the
    conclusion "User is allergic to nuts".
    """
    if not (clause.uncertain or clause.condition) or UNCERTAIN.search(fact):
        return False
    lacking = languages.LACKING.search
    concludes = lacking(fact) and not lacking(clause.condition)
    joins = shared_stems(ours, stems_of(clause.condition)) and (
        concludes or shared_stems(ours, clause.stems)
    )
    return clause.uncertain or (bool(clause.condition) and not joins)


def _rests_on(
    over: Sequence[Clause], ours: frozenset[str], present: frozenset[str]
) -> bool:
    """Whether a word of the fact is only in a clause about the past."""
    known = set(shared_stems(ours, present))
    return any(not known.issuperset(shared_stems(ours, c.stems)) for c in over)


def _is_covered(fact: str, text: str, earlier: str, evidence: str) -> bool:
    """Whether enough of the fact's words are there, and the last without evidence.

    The last word tells "takes aspirin" from "takes warfarin"; with evidence it may be
    another word for the same.
    """
    said = f"{text}\n{earlier}"
    if not grounded(fact, text) or not has_numbers(fact, said):
        return False
    if _compact(fact) in _compact(text):
        return True
    ours = _content(fact, said)
    least = DENSE_OVERLAP if DENSE.search(fact) else OVERLAP
    if is_literal(evidence, text):
        least *= EVIDENCED
    elif not grounded(_last_word(fact, said), said):
        return False
    shared = shared_stems(ours, stems_of(said))
    return not ours or len(shared) >= least * len(ours)


def _compact(text: str) -> str:
    return "".join(tokens(plain(text)))


def _content(fact: str, said: str) -> frozenset[str]:
    """The stems that the message has to have: no persons, no resolved dates."""
    kept = _undated(fact, said)
    others = [word for word in kept if relative(word) not in others_of(fact)]
    return stems_of(" ".join(others)) or stems_of(" ".join(kept))


def _undated(fact: str, said: str) -> list[str]:
    words = tokens(fold(DENSE_HEAD.sub(" ", fact)))
    dated = dated_words(words)
    return [
        word
        for word in words
        if not (word in dated or YEAR.fullmatch(word)) or word in said.lower()
    ]


def _last_word(fact: str, said: str) -> str:
    """The last content word; without spaces between words all of the fact."""
    words = _undated(fact, said)
    empty = languages.NAMING | languages.TIMES
    telling = [w for w in words if w not in empty and stems_of(w)]
    return telling[-1] if telling and not DENSE.search(fact) else fact


def _contradicts(fact: str, told: Sequence[Clause]) -> bool:
    """Whether each clause that tells of all the fact says the opposite."""
    ours = _content(fact, "")
    share = DENSE_OVERLAP if DENSE.search(fact) else 1
    shared = [(clause, len(shared_stems(ours, clause.stems))) for clause in told]
    about = [clause for clause, count in shared if count >= share * len(ours)]
    if NEGATED.search(fact):
        return bool(about) and not any(clause.negated for clause in about)
    words = tokens(fold(fact))
    if about:
        return all(_denies(clause, words, 1) for clause in about)
    if languages.LACKING.search(fact):
        return False
    near = [clause for clause, count in shared if count]
    # "can't sleep without" is no denial.
    return bool(near) and all(len(c.denied) == 1 and _denies(c, words, 2) for c in near)


def _denies(clause: Clause, words: Sequence[str], reach: int) -> bool:
    """Whether a "not" is before a form of one of the words, or at the end."""
    if DENSE.search(clause.text):
        return clause.negated
    for following in clause.denied:
        # A pronoun begins a statement: "No I am", "haven't seen my wife".
        near = takewhile(lambda w: w not in languages.FIRST_PERSON, following[:reach])
        if not following or any(_same_word(o, word) for o in near for word in words):
            return True
    return False


def _same_word(one: str, other: str) -> bool:
    """Whether two words have one beginning, and endings of at most three letters."""
    pairs = zip(plain(one), plain(other), strict=False)
    same = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
    if same == len(other) == SHORTEST - 1:  # "je" and "jem"
        return len(one) - same <= 1
    return same >= SHORTEST and max(len(one), len(other)) - same <= LONGEST_ENDING


def _is_about_subject(
    fact: str, others: frozenset[str], told: Sequence[Clause], earlier: str
) -> bool:
    ours = _content(fact, "")
    shared = [(clause, len(shared_stems(ours, clause.stems))) for clause in told]
    most = max((count for _, count in shared), default=0)
    best = [clause for clause, count in shared if count == most > 0]
    persons = Persons.of(fact)
    speakers = {speaker_in(clause, ours, persons) for clause in best}
    if others:
        said = "\n".join({earlier, *(clause.sentence for clause in told)})
        return names_one_of(others, said) and bool(speakers - {"self"})
    return not best or bool(speakers - {"other"})
