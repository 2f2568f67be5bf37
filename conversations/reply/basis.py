"""What an answer without a model rests on: the message as judged, and what fits it best."""

from collections.abc import Sequence, Set
from dataclasses import replace

import numpy as np

from conversations.models import Attachment, Message
from conversations.reply import confirmations
from conversations.reply.known_facts import KnownFacts
from conversations.reply.remarks import Remarks
from conversations.reply.turn import Turn
from meddie.ai.errors import NoEmbedder
from meddie.ai.events import Basis, Remark
from meddie.languages import ANSWERED
from memory.judgement.judge import HEALTH_CLASSES, judge, vectors_of
from memory.recall.asked import AskedAbout
from memory.recall.query import classes_of
from memory.subjects import USER, Household
from memory.wording import answers, dialogue, wishes
from memory.wording.frames import wants_answer
from memory.wording.splitting import split_sentences
from memory.wording.subjects import mentions_another, shown_text
from memory.wording.words import RELATIONS, grounded, plain, spoken_language, tokens
from people.models import User

CLEAR = 0.35  # of a fact for a message that asks nothing
RELATED = 0.7  # of a fact for a question about the world
ASKS_AHEAD = -0.35  # of the class of appointments, for a question
UNSOUGHT_LINES = 2  # of a file that nothing else is known of
MOST_WEIGHED = 200  # lines, the first ones
SHARED = 0.3  # what common words, and a common kind, are worth as a cosine
NEAR_BEST = 0.6  # of the best line's score: others do not answer the same question
ABOUT = 0.2
"""Of the cosine of a message and a line without its words. "What is the capital of France?"
and "My name is Kate" have 0.19, "Which tablets does she take?" and "Ramipril 5 mg every
morning" 0.28."""


def basis_of(
    text: str,
    remarks: Remarks,
    *,
    keeps: bool,
    before: str = "",
    pool: Sequence[Remark] | None = None,
) -> Basis:
    """What is known for a message of a user. Uses the encoder.

    `before` is the user's message before it. `pool` is weighed instead of notes and facts.
    """
    classes, known = classes_of(text), remarks.known
    said, facts = dialogue.lasting(text, remarks.household), known.texts
    general = "general" in classes
    asks = (
        "?" in text
        or any(map(wants_answer, split_sentences(text)))
        or not classes.isdisjoint({"may_i", "general"})
    )
    pool = [*remarks.notes(), *remarks.facts()] if pool is None else pool
    vital: list[Remark] = []
    if "may_i" in classes:
        pool = [*pool, *remarks.doubtful_facts()]
        vital = _vital(text, remarks, pool)
        others = [item for item in pool if item not in vital]
        near = _best(text, others, ABOUT, remarks.asked)
        vital = remarks.in_order(vital)
        pool = [*vital, *(item for item in near if grounded(item.text, text))]
    elif known.found.overview:
        pool = [*remarks.in_order(pool), *remarks.doubtful_facts()]
    elif asks and asks_ahead(text):
        pool = remarks.ahead(text)
    else:
        least = RELATED if general else ABOUT if asks else CLEAR
        pool = _nearest(text, remarks, pool, least)
    return Basis(
        classes=classes,
        asks=asks,
        asked=None if general or _names_no_one(text, remarks) else _whom(remarks.asked),
        lasting=said,
        is_known={plain(sentence) for sentence in said}
        <= {plain(fact) for fact in facts},
        unwanted=wishes.unwanted(text, facts, before),
        found=pool,
        vital=len(vital),
        overview=known.found.overview,
        reminds=dialogue.wants_reminder(text),
        forgets_all=wishes.wants_all(text),
        keeps=keeps,
        language=remarks.language,
    )


def asks_ahead(text: str) -> bool:
    """Whether a question is about what is to come. Uses the encoder."""
    judged = judge(split_sentences(text))
    return any(
        found.scores["appointment"] > ASKS_AHEAD
        and found.scores["appointment"] > max(found.scores[c] for c in HEALTH_CLASSES)
        for found in judged
        if found.scores
    )


def _nearest(
    text: str, remarks: Remarks, pool: Sequence[Remark], least: float
) -> list[Remark]:
    """Of what is sure, else of what the user said before, else of what is not sure."""
    for more in (
        [*pool, *remarks.found_in_files()],
        list(remarks.said_before()),
        [] if remarks.asked.subject else remarks.doubtful_facts(),
    ):
        if found := _best(text, more, least, remarks.asked):
            return remarks.in_order(found)
    return []


def _without_subject(text: str, asked: AskedAbout) -> str:
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


def _names_no_one(text: str, remarks: Remarks) -> bool:
    """In a conversation about a person: it may be about the world."""
    about = remarks.household.about
    return (
        about is not None
        and remarks.asked.subject == about
        and not mentions_another(text)
    )


def _whom(asked: AskedAbout) -> tuple[str, str] | None:
    """The relation and the name; neither for the user."""
    subject = asked.subject
    return (subject.relation, subject.name) if subject and not subject.unsure else None


def remarks_of(
    text: str, before: str, known: KnownFacts, household: Household, user: User | None
) -> Remarks:
    """In the language of the message, else of the one before it, else of the user's pages."""
    spoken = map(spoken_language, (text, before))
    locale, zone = (user.locale, user.zone) if user else ("", None)
    language = next((code for code in spoken if code in ANSWERED), locale)
    return Remarks(known, known.query.asked, household, zone, language)


def basis_of_turn(
    turn: Turn,
    history: Sequence[Message],
    known: KnownFacts,
    files: Sequence[Attachment],
    household: Household,
) -> Basis:
    """With the files of the message."""
    text, conversation = turn.message.content_to_keep, turn.reply.conversation
    asked = confirmations.open_questions(turn.message)
    settled = _settled(text, asked)
    spoken = (m.content for m in reversed(history) if m.role == Message.Role.USER)
    keeps, before = turn.scope.writes, next(spoken, "")
    remarks = remarks_of(text, before, known, household, conversation.user)
    if settled is None and confirmations.names_subject(text, asked):
        language = remarks.language
        return Basis(asks=False, begins=False, settled=True, language=language)
    if settled is False:
        language = remarks.language
        return Basis(asks=False, begins=False, settled=False, language=language)
    lines = remarks.lines_of(files)
    pool = [*lines, *remarks.notes(conversation.person), *remarks.facts()]
    basis = basis_of(text, remarks, keeps=keeps, before=before, pool=pool)
    if turn.message.off_record:  # "don't save this" forgets what is known, nothing else
        known_texts = set(known.texts)
        unwanted = [wish for wish in basis.unwanted if wish in known_texts]
        basis = replace(basis, unwanted=unwanted)
    if files and not basis.asks:  # nothing of other files
        basis = replace(basis, found=[], lines_read=len(lines))
    elif lines and not set(lines) & set(basis.found):
        basis = replace(basis, found=[*lines[:UNSOUGHT_LINES], *basis.found])
    forgets_all = any(line.line_kind == Message.LineKind.FORGET_ALL for line in asked)
    return replace(
        basis,
        block=True,
        begins=not history,
        emergency=bool(turn.message.emergency),
        forgets_all=basis.forgets_all or bool(settled and forgets_all),
        settled=settled,
    )


def _settled(text: str, asked: Sequence[Message]) -> bool | None:
    """The yes or no to what the lines under the last reply ask, if it is nothing else."""
    if asked and answers.declines(text):
        return False
    forgets = {Message.LineKind.FORGET_ALL, Message.LineKind.ASKS_FORGET}
    may_forget = any(line.line_kind in forgets for line in asked)
    return True if may_forget and answers.agrees(text) else None


def _vital(text: str, remarks: Remarks, pool: Sequence[Remark]) -> list[Remark]:
    """What no answer may overlook, of facts and of notes; the nearest first."""
    flagged = {shown_text(item.text) for item in remarks.known.found.safety}
    judged = judge([item.text for item in pool])
    vital = [
        remark
        for remark, found in zip(pool, judged, strict=True)
        if remark.text in flagged or "safety" in found.classes
    ]
    near = _best(text, vital, -1, remarks.asked)
    return [*near, *(item for item in vital if item not in near)]


def _best(
    text: str, remarks: Sequence[Remark], least: float, asked: AskedAbout
) -> list[Remark]:
    by_text = {remark.text: remark for remark in reversed(remarks)}
    lines = list(by_text)[::-1]
    return [by_text[line] for line in _best_lines(text, lines, least, asked)]


def _best_lines(
    text: str, lines: Sequence[str], least: float, asked: AskedAbout
) -> list[str]:
    """The lines that the text is about, the nearest first.

    By the bundled encoder, kinds, and words but for those who are named. No line of
    another kind answers, but for allergies: the judge of questions may err.
    """
    if not text.strip():
        return []
    kinds, read = _kinds([text, *lines[:MOST_WEIGHED]]), lines[:MOST_WEIGHED]
    topics = [_without_subject(line, asked) for line in (text, *read)]
    try:
        whole, others = vectors_of([text, *read]), vectors_of(topics)
        cosines = np.maximum(whole[1:] @ whole[0], others[1:] @ others[0]).tolist()
    except NoEmbedder:
        cosines = [0.0] * len(read)
    said: dict[str, float] = {}
    scores: dict[str, float] = {}
    for line, topic, kind, cosine in zip(
        read, topics[1:], kinds[1:], cosines, strict=True
    ):
        alike = bool(kinds[0] & kind)
        if alike or "allergy" in kind or not (kinds[0] and kind):
            said[line] = cosine + SHARED * grounded(topic, topics[0])
            scores[line] = said[line] + SHARED * alike
    # A line with words of the question answers it alone, of any kind.
    best = max(scores, key=lambda line: scores[line], default="")
    measure = said if grounded(best, topics[0]) else scores
    near = NEAR_BEST * max(measure.values(), default=0)
    ranked = sorted(scores, key=lambda line: -scores[line])
    return [n for n in ranked if scores[n] >= least and measure[n] >= near]


def _kinds(texts: Sequence[str]) -> list[Set[str]]:
    """What of health each is about: allergies, medicines …"""
    return [found.classes.intersection(HEALTH_CLASSES) for found in judge(texts)]
