"""What a text names: words by stem and relation, in any script, and where facts have them."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import lru_cache
from itertools import pairwise

from memory.wording.words import CJK, HIRAGANA, RELATIONS, WORD, plain, stems_of

UNDIVIDED = f"{CJK}\u0e00-\u0e7f"  # scripts that do not divide words, and hangul
PIECE = re.compile(rf"[{UNDIVIDED}]+|[^\W_{UNDIVIDED}]+")
IS_UNDIVIDED = re.compile(f"[{UNDIVIDED}]")
LEAST_PREFIX = 4  # letters of a stem that begins another
LEAST_PAIRS = 0.6  # of an undivided text's pairs of letters that a fact has

Units = tuple[frozenset[str], ...]
"""What a text names: for each word its stem and relation, or a pair of letters."""


@lru_cache(maxsize=2000)
def marks_of(text: str) -> frozenset[str]:
    """The stems, relations and pairs of letters of a text."""
    return frozenset().union(*units_in(PIECE.findall(plain(text))))


def units_in(pieces: Iterable[str]) -> Iterator[frozenset[str]]:
    for piece in pieces:
        if IS_UNDIVIDED.match(piece):
            pairs = (piece[n : n + 2] for n in range(max(len(piece) - 1, 1)))
            yield from (frozenset({p}) for p in pairs if not HIRAGANA.fullmatch(p))
        elif relation := RELATIONS.get(piece):
            yield frozenset({f"={relation}", *stems_of(piece)})
        elif stems := stems_of(piece):
            yield stems


def with_names(units: Units, known: Sequence[str]) -> Units:
    """With the names of relatives as known facts have them: "my daughter Mia"."""
    names: dict[str, set[str]] = {}
    for relation, stems in (named for text in known for named in _relatives(text)):
        names.setdefault(f"={relation}", set()).update(stems)
    return tuple(unit.union(*(names.get(mark, ()) for mark in unit)) for unit in units)


@lru_cache(maxsize=2000)
def _relatives(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """The relatives that a fact names, each with the stems of the name."""
    return tuple(
        (relation, stems_of(name))
        for word, name in pairwise(WORD.findall(text))
        if name[0].isupper() and (relation := RELATIONS.get(plain(word)))
    )


def names_relation(unit: Set[str]) -> bool:
    return any(mark.startswith("=") for mark in unit)


def has(unit: Set[str], marks: Set[str]) -> bool:
    return any(mark in marks or any(_begins(mark, m) for m in marks) for mark in unit)


def _begins(one: str, other: str) -> bool:
    """Whether one is the beginning of the other, or the letter of a pair."""
    if IS_UNDIVIDED.fullmatch(one):
        return one in other
    short, long = sorted((one, other), key=len)
    return len(short) >= LEAST_PREFIX and long.startswith(short) and not short.isdigit()


def covers(named: Units, marks: Set[str]) -> bool:
    """Whether a fact has all words, and most pairs of letters, that a wish names."""
    pairs = [unit for unit in named if IS_UNDIVIDED.match(min(unit))]
    words = [unit for unit in named if unit not in pairs]
    shared = sum(has(unit, marks) for unit in pairs)
    return all(has(unit, marks) for unit in words) and shared >= LEAST_PAIRS * len(
        pairs
    )
