"""Doubts of what a model proposes: refusals to tell, and changes of notes to refuse or ask."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from django.utils import timezone

from meddie.text import one_line
from memory import journal
from memory.facts.changes import refused_removals
from memory.facts.extract import Heard, ask_extractor
from memory.facts.proposals import judged_facts
from memory.reasons import ASKED, Reason
from memory.subjects import NO_HOUSEHOLD
from memory.values import PROFILE_KIND, Decision
from memory.wording.evidence import refusal_of
from memory.wording.guards import refusal
from memory.wording.words import shared_stems, stems_of
from people.scope import Scope

UNTOLD = frozenset(
    {
        Reason.EMERGENCY,
        Reason.NO_MEMORY,
        Reason.CAPTURE_OFF,
        Reason.OF_PROMPT,
        Reason.OFF_RECORD,
        Reason.LORE_OFF,
    }
)
"""Reasons for which nothing was to be remembered at all, or that have a line alone."""


def refusals_to_tell(decisions: Sequence[Decision]) -> list[Decision]:
    """Each refusal once, without the text where it must not be kept.

    A fact of the profile without a value is a model's mistake, and no one's fact.
    """
    refused = [d for d in decisions if d.action == "reject" and d.reason not in UNTOLD]
    refused = [
        d for d in refused if not (d.kind == PROFILE_KIND and d.text.endswith(": "))
    ]
    told = [d if journal.may_be_shown(d) else replace(d, text="") for d in refused]
    return list(
        {(decision.text, decision.reason): decision for decision in told}.values()
    )


def judge_changes(
    changes: Sequence[tuple[str, bool]], message: str, at: datetime
) -> list[Reason | None]:
    """For each text why it may not be added to notes or, if it is true, removed.

    None if it may. The user may be asked about those that are ASKED. Uses the encoder.
    """
    removed = [text for text, removes in changes if removes]
    unwanted = dict(zip(removed, refused_removals(removed, message), strict=True))
    return [
        refusal(text, wish=True) or unwanted[text]
        if removes
        else _refused_addition(text, message, at)
        for text, removes in changes
    ]


def extract(text: str) -> list[tuple[str, Reason | None]]:
    """The facts that a model finds in a message, and why each would be refused.

    To try a model: nothing is stored. Raises AIError.
    """
    heard = Heard(text, timezone.now(), NO_HOUSEHOLD)
    found = judged_facts(ask_extractor(heard), heard)
    return [(str(fact.text), fact.withheld or refusal(fact.text)) for fact in found]


def _refused_addition(text: str, message: str, at: datetime) -> Reason | None:
    """Notes are read by others, so each content word has to be the user's own."""
    refused, unsaid = refusal(text), refusal_of(text, message, stated_at=at)
    ours = stems_of(text)
    if unsaid is None and len(shared_stems(ours, stems_of(message))) < len(ours):
        unsaid = Reason.UNGROUNDED
    if refused == Reason.INSTRUCTION and not (unsaid or refusal(text, wish=True)):
        return Reason.NOT_WANTED  # short names of illnesses resemble orders
    return refused or unsaid


def record_doubts(scope: Scope, doubts: Sequence[tuple[str, Reason]]) -> None:
    """Record for staff which changes were asked or refused. In a transaction."""
    decisions = [
        Decision(one_line(text), "ask" if reason in ASKED else "reject", reason)
        for text, reason in doubts
    ]
    if decisions:
        journal.record_run(scope, "notes", decisions)
