"""What a message does besides telling and forgetting: it asks, wishes, greets, thanks …"""

from dataclasses import dataclass

from memory.judgement.judge import HEALTH_CLASSES, MARGINS, Judged, judge_sentences
from memory.recall.query import beginning_and_end
from memory.subjects import Subject
from memory.wording.dialogue import goes_on
from memory.wording.frames import wants_answer
from memory.wording.splitting import is_question
from memory.wording.words import tokens

MANNERS = ("greeting", "thanks", "feeling", "capability", "closing")
OTHERS = (
    *(*HEALTH_CLASSES, "may_i", "recalling", "overview", "appointment", "general"),
    "past",
)
"""Classes of what is no small talk."""
OF_ANOTHER = frozenset({"capability", "feeling"})
"""Those that may be about another: "Who is Leo?", but not "Thanks, mate"."""
NEARLY = 0.25  # below the margin of small talk, for what is nothing else
KEYWORDS = 2  # words of a question such as "my allergies?"


@dataclass(frozen=True, slots=True)
class JudgedMessage:
    """`manner` is a class of small talk.

    `general` asks or `wishes` for something of the world, or is `unnamed`: a question
    that names no one.
    """

    asks: bool
    general: bool
    unnamed: bool
    wishes: bool
    may_i: bool
    manner: str


def judged_message(text: str, named: Subject | None) -> JudgedMessage:
    """`named`: the user or another whom it names. Uses the encoder."""
    judged = [found for _, found in judge_sentences(beginning_and_end(text))]
    manners = [_manner(found, named) for found in judged]
    others = [f for f, manner in zip(judged, manners, strict=True) if not manner]
    classes = frozenset[str]().union(*(found.classes for found in others))
    asking = [f.text for f in others if wants_answer(f.text) or is_question(f.text)]
    asks = bool(asking) or not classes.isdisjoint({"may_i", "general"})
    world = named is None and any(
        len(tokens(said)) > KEYWORDS and not goes_on(said) for said in asking
    )
    return JudgedMessage(
        asks,
        asks and ("general" in classes or world),
        world and "general" not in classes,
        "general" in classes and not any(is_question(f.text) for f in others),
        "may_i" in classes,
        next(filter(None, manners), ""),
    )


def _manner(judged: Judged, named: Subject | None) -> str:
    """The class of small talk that a sentence is of most, if it is of no other."""
    beyond = {c: judged.scores.get(c, -1) - MARGINS[c] for c in (*MANNERS, *OTHERS)}
    best = max(MANNERS, key=lambda name: beyond[name])
    if named is not None and not named.is_user and best in OF_ANOTHER:
        return ""
    other = max(beyond[name] for name in OTHERS)
    is_near = named is None and other <= 0 and beyond[best] > -NEARLY
    return best if is_near or beyond[best] > max(other, 0) else ""
