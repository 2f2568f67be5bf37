"""What a reply may remove and forget, by the message that it answers.

A model alone changes nothing: what the message does not say is asked (decision 45).
"""

from collections.abc import Sequence

from memory.judgement.judge import judge
from memory.reasons import Reason
from memory.wording.dialogue import is_bare
from memory.wording.evidence import is_denied
from memory.wording.sentences import is_question, split_clauses, split_sentences
from memory.wording.wishes import opens_as_wish
from memory.wording.words import (
    grounded,
    shared_stems,
    stems_of,
)


def refused_removals(
    texts: Sequence[str], message: str, earlier: str = ""
) -> list[Reason | None]:
    """For each text None if the message names it where it ends, denies or gives it up.

    `earlier` is what "Forget that" may be about.
    """
    return [
        None if _gives_up(text, message, earlier) else Reason.NOT_WANTED
        for text in texts
    ]


def _gives_up(text: str, message: str, before: str) -> bool:
    for said in split_sentences(message):
        named = f"{before}\n{said}" if is_bare(said) else said
        if grounded(text, named) and (_ends(text, said) or _wishes_gone(text, said)):
            return True
        before = said
    return False


def _ends(text: str, said: str) -> bool:
    """Whether a sentence says that something in it has ended, or denies the text."""
    if is_question(said):
        return False
    judged = judge([said, *split_clauses(said)])
    return any("ended" in one.classes for one in judged) or is_denied(text, [said])


def _wishes_gone(text: str, said: str) -> bool:
    """Whether a sentence without the words of the text is a wish to forget.

    "Remember that I am allergic" resembles one by its topic. With a "not" it may be the
    opposite, which the encoder hardly sees. A verb of forgetting at its beginning decides.
    """
    if (ruled := opens_as_wish(said)) is not None:
        return ruled
    ours = stems_of(text)
    words = [word for word in said.split() if not shared_stems(stems_of(word), ours)]
    others = " ".join(words)
    judged = judge([others, *split_clauses(others)])
    return any("forget" in one.classes for one in judged)
