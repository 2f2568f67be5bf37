"""What a reply may remove and forget, by the message that it answers.

A model alone changes nothing: what the message does not say is asked (decision 45).
"""

from collections.abc import Sequence

from memory.judgement.judge import judge
from memory.reasons import Reason
from memory.wording.dialogue import is_bare
from memory.wording.evidence import is_denied
from memory.wording.splitting import is_question, split_clauses, split_sentences
from memory.wording.wishes import is_plain, without_statements
from memory.wording.words import grounded


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
        if grounded(text, named) and (
            _ends(text, said) or _wishes_gone(text, said, named)
        ):
            return True
        before = said
    return False


def _ends(text: str, said: str) -> bool:
    """Whether a sentence says that something in it has ended, or denies the text."""
    if is_question(said):
        return False
    judged = judge([said, *split_clauses(said)])
    return any("ended" in judgement.classes for judgement in judged) or is_denied(
        text, [said]
    )


def _wishes_gone(text: str, said: str, named: str) -> bool:
    """Whether a sentence plainly wishes the text forgotten; what is only judged is asked."""
    wished, _stated = without_statements(said)
    return is_plain(said) and grounded(text, named.replace(said, wished))
