"""Corrections of what was said before: "I'm actually 46", and "no, it's 3.75 now"."""

from collections.abc import Sequence

from memory.wording import lexicon
from memory.wording.frames import unframed
from memory.wording.intakes import DURATIONS, FORMS, intake_of
from memory.wording.numbers import unit_of
from memory.wording.splitting import is_question, split_sentences
from memory.wording.wishes import sharing
from memory.wording.words import content_tokens, folded, plain, tokens

OF_ONESELF = folded(lexicon.OF_ONESELF)
CHANGING = folded(lexicon.CHANGING + lexicon.NO) | FORMS | DURATIONS
FOLLOWED = 3  # messages that a correction or a follow-up may be about


def corrects(message: str) -> bool:
    """Whether a sentence says that something known was wrong: "I'm actually 46"."""
    framed = map(unframed, split_sentences(message))
    return _only_changes(message) or any(said.corrects for said in framed)


def with_name(
    message: str, facts: Sequence[str], earlier: Sequence[str]
) -> tuple[str, str]:
    """A correction after what it corrects: "Bisoprolol: no, it's 3.75 now", and its fact.

    Both are empty if it names something. `earlier` are the messages before, the last first.
    """
    if not _only_changes(message):
        return "", ""
    for said in earlier[:FOLLOWED]:
        for fact in sharing(said, facts):
            if any(map(str.isdigit, fact)) and (name := intake_of(fact).name):
                return f"{name[:1].upper()}{name[1:]}: {message.strip()}", fact
    return "", ""


def _only_changes(message: str) -> bool:
    words = tokens(plain(message))
    if is_question(message) or not any(map(str.isdigit, message)):
        return False
    rest = [word for word in words if not word[0].isdigit() and not unit_of(word)]
    return not OF_ONESELF.intersection(rest) and CHANGING.issuperset(
        content_tokens(" ".join(rest))
    )
