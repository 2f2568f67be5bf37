"""Where the history of a request leaves that of the stored conversation."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile


@dataclass(frozen=True, slots=True)
class BranchDifference:
    """The stored messages from `kept` on were edited; `first_new` is the first to store.

    `known` is the stored message that is answered again, if none is new.
    """

    kept: int
    first_new: int
    known: int | None = None


def find_difference(stored: Sequence[str], sent: Sequence[str]) -> BranchDifference:
    """The request has the whole history, or the end of it, which edits nothing.

    One new message alone is an edit of the first.
    """
    pairs = zip(stored, sent, strict=False)
    common = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
    every = len(stored)
    if common == len(sent):
        return BranchDifference(every, len(sent), common - 1)
    if common == every:
        return BranchDifference(every, common)
    if common == 0 and _ends_alike(stored, sent):
        return BranchDifference(every, len(sent), every - 1)
    if common == 0 and _ends_alike(stored, sent[:-1]):
        return BranchDifference(every, len(sent) - 1)
    return BranchDifference(common, common)


def _ends_alike(stored: Sequence[str], sent: Sequence[str]) -> bool:
    size = min(len(stored), len(sent))
    return size > 0 and list(stored[-size:]) == list(sent[-size:])
