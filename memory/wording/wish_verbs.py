"""The verbs of wishes to forget, in sixteen languages, and what else such a sentence names."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import dropwhile

from meddie.languages import DENSE_LANGUAGES
from memory.wording import lexicon
from memory.wording.frames import ASKING
from memory.wording.naming import IS_UNDIVIDED, PIECE, Units, units_in
from memory.wording.splitting import split_clauses
from memory.wording.words import WORD, folded, negated, plain

BETWEEN_WORDS = re.compile(r"[\s.!?,;:…。！？、，「」\"']+")


def _by_language(table: Mapping[str, str]) -> dict[str, frozenset[str]]:
    return {
        code: folded(words)
        if code in DENSE_LANGUAGES
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
LEAVING = folded(lexicon.LEAVING)
SECOND_PERSONS = [[word] for word in folded(lexicon.SECOND_PERSON)]
PRONOUNS = folded(lexicon.FIRST_PERSON + lexicon.SECOND_PERSON)
ASKING_WORDS = folded(ASKING.replace("|", " ")) - PRONOUNS
NO = folded(lexicon.NO) | LEAVING


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
    opening = words[: len(words) - len(asked)]
    if PRONOUNS.intersection(opening) and ASKING_WORDS.isdisjoint(opening):
        return None  # "you forget", "I forget"
    denied = len(rest) < len(asked)
    if first in ANY_KEEPING and (denied or _denies_last(text, after)):
        return True
    if first in ANY_FORGETTING:
        return not denied and DENYING.isdisjoint(after[:1])
    asking = words[-3:-1]  # "Das mit dem Knie kannst du vergessen"
    asks = ANY_OPENING.issuperset(asking) and asking[1:] in SECOND_PERSONS
    opened = (len(asked) < len(words) or asks) and not negated(text)
    at_end = FORGETTING["tr"] | (ENDING_IN_VERB if opened else frozenset())
    return True if rest[-1] in at_end else None


def _denies_last(text: str, words: Sequence[str]) -> bool:
    """As in "Merk dir das nicht"."""
    return bool(words) and words[-1] in DENYING and not named_in(text)


def _opens_undivided(text: str) -> bool:
    core = _stripped(BETWEEN_WORDS.sub("", plain(text)))
    for code in DENSE_LANGUAGES:
        verbs = tuple(FORGETTING[code] | KEEPING[code])
        if core.startswith(verbs) if code in {"zh", "th"} else core.endswith(verbs):
            return True
    return False


def _stripped(core: str) -> str:
    """Without what is polite at its ends."""
    polite = [word for code in DENSE_LANGUAGES for word in OPENINGS[code]]
    polite.sort(key=len, reverse=True)
    while word := next(
        (w for w in polite if core.startswith(w) or core.endswith(w)), ""
    ):
        core = core.removeprefix(word).removesuffix(word)
    return core


def named_in(text: str) -> Units:
    """What the words of a wish name, without those of wishing, of all and of telling."""
    folded_text = plain(text)
    words = set(WORD.findall(folded_text))
    verbs = {code: FORGETTING[code] | KEEPING[code] for code in FORGETTING}
    spoken = [code for code, listed in verbs.items() if listed & words] or list(verbs)
    tables = (FORGETTING, KEEPING, OPENINGS, EVERYTHING, TELLING)
    unnamed = (DENYING | LEAVING).union(
        *(table[code] for table in tables for code in spoken)
    )
    undivided = [table[code] for table in tables for code in DENSE_LANGUAGES]
    pieces: list[str] = []
    for piece in PIECE.findall(folded_text):
        if IS_UNDIVIDED.match(piece):
            pieces += taken_out(piece, undivided).split()
        elif piece not in unnamed:
            pieces.append(piece)
    return tuple(units_in(pieces))


def taken_out(text: str, tables: Iterable[Collection[str]]) -> str:
    """An undivided text with spaces for the words of the tables, the longest first."""
    words = {word for table in tables for word in table if IS_UNDIVIDED.match(word)}
    for word in sorted(words, key=len, reverse=True):
        text = text.replace(word, " ")
    return text.strip()


def says_undivided(text: str, words: Collection[str]) -> bool:
    folded_text = plain(text)
    return any(word in folded_text for word in words if IS_UNDIVIDED.match(word))
