"""Stems of words, and whether a text has one of a fact."""

import re
from collections.abc import Collection, Set
from functools import lru_cache

from memory import languages
from memory.capture.same_fact import EMPTY, root
from memory.words import plain, tokens

STEM, LEAST = 5, 3  # letters
# Han, kana and hangul are written without spaces, or join particles to words.
CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
PIECE = re.compile(rf"[{CJK}]+|\d+|[^\W\d_{CJK}]+")
# Particles and endings of Japanese.
HIRAGANA = re.compile("[\u3040-\u309f]+")
UNTELLING = frozenset(
    map(plain, languages.STOP_WORDS | languages.USER | languages.UNITS | EMPTY)
)


def grounded(fact: str, text: str) -> bool:
    """Whether the text has the stem of a content word, or a number, of the fact."""
    return bool(shared_stems(stems_of(fact), stems_of(text)))


def has_value(value: str, text: str) -> bool:
    """Like `grounded`; a value of common words ("she/her") has to be there as a whole."""
    words = set(tokens(plain(value)))
    said = set(tokens(plain(text)))
    return grounded(value, text) or (bool(words) and words <= said)


def shared_stems(ours: Set[str], theirs: Set[str]) -> list[str]:
    """Our stems that are also theirs, or a shorter or longer form of one."""
    near = forms_of(theirs)
    return [
        one for one in ours if one in near or not theirs.isdisjoint(forms_of({one}))
    ]


def stems_of(text: str) -> frozenset[str]:
    return frozenset().union(*map(_stems_of_piece, PIECE.findall(plain(text))))


def forms_of(stems: Collection[str]) -> set[str]:
    """The stems, and what shorter forms of their words begin with."""
    return set().union(*map(forms_of_stem, stems))


@lru_cache(maxsize=20_000)
def forms_of_stem(stem: str) -> tuple[str, ...]:
    ends = () if stem.isdigit() else range(LEAST, len(stem))
    return (stem, *(stem[:end] for end in ends))


@lru_cache(maxsize=20_000)
def _stems_of_piece(piece: str) -> tuple[str, ...]:
    """Five letters of a word's root; pairs of characters where there are no spaces."""
    if not re.match(f"[{CJK}]", piece):
        return () if piece in UNTELLING else (root(piece)[:STEM],)
    starts = range(max(len(piece) - 1, 1))
    pairs = (piece[start : start + 2] for start in starts)
    return tuple(pair for pair in pairs if not HIRAGANA.fullmatch(pair))
