"""The sentences and clauses of a text in any language: the only module that cuts texts.

Three rules keep "Dr. Novak", "3. Mai" and "20 mg. atorwastatyny" whole: a full stop ends no
sentence after an abbreviation, before a lower-case letter or a digit, nor, after a single
letter or a number of two digits, before anything but a stop word ("I'm 45. My wife …").
English has no numbers with a full stop.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from memory.wording.words import (
    ABBREVIATIONS,
    DOSES,
    RELATIONS,
    STOP_WORDS,
    language_of,
    plain,
)

QUESTION_MARKS = ("?", "？", "؟")
CLOSING = "*_~`)]\"'”»」』’ "  # after the mark that ends a sentence
END = re.compile(
    r"(?<![.!?…])[.!?…]++[)\]\"'”»’*_~`]*(?=\s|\Z)"
    r"|(?<=[^\W\d_]{2})[.!?](?=[^\W\d_])"  # "asthma.I use"
    r"|[。！？؟।۔]++[」』”）)]*|\n"
)
STOPS = ".…"  # marks that are also in numbers, dates and abbreviations
CLAUSE_END = re.compile(r"(?<!\d)[,:]|[,:](?!\d)|[;，；：、،؛()]|\s[-–—]\s")
LAST_WORD = re.compile(r"(?<![^\W_]|\.)[^\W_]++(?:\.[^\W_]++)*+\Z")
NEXT_WORD = re.compile(r"\A\W*([^\W_]+)")
BULLET = re.compile(r"(?:[-*•–—·▪‣]|\[[ xX]?\])\s+")
NUMBERED = re.compile(r"\d{1,2}[.)]\s+")
LOOKED_AT = 40  # characters that are looked at before and after a mark
FIRST, SECOND = (re.compile(rf"^[ \t]*{n}[.)][ \t]", re.MULTILINE) for n in (1, 2))
LONGEST_ORDINAL = 2  # digits of "15. Januar"
# Words after "I'm 45."; "kind" is also German for a child.
OPENING = STOP_WORDS - RELATIONS.keys()


def sentence_places(text: str) -> list[tuple[int, int]]:
    """Where each sentence begins and ends, without spaces and the marks of a list."""
    mark = NUMBERED if FIRST.search(text) and SECOND.search(text) else BULLET
    places = (_trimmed(text, *whole, mark) for whole in pairwise([0, *_ends(text)]))
    return [place for place in places if place]


def split_sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_places(text)]


def split_clauses(sentence: str) -> list[str]:
    """The parts between commas, colons, brackets and dashes; numbers stay whole."""
    return [part.strip() for part in CLAUSE_END.split(sentence) if part.strip()]


def is_question(sentence: str) -> bool:
    return sentence.rstrip(CLOSING).endswith(QUESTION_MARKS)


def _trimmed(
    text: str, start: int, end: int, mark: re.Pattern[str]
) -> tuple[int, int] | None:
    """The place without what surrounds it; None if it has no letter or digit."""
    while start < end and text[start].isspace():
        start += 1
    for pattern in (BULLET, mark):
        if listed := pattern.match(text, start, end):
            start = listed.end()
    end = start + len(text[start:end].rstrip())
    return (start, end) if any(map(str.isalnum, text[start:end])) else None


def _ends(text: str) -> Iterator[int]:
    begin, has_ordinals = 0, language_of(text) != "en"
    for mark in END.finditer(text):
        start, end = mark.span()
        before = text[max(begin, start - LOOKED_AT) : start]
        opening = text[begin : min(begin + LOOKED_AT, start)]
        after = text[end : end + LOOKED_AT]
        if _is_end(opening, before, mark[0][0], after, has_ordinals=has_ordinals):
            begin = end
            yield end
    yield len(text)


def _is_end(
    opening: str, before: str, mark: str, after: str, *, has_ordinals: bool
) -> bool:
    """Whether a sentence ends at the mark; `opening` is how it begins."""
    if mark == "\n" or not after.strip():
        return True
    if mark in ".!?" and not after[0].isspace():
        return after[0].isupper() and not _ends_with(before, ABBREVIATIONS)
    if mark not in STOPS or after.lstrip(" \t").startswith("\n"):
        return True
    return _is_end_at_stop(opening, before, after, has_ordinals=has_ordinals)


def _is_end_at_stop(
    opening: str, before: str, after: str, *, has_ordinals: bool
) -> bool:
    found = NEXT_WORD.match(after)
    following = found[1] if found else ""
    if following[:1].isdigit() or _ends_with(before, ABBREVIATIONS):
        return False
    if following[:1].islower():  # an end where the sentence began with a small letter
        began_small = opening.lstrip(" \t-*•\"'(¿¡")[:1].islower()
        return began_small and not _ends_with(before, DOSES)
    last = LAST_WORD.search(before)
    short = last[0].rpartition(".")[2] if last else ""
    ordinal = has_ordinals and short.isdigit() and len(short) <= LONGEST_ORDINAL
    if short.isdigit() and opening.strip() == short:  # "1. Take it"
        return False
    letter = len(short) == 1 and not short.isdigit()
    return not (ordinal or letter) or plain(following) in OPENING


def _ends_with(before: str, words: frozenset[str]) -> bool:
    last = LAST_WORD.search(before)
    return last is not None and plain(last[0]) in words
