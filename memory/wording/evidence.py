"""Whether a message states a fact, by the words that are quoted for it.

What the words mean is the judgement of the model that proposes the fact. Here a quotation
is compared with the message, and a fact with its quotation.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.reasons import Reason
from memory.values import Provenance
from memory.wording.days import named_months
from memory.wording.frames import telling_clauses, wants_answer
from memory.wording.reading import reading_of
from memory.wording.same_values import has_other_values
from memory.wording.splitting import is_question
from memory.wording.words import (
    DENSE,
    LACKING,
    RELATIONS,
    USER,
    WORD,
    denies,
    grounded,
    plain,
    shared_stems,
    stems_of,
    tokens,
)

OVERLAP, DENSE_OVERLAP = 0.33, 0.15  # share of a text's words, S3-39
LEAST_QUOTED = (
    0.2  # with a literal quotation; it halves wrong pairs on LoCoMo at no loss
)
STATING_MODES = ("", "stated")
FROM_FILES = 3  # stated words for each that only a file has
USER_HEAD = re.compile(
    rf"(?:\w{{1,20}}['’ ])?(?:{'|'.join(sorted(USER))})(?![的の])\b|(?:用户|ユーザー)(?![的の])"
)


@dataclass(frozen=True, slots=True)
class Quote:
    """What a model says of a fact; old models say nothing of it.

    `mode` is stated, asked, supposed, quoted or joke; `about` is "user" or another's name.
    """

    evidence: str = ""
    mode: str = ""
    about: str = ""

    @property
    def of_another(self) -> bool:
        named = set(tokens(plain(self.about)))
        return bool(named) and named.isdisjoint(USER | {"self", "me", "i"})


NO_QUOTE = Quote()


def refusal_of(
    fact: str,
    message: str,
    quote: Quote = NO_QUOTE,
    *,
    earlier: str = "",
    stated_at: datetime | None = None,
) -> Reason | None:
    """The reason why the message does not state the fact; None if it does.

    `earlier` is what was said before the message, `stated_at` is in the user's time zone.
    """
    refused = _refused_by(quote, fact)
    literal = is_literal(quote.evidence, message)
    if quote.evidence and not (literal or _share(quote.evidence, message) >= OVERLAP):
        refused = refused or Reason.NO_EVIDENCE
    said = f"{earlier}\n{_until(message, quote.evidence) if literal else message}"
    if not _is_covered(fact, said, literal=literal):
        refused = refused or Reason.UNGROUNDED
    if has_other_values(fact, said, stated_at.date() if stated_at else None):
        refused = refused or Reason.OTHER_NUMBER
    sentences = _sentences(quote.evidence if literal else message, message)
    return refused or _not_claimed(fact, sentences, literal=literal)


def _refused_by(quote: Quote, fact: str) -> Reason | None:
    """What the model itself says against the fact."""
    if quote.mode.lower() not in STATING_MODES:
        return Reason.NOT_STATED
    return Reason.ABOUT_ANOTHER if _is_about_another(fact, quote) else None


def _not_claimed(
    fact: str, sentences: Sequence[str], *, literal: bool
) -> Reason | None:
    """Whether the sentences ask, or deny what the fact states."""
    told = _telling(fact, sentences)
    if all(map(is_question, sentences if literal else told)):
        return Reason.ASKED
    return Reason.DENIED if is_denied(fact, told) else None


def is_literal(evidence: str, text: str) -> bool:
    """Whether the text has the evidence, but for its case, marks and spaces."""
    return bool(compact(evidence)) and compact(evidence) in compact(text)


def compact(text: str) -> str:
    return "".join(tokens(plain(text)))


def says_more(fact: str, known: str, message: str) -> bool:
    """Whether the user tells of something in the fact that the known one lacks."""
    ours = reading_of(fact).stems
    more = ours.difference(shared_stems(ours, reading_of(known).stems))
    return bool(shared_stems(more, reading_of(message).stems))


def has_value(value: str, text: str) -> bool:
    """Like `grounded`; a value of common words ("she/her") has to be there as a whole."""
    words = set(tokens(plain(value)))
    return grounded(value, text) or (bool(words) and words <= set(tokens(plain(text))))


def _is_about_another(fact: str, quote: Quote) -> bool:
    """Whether the fact is the user's, and what is quoted is said of another."""
    if not quote.of_another or not USER_HEAD.match(plain(fact)):
        return False
    of_relative = any(word in RELATIONS for word in tokens(plain(fact)))
    unnamed = plain(quote.about).strip() == "other"
    return not (of_relative if unnamed else grounded(quote.about, fact))


def _until(message: str, evidence: str) -> str:
    """The message up to the end of the evidence."""
    words = [(compact(word[0]), word.end()) for word in WORD.finditer(message)]
    wanted = compact(evidence)
    place = "".join(letters for letters, _ in words).find(wanted)
    missing = place + len(wanted)
    for letters, end in words if place >= 0 else ():
        missing -= len(letters)
        if missing <= 0:
            return message[:end]
    return message


def _is_covered(fact: str, said: str, *, literal: bool) -> bool:
    """Whether what is said has a word of the fact; without a quotation a third of them.

    In a quoted fact days that are written otherwise do not lower the share.
    """
    if literal:
        dated = named_months(fact)
        words = [word for word in tokens(plain(fact)) if word not in dated]
        rest = " ".join(word for word in words if not word[0].isdigit())
        shares = (_share(text, said) for text in (fact, rest))
        return max(shares) >= LEAST_QUOTED or not reading_of(fact).stems
    least = DENSE_OVERLAP if DENSE.search(fact) else OVERLAP
    return grounded(fact, said) and _share(fact, said) >= least


def _share(text: str, said: str) -> float:
    if is_literal(text, said):
        return 1.0
    ours = reading_of(text).stems
    return len(shared_stems(ours, reading_of(said).stems)) / len(ours) if ours else 0.0


def _sentences(evidence: str, message: str) -> list[str]:
    """Those of the evidence; the last as a question if its words are what is asked."""
    sentences = [sentence.rstrip("?？؟") for sentence in reading_of(evidence).sentences]
    if sentences and _is_asked(evidence, message):
        sentences[-1] += "?"
    return sentences


def _is_asked(evidence: str, message: str) -> bool:
    """Whether the quoted words end in what the message asks, not in what it says besides."""
    quoted = compact(reading_of(evidence).sentences[-1])
    for sentence in reading_of(message).sentences:
        clauses = list(filter(None, map(compact, telling_clauses(sentence))))
        if quoted in compact(sentence):
            told = any(clause in quoted or quoted in clause for clause in clauses)
            return wants_answer(sentence) and not told
    return is_question(evidence)


def _telling(fact: str, sentences: Sequence[str]) -> list[str]:
    """The sentences that have most of the fact's words."""
    ours = reading_of(fact).stems
    counts = [
        len(shared_stems(ours, reading_of(sentence).stems)) for sentence in sentences
    ]
    most = max(counts, default=0)
    return [
        sentence
        for sentence, count in zip(sentences, counts, strict=True)
        if count == most
    ]


def is_denied(fact: str, sentences: Sequence[str]) -> bool:
    """Whether the sentences say "not" of what the fact states, or the other way round."""
    text = "\n".join(sentences)
    ours = reading_of(fact).stems
    if reading_of(fact).negated:
        agrees = reading_of(text).negated or LACKING.search(text)
        return (
            not agrees
            and len(shared_stems(ours, reading_of(text).stems)) == len(ours) > 0
        )
    if LACKING.search(fact):
        return False
    clauses = [clause for told in sentences for clause in reading_of(told).clauses]
    counts = [len(shared_stems(ours, reading_of(clause).stems)) for clause in clauses]
    most = max(counts, default=0)
    telling = [c for c, count in zip(clauses, counts, strict=True) if count == most > 0]
    return bool(telling) and all(denies(clause, ours) for clause in telling)


def is_grounded(line: str, provenance: Provenance) -> bool:
    """Whether the message or what it answers has a word of the line (S0, decision 20).

    Of words that only files have, it states three times as many others. So is every
    line of which the message is not known.
    """
    texts = (provenance.user_text, provenance.in_context)
    if texts == (None, None):
        return True
    ours = reading_of(line).stems
    said = shared_stems(ours, stems_of("\n".join(filter(None, texts))))
    others = ours.difference(said)
    if provenance.unread and others:
        return False
    filed = shared_stems(others, reading_of(provenance.in_files).stems)
    if not filed:
        return len(said) > 0
    confirms = provenance.in_context not in (None, provenance.user_text)
    stating = provenance.in_context if confirms else provenance.stating
    stated = shared_stems(ours, stems_of(stating or ""))
    return len(stated) >= FROM_FILES * len(filed)
