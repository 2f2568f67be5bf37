"""Messages as queries."""

import re
from collections.abc import Collection, Set
from dataclasses import dataclass, field
from itertools import accumulate
from textwrap import wrap
from uuid import UUID

from meddie.ai.vectors import Vector
from memory.judgement.judge import judge_sentences
from memory.models.embedded import NO_MODEL
from memory.recall.asked import AskedAbout
from memory.recall.dates import Span
from memory.wording.splitting import split_sentences
from memory.wording.words import DENSE, STOP_WORDS, plain, spellings, stem, tokens

# Characters of a message that are read.
TEXT_LIMIT = 2000
TERM_LIMIT = 12
# Of so many terms the database picks the rarest 12.
TERMS_CONSIDERED = 40
SHORTEST_PREFIX = 4
# The judge's score of a text that is plainly no order.
NO_ORDER = -1.0


@dataclass(frozen=True, slots=True)
class Term:
    """A word, its tsquery, and whether it names the time of the query."""

    word: str
    tsquery: str
    dated: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    text: str = ""
    terms: tuple[Term, ...] = ()
    # The time that it names: rows stated then come first.
    span: Span | None = None
    # It asks how something was before.
    asks_past: bool = False
    # It asks what is allowed or safe: what no answer may overlook comes first.
    asks_safety: bool = False
    overview: bool = False
    vector: Vector | None = None
    # Of the message alone; `vector` may be that of the message and the one before it.
    said: Vector | None = None
    model: str = NO_MODEL
    # The model did not answer.
    failed: bool = False
    # The person whose words are asked for.
    speaker: str = ""
    # Ranking `ranked` lifts its facts; empty for the scope's.
    channel: str = ""
    # How much it sounds like an order, by the judge.
    order: float = NO_ORDER
    # Memories of the last reply, to which the gate does not apply.
    carried: frozenset[UUID] = frozenset()
    # Facts about them come first.
    asked: AskedAbout = field(default_factory=AskedAbout)


def is_overview(text: str) -> bool:
    """Whether a sentence asks for everything known about its author."""
    return any(
        "overview" in judgement.classes
        and judgement.scores["overview"] > judgement.scores["forget"]
        for _, judgement in judge_sentences(beginning_and_end(text))
    )


def classes_of(text: str) -> frozenset[str]:
    """What the sentences of a message are judged as, together."""
    judged = judge_sentences(beginning_and_end(text))
    return frozenset().union(*(sentence.classes for _, sentence in judged))


def order_score(text: str) -> float:
    """How much a text sounds like an order; of several sentences the least."""
    judged = judge_sentences(beginning_and_end(text))
    return min(
        (judgement.scores.get("order", NO_ORDER) for _, judgement in judged),
        default=NO_ORDER,
    )


def beginning_and_end(text: str) -> str:
    """The beginning and the end of a long text: a question may be in either."""
    if len(text) <= TEXT_LIMIT:
        return text
    return f"{text[: TEXT_LIMIT // 2]} {text[-TEXT_LIMIT // 2 :]}"


def without_names(text: str, names: Collection[str]) -> tuple[str, str]:
    """The only name in a text, if any, and the text without names."""
    named = [name for name in names if _mention(name).search(text)]
    rest = text
    for name in named:
        rest = _mention(name).sub(" ", rest)
    if not tokens(rest):
        rest = text
    return (named[0] if len(named) == 1 else ""), " ".join(rest.split())


def excerpt(text: str, query: Query, longest: int) -> str:
    """The neighbouring sentences with most words of the query, in about that length.

    The first ones where none has any.
    """
    if len(text) <= longest:
        return text
    parts = [
        part
        for sentence in split_sentences(text)
        for part in wrap(sentence, longest // 3, break_on_hyphens=False)
    ]
    asked = {stem(term.word) for term in query.terms}
    held = [asked.intersection(map(stem, tokens(plain(part)))) for part in parts]
    windows = []
    for first in range(len(parts)):
        sizes = accumulate(len(part) + 1 for part in parts[first:])
        windows.append(slice(first, first + sum(size <= longest for size in sizes)))
    worth = [len(frozenset().union(*held[window])) for window in windows]
    best = [
        window
        for window, words in zip(windows, worth, strict=True)
        if words == max(worth)
    ]
    shown = best[len(best) // 2] if any(worth) else windows[0]
    before, after = "… " * (shown.start > 0), " …" * (shown.stop < len(parts))
    return f"{before}{' '.join(parts[shown])}{after}"


def _mention(name: str) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(name)}(?:['\u2019]s)?\b", re.IGNORECASE)


def matching(token: str) -> str:
    """The tsquery for a word: its beginning, or its plain forms where that is short."""
    parts = dict.fromkeys(p for word in spellings(token) for p in _parts(word))
    return f"({' | '.join(parts)})" if len(parts) > 1 else next(iter(parts))


def _parts(word: str) -> list[str]:
    beginning = stem(word)
    if any(character.isdigit() for character in word):
        return [f"'{word}'"]
    if len(beginning) >= SHORTEST_PREFIX or DENSE.match(word):
        return [f"'{beginning}':*"]
    return [
        f"'{form}'" for form in (word, *(beginning + e for e in ("", "s", "e", "es")))
    ]


def terms(text: str, dated: Set[str] = frozenset()) -> tuple[Term, ...]:
    """The content words and those of a date, once each; the longest if there are many."""
    found: dict[str, Term] = {}
    for word in tokens(text):
        if word not in STOP_WORDS or word in dated:
            term = Term(plain(word), matching(word), word in dated)
            found.setdefault(term.tsquery, term)
    longest = sorted(found.values(), key=lambda t: -len(t.word))[:TERMS_CONSIDERED]
    return tuple(t for t in found.values() if t in longest)
