"""Wishes to forget: which sentences are one, what they name, and what known facts fit."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import dropwhile

from memory.judgement.judge import Judged, judge_sentences
from memory.wording import lexicon
from memory.wording.naming import (
    IS_UNDIVIDED,
    PIECE,
    Units,
    covers,
    has,
    marks_of,
    names_relation,
    units_in,
    with_names,
)
from memory.wording.sentences import split_clauses
from memory.wording.subjects import OF_USER, subject_of
from memory.wording.words import (
    WORD,
    folded,
    negated,
    plain,
    shared_stems,
    stems_of,
)

BETWEEN = re.compile(r"[\s.!?,;:…。！？、，「」\"']+")
LANGUAGES_UNDIVIDED = ("zh", "ja", "ko", "th")
LONGEST_NO = 8  # words of a message that says no


def _by_language(table: Mapping[str, str]) -> dict[str, frozenset[str]]:
    return {
        code: folded(words)
        if code in LANGUAGES_UNDIVIDED
        else frozenset(WORD.findall(plain(words)))
        for code, words in table.items()
    }


def _any(table: Mapping[str, frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*table.values())


FORGETTING = _by_language(lexicon.FORGETTING)
KEEPING = _by_language(lexicon.KEEPING)
OPENINGS = _by_language(lexicon.OPENINGS)
EVERYTHING = _by_language(lexicon.EVERYTHING)
TELLING = _by_language(lexicon.TELLING)
ANY_FORGETTING, ANY_KEEPING = _any(FORGETTING), _any(KEEPING)
ANY_OPENING, ANY_EVERYTHING = _any(OPENINGS), _any(EVERYTHING)
ENDING_IN_VERB = FORGETTING["de"] | FORGETTING["nl"]  # after "can you"
DENYING = folded(lexicon.DENYING)
EXCEPTING = folded(lexicon.EXCEPTING)
EXCEPTING_UNDIVIDED = folded(lexicon.DENSE_EXCEPTING)
NO, STAYING = folded(lexicon.NO), folded(lexicon.STAYING)
NO_UNDIVIDED = folded(lexicon.DENSE_NO)


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
    return "forget" in judged.classes if ruled is None else ruled


def opens_as_wish(text: str) -> bool | None:
    """Whether the verb of a sentence makes it a wish; None if that is not clear.

    "Don't remember that" is one, also after a clause; "Don't forget" and "Vergiss nicht"
    are none.
    """
    first, *others = split_clauses(text) or [text]
    answers = NO.issuperset(WORD.findall(plain(first)))  # "No, delete it"
    for clause in (*([] if answers and others else [text]), *others):
        by_verb = _by_verb(clause)
        if by_verb is not None:
            return by_verb
    keeps = ANY_KEEPING.intersection(words := WORD.findall(plain(text)))
    denied = negated(text) and not (keeps and ANY_FORGETTING.isdisjoint(words))
    return False if denied else None


def _by_verb(text: str) -> bool | None:
    if IS_UNDIVIDED.search(text):
        return True if _opens_undivided(text) else None
    words = WORD.findall(plain(text))
    asked = list(dropwhile(ANY_OPENING.__contains__, words))
    rest = list(dropwhile(DENYING.__contains__, asked))
    if not rest:
        return None
    first, *after = rest
    denied = len(rest) < len(asked)
    if first in ANY_KEEPING and (denied or _denies_last(text, after)):
        return True
    if first in ANY_FORGETTING:
        return not denied and DENYING.isdisjoint(after[:1])
    opened = len(asked) < len(words) and not negated(text)
    at_end = FORGETTING["tr"] | (ENDING_IN_VERB if opened else frozenset())
    return True if rest[-1] in at_end else None


def _denies_last(text: str, words: Sequence[str]) -> bool:
    """As in "Merk dir das nicht"."""
    return bool(words) and words[-1] in DENYING and not _named(text)


def _opens_undivided(text: str) -> bool:
    core = _stripped(BETWEEN.sub("", plain(text)))
    for code in LANGUAGES_UNDIVIDED:
        verbs = tuple(FORGETTING[code] | KEEPING[code])
        if core.startswith(verbs) if code in {"zh", "th"} else core.endswith(verbs):
            return True
    return False


def _stripped(core: str) -> str:
    """Without what is polite at its ends."""
    polite = [word for code in LANGUAGES_UNDIVIDED for word in OPENINGS[code]]
    polite.sort(key=len, reverse=True)
    while word := next(
        (w for w in polite if core.startswith(w) or core.endswith(w)), ""
    ):
        core = core.removeprefix(word).removesuffix(word)
    return core


def wish_in(judged: Judged) -> WishToForget | None:
    """The wish that a sentence is."""
    forgets_all = "forget_all" in judged.classes
    if not (is_wish(judged) or (forgets_all and opens_as_wish(judged.text) is None)):
        return None
    text = judged.text
    named: Units = _named(text)
    kept: Units = ()
    words = WORD.findall(plain(text))
    several = bool(ANY_EVERYTHING.intersection(words)) or _says_undivided(
        text, ANY_EVERYTHING
    )
    cut = next((n for n, word in enumerate(words) if word in EXCEPTING), None)
    if cut is not None:
        named, kept = (
            _named(" ".join(part)) for part in (words[:cut], words[cut + 1 :])
        )
    elif _says_undivided(text, EXCEPTING_UNDIVIDED):
        named, kept = (), named
    of_all = not (named or kept) and (several or forgets_all)
    return WishToForget(text, named, kept, of_all=of_all, of_several=several)


def wants_all(message: str) -> bool:
    """Whether a message wishes for all, and names nothing that it wants forgotten."""
    found = [wish_in(judged) for _, judged in judge_sentences(message)]
    wishes = [wish for wish in found if wish]
    return bool(wishes) and all(wish.of_all for wish in wishes)


def names_something(message: str) -> bool:
    """Whether a message wishes that something is forgotten, and not all."""
    found = [wish_in(judged) for _, judged in judge_sentences(message)]
    return any(wish and not wish.of_all for wish in found)


def unwanted(message: str, known: Sequence[str], before: str = "") -> list[str]:
    """The known sentences that wishes to forget name; else the wishes.

    Without a model. "Forget that" is about the sentence before it, or the message.
    """
    wished: dict[str, None] = {}
    for _, judged in judge_sentences(message):
        wish = wish_in(judged)
        if wish is None:
            before = judged.text
        elif not wish.of_all:
            unnamed = [] if "off_record" in judged.classes else [wish.text]
            wished |= dict.fromkeys(_meant(wish, known, before) or unnamed)
    return list(wished)


def sharing(wish: str, known: Sequence[str]) -> list[str]:
    """The known sentences that share the most of what a wish names, at least a word."""
    named = with_names(_named(wish), known)
    counts = [sum(has(unit, marks_of(text)) for unit in named) for text in known]
    most = max(counts, default=0)
    return [text for text, n in zip(known, counts, strict=True) if n and n == most]


def names_whole(message: str, text: str) -> bool:
    """Whether a message has all the words of a text."""
    said = stems_of(text)
    return len(shared_stems(said, stems_of(message))) == len(said)


def declines(message: str) -> bool:
    """Whether a message says no to a question, or that all stays, and nothing else."""
    folded_text = plain(message)
    if "?" in folded_text or not any(map(str.isalnum, folded_text)):
        return False
    if IS_UNDIVIDED.search(folded_text):
        rest = _taken_out(
            BETWEEN.sub("", folded_text), [NO_UNDIVIDED, *OPENINGS.values()]
        )
        return not rest and _says_undivided(message, NO_UNDIVIDED)
    words = WORD.findall(folded_text)
    saying = NO | STAYING | DENYING | ANY_OPENING
    if ANY_FORGETTING.intersection(words) and opens_as_wish(message) is not False:
        return False
    plainly = saying.union(ANY_FORGETTING).issuperset(words)
    return plainly and len(words) <= LONGEST_NO and not NO.isdisjoint(words)


def _meant(wish: WishToForget, known: Sequence[str], before: str) -> list[str]:
    if not (wish.named or wish.kept):
        said = stems_of(before)
        return [text for text in known if stems_of(text) and stems_of(text) <= said]
    facts = {text: marks_of(text) for text in known}
    for text in _selected(with_names(wish.kept, known), facts):
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
    return [one for one in found if subject_of(one) in {None, OF_USER}] or found


def _named(text: str) -> Units:
    """What the words of a wish name, without those of wishing, of all and of telling."""
    folded_text = plain(text)
    words = set(WORD.findall(folded_text))
    verbs = {code: FORGETTING[code] | KEEPING[code] for code in FORGETTING}
    spoken = [code for code, listed in verbs.items() if listed & words] or list(verbs)
    tables = (FORGETTING, KEEPING, OPENINGS, EVERYTHING, TELLING)
    unnamed = DENYING.union(*(table[code] for table in tables for code in spoken))
    undivided = [table[code] for table in tables for code in LANGUAGES_UNDIVIDED]
    pieces: list[str] = []
    for piece in PIECE.findall(folded_text):
        if IS_UNDIVIDED.match(piece):
            pieces += _taken_out(piece, undivided).split()
        elif piece not in unnamed:
            pieces.append(piece)
    return tuple(units_in(pieces))


def _taken_out(text: str, tables: Iterable[Collection[str]]) -> str:
    """An undivided text with spaces for the words of the tables, the longest first."""
    words = {word for table in tables for word in table if IS_UNDIVIDED.match(word)}
    for word in sorted(words, key=len, reverse=True):
        text = text.replace(word, " ")
    return text.strip()


def _says_undivided(text: str, words: Collection[str]) -> bool:
    folded_text = plain(text)
    return any(word in folded_text for word in words if IS_UNDIVIDED.match(word))
