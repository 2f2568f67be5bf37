"""The lines that a message is about, by the bundled encoder, kinds and words."""

from collections.abc import Sequence, Set

import numpy as np

from meddie.ai.errors import NoEmbedder
from meddie.ai.events import Remark
from memory.judgement.judge import (
    HEALTH_CLASSES,
    MARGINS,
    Judged,
    judge,
    vectors_of,
)
from memory.recall.asked import AskedAbout
from memory.subjects import USER
from memory.wording.words import RELATIONS, grounded, plain, tokens

MOST_WEIGHED = 200  # lines, the first ones
SHARED = 0.3  # what common words, and a common kind, are worth as a cosine
LEAST_ALLERGY = -0.6  # of a line that answers a question about allergies
NEAR_BEST = 0.6  # of the best line's score: others do not answer the same question


def nearest_remarks(
    text: str, remarks: Sequence[Remark], least: float, asked: AskedAbout
) -> list[Remark]:
    by_text = {remark.text: remark for remark in reversed(remarks)}
    lines = list(by_text)[::-1]
    return [by_text[line] for line in _best_lines(text, lines, least, asked)]


def _best_lines(
    text: str, lines: Sequence[str], least: float, asked: AskedAbout
) -> list[str]:
    """The lines that the text is about, the nearest first.

    By the bundled encoder, kinds, and words but for those who are named.
    """
    if not text.strip():
        return []
    read = lines[:MOST_WEIGHED]
    question, *judged = judge([text, *read])
    topics = [without_subject(line, asked) for line in (text, *read)]
    try:
        whole, others = vectors_of([text, *read]), vectors_of(topics)
        cosines = np.maximum(whole[1:] @ whole[0], others[1:] @ others[0]).tolist()
    except NoEmbedder:
        cosines = [0.0] * len(read)
    said: dict[str, float] = {}
    scores: dict[str, float] = {}
    for line, topic, cosine in zip(judged, topics[1:], cosines, strict=True):
        shares = grounded(topic, topics[0])
        if shares or _may_answer(question, line):
            said[line.text] = cosine + SHARED * shares
            alike = bool(_kinds(question) & _kinds(line))
            scores[line.text] = said[line.text] + SHARED * alike
    # A line with words of the question answers it alone, of any kind.
    best = max(scores, key=lambda line: scores[line], default="")
    measure = said if grounded(best, topics[0]) else scores
    near = NEAR_BEST * max(measure.values(), default=0)
    ranked = sorted(scores, key=lambda line: -scores[line])
    return [n for n in ranked if scores[n] >= least and measure[n] >= near]


def _may_answer(question: Judged, line: Judged) -> bool:
    """Not what is of another kind, but for allergies: the judge of questions may err.

    "Is Leo allergic to anything?" is answered by what he does not tolerate alone.
    """
    if not (question.scores and line.scores):
        return True
    beyond = {c: question.scores[c] - MARGINS[c] for c in HEALTH_CLASSES}
    if beyond["allergy"] > 0 and beyond["allergy"] == max(beyond.values()):
        return line.scores["allergy"] > LEAST_ALLERGY
    kinds, theirs = _kinds(question), _kinds(line)
    return bool(kinds & theirs) or "allergy" in theirs or not (kinds and theirs)


def _kinds(judged: Judged) -> Set[str]:
    """What of health it is about: allergies, medicines …"""
    return judged.classes.intersection(HEALTH_CLASSES)


def without_subject(text: str, asked: AskedAbout) -> str:
    """The other words: that a line names the one asked about makes it no answer."""
    subject = asked.subject or USER
    name = set(tokens(plain(subject.name)))
    rest = [word for word in text.split() if not _calls(word, name, subject.relation)]
    return " ".join(rest) or text


def _calls(word: str, name: Set[str], relation: str) -> bool:
    called = tokens(plain(word))
    return any(part in name for part in called) or any(
        relation and RELATIONS.get(part) == relation for part in called
    )
