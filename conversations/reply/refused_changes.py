"""Sentences for users about changes of memory and notes that were refused."""

from collections.abc import Sequence

from django.utils.text import Truncator
from django.utils.translation import gettext as _

from conversations.fact_texts import LONGEST_SHOWN, shown_proposal
from memory.reasons import Reason
from memory.values import Decision, told_line
from memory.wording.subject_labels import shown_text


def not_remembered(text: str, *, wish: bool = False) -> str:
    """`wish`: the text is the user's own sentence, and there are facts to choose from."""
    if wish:
        return _("Which of these should I forget?")
    return _("Not remembered: %(text)s") % {"text": shown_text(text)}


def of_space(text: str) -> str:
    told = _(
        "Kept for the whole household, so only an admin of it can forget this: %(text)s"
    )
    return told % {"text": told_line(text)}


def not_kept(refusals: Sequence[Decision]) -> str:
    """What was not remembered, and why."""
    named, bare = (
        _("Not kept: “%(text)s”. %(reason)s"),
        _("Not kept. %(reason)s"),
    )
    sentences = []
    for refusal in refusals:
        text = Truncator(shown_proposal(refusal)).chars(LONGEST_SHOWN)
        told = {"text": text, "reason": refusal.reason.label}
        sentences.append((named if refusal.text else bare) % told)
    return " · ".join(sentences)


def not_changed(reason: Reason) -> str:
    return _("Not written to the notes. %(reason)s") % {"reason": reason.label}


def not_forgotten(reason: Reason) -> str:
    return _("Not forgotten. %(reason)s") % {"reason": reason.label}


def not_removed(text: str, reason: str) -> str:
    """`reason` is that of `people.profile_updates.NotRemoved`."""
    texts = {
        "missing": _("Not in the notes: %(text)s"),
        "several": _("Several lines of the notes mention %(text)s"),
        "allergy": _("The notes mention %(text)s with an allergy"),
    }
    return texts[reason] % {"text": text}
