"""Staff correct, retire, restore and erase a fact of any kind, by the rules of capture.

Each leaves an event with who did it.
"""

from functools import partial

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from memory import journal
from memory.copies import restoring_copies
from memory.facts import lore, retraction, store
from memory.facts.corrections import correct
from memory.facts.profile_facts import MOST
from memory.facts.profile_forgetting import retract_profile_fact
from memory.facts.remember import prepare_facts
from memory.models import Memory, MemoryEvent, ProfileFact
from memory.reasons import Reason
from memory.values import Candidate, Decision, Provenance, told_line
from people.models import User
from people.scope import Scope, retraction_scope

CORRECT, RETIRE, RESTORE, ERASE = "correct", "retire", "restore", "erase"
REPAIR = MemoryEvent.Kind.REPAIR
Row = Memory | ProfileFact


class RepairRefused(Exception):
    """Its text tells staff why."""


def refused_text(reason: str) -> str:
    if reason == Reason.RETRACTED:
        return _("The user asked to forget this.")
    return str(Reason(reason).label)


def outdated_text() -> str:
    return _("It has changed in the meantime. Reload the page.")


def allowed_repairs(row: Row) -> list[str]:
    """Community memories have a page on which they are edited."""
    if row.space_id is None or not row.content:
        return []
    return [CORRECT, RETIRE, ERASE] if row.active else [RESTORE, ERASE]


def correct_fact(row: Row, by: User, text: str) -> Row:
    """Supersede it by a new text. Network, then database. Raises RepairRefused."""
    scope, candidate = _scope(row, by), Candidate(text)
    if isinstance(row, ProfileFact):
        settle = partial(correct, scope, row.pk, prepare_facts([candidate]))
    elif row.audience == Memory.Audience.SPACE:
        settle = partial(_correct_line, scope, row, text)
    else:
        candidate = Candidate(text, row.kind, row.confidence, row.evidence)
        settle = partial(correct, scope, row.pk, prepare_facts([candidate]))
    with transaction.atomic():
        decision = settle(_provenance(row))
        if decision.action == "replace" and decision.memory_id:
            journal.record_change(
                *(scope, REPAIR, "replace", [decision.memory_id]),
                target=decision.target_id,
                by=by,
            )
    if decision.action != "replace":
        raise RepairRefused(refused_text(decision.reason))
    return type(row).objects.filter(pk=decision.memory_id).get()


def retire_fact(row: Row, by: User) -> bool:
    """Forget it for the user; False if it was forgotten before."""
    if isinstance(row, ProfileFact):
        return retract_profile_fact(row, by)
    return retraction.retract(row, by)


@transaction.atomic
def restore_fact(row: Row, by: User) -> None:
    """Raises RepairRefused if the user asked to forget it, or it was replaced."""
    scope = _scope(row, by)
    with restoring_copies(scope):
        store.lock(scope)
        row.refresh_from_db()
        if refusal := _not_restorable(row, scope):
            raise RepairRefused(refusal)
        if isinstance(row, ProfileFact):
            row.restore()
        else:
            store.restore(scope, row)
        journal.record_change(scope, REPAIR, "restore", [row.pk], by=by)


@transaction.atomic
def erase_fact(row: Row, by: User) -> None:
    """Blank the text for good; the tombstone remains."""
    if isinstance(row, ProfileFact):
        retract_profile_fact(row, by)
        ProfileFact.objects.of_key(row).retracted().blank()
    else:
        retraction.erase(row, by)


def _not_restorable(row: Row, scope: Scope) -> str | None:
    if row.active or not row.content:
        return outdated_text() if row.active else _("Its text is erased.")
    if row.retired_reason == Memory.RetiredReason.RETRACTED:
        events = MemoryEvent.objects.filter(kind=MemoryEvent.Kind.FORGET).about(row)
        last = events.order_by("-created_at").first()
        by_staff = last is not None and last.by_id is not None
        if not by_staff:
            return refused_text(Reason.RETRACTED)
    own = ProfileFact.objects.owned_by(scope).active()
    if isinstance(row, Memory):
        replaced = store.find_successor(scope, row) is not None
    else:
        replaced = own.of_key(row).exists()
    if replaced:
        return _("Another one took its place. Correct that one.")
    is_full = isinstance(row, ProfileFact) and own.count() >= MOST
    return refused_text(Reason.FULL) if is_full else None


def _correct_line(
    scope: Scope, row: Memory, text: str, provenance: Provenance
) -> Decision:
    """Supersede a line of a space, whose teller stays."""
    line = lore.normalised_line(told_line(text))
    if reason := lore.refused_line(told_line(text)):
        return Decision(line, "reject", reason)
    store.lock(scope)
    store.lock_lore(scope.space_id)
    row.refresh_from_db(fields=["active"])
    known = lore.find_line(scope.space_id, line) or Memory()
    if not row.active:
        return Decision(line, "reject", Reason.GONE)
    if known.retired_reason == Memory.RetiredReason.RETRACTED:
        return Decision(line, "reject", Reason.RETRACTED)
    if known.space_id is not None and known.active:
        return Decision(line, "ignore", Reason.DUPLICATE)
    known.told_by_id, known.channel = row.told_by_id, row.channel
    new = lore.write_line(known, scope.space_id, line, provenance)
    store.supersede(scope, row, new, Reason.EDITED)
    return Decision(line, "replace", Reason.EDITED, new.pk, row.pk)


def _scope(row: Row, by: User) -> Scope:
    """That of its user; of lore that of who told it, or of staff."""
    if row.space_id is None:
        raise RepairRefused(outdated_text())
    owner = row.user_id or getattr(row, "told_by_id", None) or by.pk
    return retraction_scope(owner, row.space_id, channel=row.channel)


def _provenance(row: Row) -> Provenance:
    """A corrected memory was stated when the old text was."""
    if isinstance(row, ProfileFact):
        return Provenance(Memory.Origin.OPERATOR, timezone.now())
    return Provenance(
        Memory.Origin.OPERATOR,
        row.stated_at,
        source=Memory.Source.MANUAL,
        message_id=row.source_message_id,
        run_id=row.run_id,
    )
