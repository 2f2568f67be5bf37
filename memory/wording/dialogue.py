# ruff: noqa: RUF001 - the marks of Chinese and Japanese, and dashes, are meant
"""A short message read together with what the assistant asked, and what a message does."""

import re
from collections.abc import Sequence

from memory.judgement.judge import belongs, judge, judge_sentences, sentence_places
from memory.wording.words import content_tokens, is_question, negated, stems_of

# Of a message that says enough by itself.
CONTENT_WORDS = 3
# Characters of a message that is searched with the one before it.
SHORT = 50
# Of a message that begins with a yes and says little else.
YES_CLAUSES = 6
# Characters among which a new topic is announced.
TOPIC_MARKER_WITHIN = 200
PARAGRAPH = re.compile(r"\n\s*\n")
SENTENCE = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？؟])|\n")
QUESTION_MARKS = ("?", "？", "؟")
CLAUSE = re.compile(r"[,.;:!\n，：、]|\s[-–—]")
MARKUP = "*_~`)]\"'”»"


def is_bare(text: str) -> bool:
    """Whether a text has few content words and is no question about what was said."""
    few = len(content_tokens(text)) < CONTENT_WORDS
    return few and not belongs(text, "recalling")


def is_short(text: str) -> bool:
    """Whether a text has few characters or few content words."""
    return len(text.strip()) < SHORT or is_bare(text)


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


def stating(message: str) -> str:
    """The sentences of a message that neither ask nor want something forgotten."""
    return "\n".join(
        one.text
        for _, one in judge_sentences(message)
        if not is_question(one.text) and "forget" not in one.classes
    )


def lasting(message: str) -> list[str]:
    """The sentences that state something lasting, in the user's own words.

    What is kept without a model: as it was said, at most 300 characters each.
    """
    return [
        one.text.strip(" |").rstrip(" .!…。！")
        for _, one in judge_sentences(message)
        if "statement" in one.classes
        and not is_question(one.text)
        and one.classes.isdisjoint({"forget", "forget_all", "order"})
    ]


def unwanted(message: str, known: Sequence[str]) -> list[str]:
    """The known sentences whose words a wish to forget says all; else the wishes.

    Without a model: "Forget that I am vegan" names "I am vegan".
    """
    wished: dict[str, None] = {}
    for _, one in judge_sentences(message):
        if "forget" in one.classes:
            said = stems_of(one.text)
            ours = [(text, stems_of(text)) for text in known]
            named = [text for text, stems in ours if stems and stems <= said]
            unnamed = [] if "off_record" in one.classes else [one.text]
            wished |= dict.fromkeys(named or unnamed)
    return list(wished)


def is_off_record(message: str) -> bool:
    """Whether a sentence or a clause wishes that the message is not kept."""
    sentences = [one.text for _, one in judge_sentences(message)]
    clauses = [clause for sentence in sentences for clause in _clauses(sentence)]
    judged = judge(list(dict.fromkeys([*sentences, *clauses])))
    return any("off_record" in one.classes for one in judged)


def confirms(message: str) -> bool:
    """Whether the message says yes and nothing else."""
    judged = judge_sentences(message)
    return (
        bool(judged)
        and all("confirm" in sentence.classes for _, sentence in judged)
        and "?" not in message
        and not negated(message)
    )


def _begins_with_yes(message: str) -> bool:
    """Whether a yes comes first, and few other content words and no denial after it."""
    clauses = _clauses(message)
    if not 0 < len(clauses) <= YES_CLAUSES or "?" in message or negated(message):
        return False
    first, *others = judge(clauses)
    rest = [one.text for one in others if "confirm" not in one.classes]
    few = len(content_tokens(" ".join(rest))) < CONTENT_WORDS
    return "confirm" in first.classes and few


def _last_question(reply: str) -> tuple[str, str]:
    """The last question and its paragraph; else nothing and the last paragraph."""
    paragraphs = [part.strip() for part in PARAGRAPH.split(reply) if part.strip()]
    for paragraph in reversed(paragraphs):
        for sentence in reversed(SENTENCE.split(paragraph)):
            if sentence.rstrip(MARKUP).endswith(QUESTION_MARKS):
                return sentence.strip(), paragraph
    return "", paragraphs[-1] if paragraphs else ""


def announces_topic(text: str) -> bool:
    """Whether a sentence near the beginning says that another topic follows.

    Or its first clause: "By the way, …".
    """
    start = text[:TOPIC_MARKER_WITHIN]
    sentences = [start[begin:end] for begin, end in sentence_places(start)]
    clauses = map(_clauses, sentences)
    openings = [first for first, *others in clauses if others]
    judged = judge([*sentences, *openings])
    return any("topic_change" in piece.classes for piece in judged)


def _clauses(text: str) -> list[str]:
    return [clause.strip() for clause in CLAUSE.split(text) if clause.strip()]
