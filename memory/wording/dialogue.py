"""A short message read together with what the assistant asked, and what a message does."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from memory.judgement.judge import (
    HEALTH_CLASSES,
    MARGINS,
    Judged,
    belongs,
    judge,
    judge_sentences,
    judged_places,
)
from memory.subjects import NO_HOUSEHOLD, Household
from memory.wording import lexicon
from memory.wording.frames import (
    LABEL,
    Framed,
    framed_parts,
    telling_clauses,
    without_reason,
)
from memory.wording.measured import measures_of
from memory.wording.person_words import JOINS
from memory.wording.splitting import is_question, split_clauses, split_sentences
from memory.wording.subjects import (
    mentions_another,
    parts_of_subjects,
    speaks_of_another,
)
from memory.wording.wishes import is_wish, without_statements
from memory.wording.words import (
    content_tokens,
    folded,
    negated,
    plain,
    stems_of,
    tokens,
)

# Of a message that says enough by itself.
CONTENT_WORDS = 3
# Stems of a question that goes on with "and".
FEW_STEMS = 2
# Characters of a message that is searched with the one before it.
SHORT_MESSAGE = 50
# Of a message that begins with a yes and says little else.
YES_CLAUSES = 6
# Characters among which a new topic is announced.
TOPIC_MARKER_WITHIN = 200
LEAST_NOTED = -0.6
"""The margin of a statement after "remember that" or "actually"."""
LEAST_OF_ANOTHER, LEAST_VITAL, LEAST_ON_HEALTH = -0.15, -0.9, -0.15
"""The margins of a statement about a relative: 1 % of ordinary sentences more are kept."""
STATED_IN_QUESTION = 0.3
"""The margin of a clause of a question; "is penicillin, …" exceeds that of a sentence."""
OWN = folded(lexicon.POSSESSIVES_BY_LANGUAGE.values())
MOST_NAMING = 3  # words of a caption after "my"
UNKEPT_CLASSES = frozenset({"forget_all", "order"})
PARAGRAPH = re.compile(r"\n\s*\n")


def is_bare(text: str) -> bool:
    """Whether a text has few content words and is no question about what was said."""
    few = len(content_tokens(text)) < CONTENT_WORDS
    return few and not belongs(text, "recalling")


def is_short(text: str) -> bool:
    """Whether a text has few characters or few content words."""
    return len(text.strip()) < SHORT_MESSAGE or is_bare(text)


def goes_on(question: str) -> bool:
    """Whether a question has no words of its own, or one after "and": "And before?"."""
    own = stems_of(question)
    joined = not JOINS.isdisjoint(map(plain, tokens(question)[:1]))
    return len(own) <= FEW_STEMS * joined


def asks(reply: str) -> bool:
    return bool(_last_question(reply)[0])


def in_context(message: str, last_reply: str) -> str:
    """The message; after the assistant's last question if it has few content words.

    Without a question in `last_reply` its last paragraph is taken.
    """
    if not message or not is_bare(message):
        return message
    question, paragraph = _last_question(last_reply)
    # "Is that right?" is about the sentences before it.
    return f"{paragraph if is_bare(question) else question}\n{message}".strip()


def with_confirmed(message: str, last_reply: str) -> str:
    """The message; after the assistant's last question if it begins with a yes to it."""
    if not _begins_with_yes(message):
        return message
    question, _ = _last_question(last_reply)
    return f"{question}\n{message}".strip()


@dataclass(frozen=True, slots=True)
class Told:
    """What a sentence or clause states; `lasting` as the judge finds it."""

    text: str
    lasting: bool


def stating(message: str) -> str:
    """What a message says besides its questions and its wishes to forget something."""
    return "\n".join(told.text for told in _told(message, NO_HOUSEHOLD))


def lasting(message: str, household: Household = NO_HOUSEHOLD) -> list[str]:
    """What a message states for good, in the user's own words without their frame.

    In sentences, or in clauses where one asks or speaks of another of the household, too.
    """
    return [
        part.strip(" |").rstrip(" .!…。！")
        for told in _told(message, household)
        if told.lasting
        for part in parts_of_subjects(told.text, household)
    ]


def names_only(caption: str) -> bool:
    """Whether it only says whose something is, as "My lab results"."""
    first, *rest = tokens(plain(caption)) or [""]
    return first in OWN and len(rest) < MOST_NAMING and ":" not in caption


def wants_reminder(message: str) -> bool:
    """Whether it asks to be reminded at some time, not of what is known."""
    return any(said.reminds for said in _framed(message))


def _told(message: str, household: Household) -> list[Told]:
    framed = _framed_sentences(message)
    clauses = [
        [without_reason(clause) for clause in telling_clauses(said.text)]
        for said in framed
    ]
    pieces = filter(None, [*(said.text for said in framed), *chain(*clauses)])
    found = {piece.text: piece for piece in judge(list(pieces))}
    told = []
    for said, parts in zip(framed, clauses, strict=True):
        whole = found.get(said.text)
        if whole and is_wish(whole):
            _wish, stated = without_statements(said.text)
            told += [Told(clause, lasting=True) for clause in stated]
        elif whole and whole.classes.isdisjoint(UNKEPT_CLASSES):
            judged = [found[part] for part in parts if part]
            told += _told_in(said, whole, judged, household)
    return told


def _framed(message: str) -> list[Framed]:
    return [part for said in split_sentences(message) for part in framed_parts(said)]


def _framed_sentences(message: str) -> list[Framed]:
    """Those that neither show nor hand over; the list after "remember these"."""
    framed, listed = [], False
    for said in _framed(message):
        if listed or not (said.shows or said.hands):
            framed.append(replace(said, noted=said.noted or listed))
        listed = listed or (said.noted and not stems_of(said.text))
    return framed


def _told_in(
    said: Framed, whole: Judged, parts: Sequence[Judged], household: Household
) -> list[Told]:
    """The sentence if it, or a clause of it, states something; of a question the clauses."""
    if said.reminds and not said.noted:  # an appointment, and not the wish
        ill = max(whole.scores.get(name, -1) for name in HEALTH_CLASSES)
        tells = len(content_tokens(whole.text)) >= CONTENT_WORDS  # more than a day
        is_ahead = tells and _is_dated(whole) and whole.scores["appointment"] > ill
        return [Told(whole.text, lasting=True)] if is_ahead else []
    asks = is_question(said.text)
    least = STATED_IN_QUESTION if asks else MARGINS["statement"]
    stated = [part for part in parts if part.scores.get("statement", 0) > least]
    if asks:
        return [Told(part.text, lasting=True) for part in stated]
    least = LEAST_NOTED if said.noted or said.corrects else MARGINS["statement"]
    lasting = whole.scores.get("statement", 0) > least or bool(stated)
    lasting = lasting or _is_labelled(whole) or _is_of_another(whole, household)
    dated = _is_dated(whole) or bool(measures_of(said.text))
    return [Told(said.text, lasting=lasting or dated)]


def _is_of_another(said: Judged, household: Household) -> bool:
    """Whether it states something of a relative, or on health if it names one.

    "Leo can't take codeine" is less of a statement about the user.
    """
    score = said.scores.get("statement", -1)
    if score > LEAST_OF_ANOTHER and speaks_of_another(said.text, household):
        return True
    on_health = max(said.scores.get(n, -1) for n in ("safety", *HEALTH_CLASSES))
    is_vital = score > LEAST_VITAL and on_health > LEAST_ON_HEALTH
    return is_vital and mentions_another(said.text, household)


def _is_dated(said: Judged) -> bool:
    """Whether it is an appointment, and has a day or a time."""
    has_number = any(letter.isdigit() for letter in said.text)
    return has_number and "appointment" in said.classes


def _is_labelled(said: Judged) -> bool:
    """Whether a label says what is listed, which no answer may overlook: "Allergies: latex"."""
    return bool(LABEL.search(said.text)) and "safety" in said.classes


def is_off_record(message: str) -> bool:
    """Whether a sentence or a clause wishes that the message is not kept."""
    sentences = [judgement.text for _, judgement in judge_sentences(message)]
    clauses = [clause for sentence in sentences for clause in split_clauses(sentence)]
    judged = judge(list(dict.fromkeys([*sentences, *clauses])))
    return any("off_record" in judgement.classes for judgement in judged)


def _begins_with_yes(message: str) -> bool:
    """Whether a yes comes first, and few other content words and no denial after it."""
    clauses = [c for said in split_sentences(message) for c in split_clauses(said)]
    if not 0 < len(clauses) <= YES_CLAUSES or "?" in message or negated(message):
        return False
    first, *others = judge(clauses)
    rest = [other.text for other in others if "confirm" not in other.classes]
    few = len(content_tokens(" ".join(rest))) < CONTENT_WORDS
    return "confirm" in first.classes and few


def _last_question(reply: str) -> tuple[str, str]:
    """The last question and its paragraph; else nothing and the last paragraph."""
    paragraphs = [part.strip() for part in PARAGRAPH.split(reply) if part.strip()]
    for paragraph in reversed(paragraphs):
        for sentence in reversed(split_sentences(paragraph)):
            if is_question(sentence):
                return sentence, paragraph
    return "", paragraphs[-1] if paragraphs else ""


def announces_topic(text: str) -> bool:
    """Whether a sentence near the beginning says that another topic follows.

    Or its first clause: "By the way, …".
    """
    start = text[:TOPIC_MARKER_WITHIN]
    sentences = [start[begin:end] for begin, end in judged_places(start)]
    clauses = map(split_clauses, sentences)
    openings = [first for first, *others in clauses if others]
    judged = judge([*sentences, *openings])
    return any("topic_change" in piece.classes for piece in judged)
