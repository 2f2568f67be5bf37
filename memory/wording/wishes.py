"""Wishes to forget: which sentences are one, what they name, and what known facts fit."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from memory.judgement.judge import Judged, judge, judge_sentences
from memory.subjects import NO_HOUSEHOLD
from memory.wording import lexicon
from memory.wording.frames import LINKS
from memory.wording.naming import (
    Units,
    covers,
    has,
    marks_of,
    names_relation,
    with_names,
)
from memory.wording.splitting import is_question, split_clauses
from memory.wording.subjects import subject_of
from memory.wording.wish_verbs import (
    ANY_EVERYTHING,
    ANY_FORGETTING,
    LEAVING,
    named_in,
    opens_as_wish,
    says_undivided,
)
from memory.wording.words import WORD, folded, plain, shared_stems, stems_of

EXCEPTED_BEFORE = folded(lexicon.EXCEPTED_BEFORE)
EXCEPTING = folded(lexicon.EXCEPTING) | EXCEPTED_BEFORE
EXCEPTING_UNDIVIDED = folded(lexicon.DENSE_EXCEPTING)
LINKING = folded(LINKS.replace("|", " "))
MOST_WISHES = 20  # of a message


@dataclass(frozen=True, slots=True)
class WishToForget:
    """A sentence that wants something forgotten: what it `named`, but what is `kept`.

    One that names nothing is `of_all`, or about what was said before.
    """

    text: str
    named: Units = ()
    kept: Units = ()
    of_all: bool = False
    of_several: bool = False  # "everything about"


def is_wish(judged: Judged) -> bool:
    """Whether a sentence is a wish to forget: by its verb, else as it is judged."""
    ruled = opens_as_wish(judged.text)
    if ruled is None:
        return "forget" in judged.classes and not is_question(judged.text)
    return ruled


def is_plain(sentence: str) -> bool:
    """Whether a wish needs no question: by its verb, and with nothing that is to stay."""
    if opens_as_wish(sentence) is not True:
        return False
    spared = (EXCEPTING | LEAVING).intersection(WORD.findall(plain(sentence)))
    return not spared and not says_undivided(sentence, EXCEPTING_UNDIVIDED)


def without_statements(sentence: str) -> tuple[str, list[str]]:
    """A wish without the clauses that state something, and these.

    As in "Forget running, my left knee hurts".
    """
    clauses = split_clauses(sentence)
    if len(clauses) < 2:
        return sentence, []
    judged = judge(clauses)
    stated = [judgement.text for judgement in judged if _states(judgement)]
    rest = [clause for clause in clauses if clause not in stated]
    return (", ".join(rest), stated) if rest else (sentence, [])


def _states(clause: Judged) -> bool:
    """Unless it hangs on the wish: "…, that I have asthma"."""
    linked = not LINKING.isdisjoint(WORD.findall(plain(clause.text))[:1])
    states = "statement" in clause.classes and not linked
    return states and opens_as_wish(clause.text) is None


def _leaves(clause: str) -> bool:
    """Whether a clause wants something to stay: "but keep my allergy"."""
    words = set(WORD.findall(plain(clause)))
    return not LEAVING.isdisjoint(words) and ANY_FORGETTING.isdisjoint(words)


def wish_in(judged: Judged) -> WishToForget | None:
    """The wish that a sentence is."""
    forgets_all = "forget_all" in judged.classes
    if not (is_wish(judged) or (forgets_all and opens_as_wish(judged.text) is None)):
        return None
    text, _stated = without_statements(judged.text)
    words = WORD.findall(plain(text))
    several = bool(ANY_EVERYTHING.intersection(words)) or says_undivided(
        text, ANY_EVERYTHING
    )
    named, kept = _named_and_kept(text)
    of_all = not (named or kept) and (several or forgets_all)
    return WishToForget(text, named, kept, of_all=of_all, of_several=several)


def _named_and_kept(text: str) -> tuple[Units, Units]:
    clauses = split_clauses(text)
    leaving = [clause for clause in clauses if _leaves(clause)]
    if leaving and len(leaving) < len(clauses):
        others = [clause for clause in clauses if clause not in leaving]
        return named_in(", ".join(others)), named_in(", ".join(leaving))
    words = WORD.findall(plain(text))
    sparing = EXCEPTING | LEAVING
    cut = next((n for n, word in enumerate(words) if word in sparing), None)
    if cut is None:
        named = named_in(text)
        excepts = says_undivided(text, EXCEPTING_UNDIVIDED)
        return ((), named) if excepts else (named, ())
    before, after = (
        named_in(" ".join(part)) for part in (words[:cut], words[cut + 1 :])
    )
    return (after, before) if words[cut] in EXCEPTED_BEFORE else (before, after)


def wants_all(message: str) -> bool:
    """Whether a message wishes for all, and names nothing that it wants forgotten."""
    found = [wish_in(judged) for _, judged in judge_sentences(message)]
    wishes = [wish for wish in found if wish]
    return bool(wishes) and all(wish.of_all for wish in wishes)


def names_something(message: str) -> bool:
    """Whether a message wishes that something is forgotten, and not all."""
    found = [wish_in(judged) for _, judged in judge_sentences(message)]
    return any(wish and not wish.of_all for wish in found)


def means_before(message: str) -> bool:
    """Whether a message wishes something forgotten that it does not name."""
    found = [wish_in(judged) for _, judged in judge_sentences(message)]
    wishes = [wish for wish in found if wish]
    return bool(wishes) and not any(w.named or w.kept or w.of_all for w in wishes)


def unwanted(message: str, known: Sequence[str], before: str = "") -> list[str]:
    """The known sentences that wishes to forget name; else the wishes.

    Without a model. "Forget that" is about the sentence before it, or the message.
    """
    wished: dict[str, None] = {}
    said = {judged.text: judged for _, judged in judge_sentences(message)}
    wishes = 0
    for judged in said.values():
        wish = wish_in(judged) if wishes < MOST_WISHES else None
        wishes += wish is not None
        if wish is None:
            before = judged.text
        elif not wish.of_all:
            unnamed = [] if "off_record" in judged.classes else [wish.text]
            wished |= dict.fromkeys(_meant(wish, known, before) or unnamed)
    return list(wished)


def sharing(wish: str, known: Sequence[str]) -> list[str]:
    """The known sentences that share the most of what a wish names, at least a word."""
    named = with_names(named_in(wish), known)
    counts = [sum(has(unit, marks_of(text)) for unit in named) for text in known]
    most = max(counts, default=0)
    return [text for text, n in zip(known, counts, strict=True) if n and n == most]


def names_whole(message: str, text: str) -> bool:
    """Whether a message has all the words of a text."""
    said = stems_of(text)
    return len(shared_stems(said, stems_of(message))) == len(said)


def _meant(wish: WishToForget, known: Sequence[str], before: str) -> list[str]:
    if not (wish.named or wish.kept):
        said = stems_of(before)
        return [text for text in known if stems_of(text) and stems_of(text) <= said]
    facts = {text: marks_of(text) for text in known}
    spared = _selected(with_names(wish.kept, known), facts)
    if wish.kept and not spared:
        return []  # what is to stay is not known: "all but my pills"
    for text in spared:
        del facts[text]
    if not wish.named:
        return list(facts)
    named, said = with_names(wish.named, known), stems_of(wish.text)
    found = _selected(named, facts, of_several=wish.of_several)
    whole = [
        text for text in found or facts if stems_of(text) and stems_of(text) <= said
    ]
    if found:
        return found if wish.of_several else whole or found
    together = frozenset().union(*(facts[text] for text in whole))
    return whole if covers(named, together) else []


def _selected(
    named: Units, facts: Mapping[str, Set[str]], *, of_several: bool = False
) -> list[str]:
    """The facts that have all that is named; of the user, unless another is named."""
    found = [text for text, marks in facts.items() if named and covers(named, marks)]
    if of_several or any(map(names_relation, named)):
        return found
    return [fact for fact in found if subject_of(fact, NO_HOUSEHOLD).is_user] or found
