"""Repairs of a user's memories by staff, under the rules of capture.

Each is one transaction in the lock of the scope and leaves an event, from which it can
be undone unless it erases.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from memory import journal
from memory.capture import retraction, store
from memory.capture.decide import filled
from memory.capture.pending import Fact
from memory.capture.remember import Item, prepare_facts
from memory.models import (
    Memory,
    MemoryEvent,
    MemoryLink,
    MemoryStatement,
    MemoryUpdate,
)
from memory.values import Candidate, Provenance
from people.models import User
from people.scope import Scope

CORRECT, MERGE, RETIRE, RESTORE = "correct", "merge", "retire", "restore"
ERASE, UNDO = "erase", "undo"
Retired = Memory.RetiredReason
REPLACED_BY = {CORRECT: "corrected", MERGE: "merged"}
EVENT = MemoryEvent.Kind.REPAIR


class RepairRefused(Exception):
    """Its text tells staff why."""


def refused_text(reason: str) -> str:
    """What a guard's refusal means."""
    texts = {
        "blank": _("Write a sentence."),
        "too_short": _("The text is too short."),
        "too_long": _("The text is too long."),
        "secret": _("Passwords and account numbers are not remembered."),
        "instruction": _("A memory is a statement about the user, not an order."),
        "question": _("A memory is a statement about the user, not a question."),
        "retracted": _("The user asked to forget this."),
        "full": _("The profile is full. Retire another fact first."),
        "health": _("Health belongs to the notes on a person, not to the profile."),
    }
    return texts.get(reason) or _("This cannot be remembered (%(reason)s).") % {
        "reason": reason
    }


class MemoryRepairs:
    """The verbs for one memory."""

    def __init__(self, memory: Memory, by: User) -> None:
        self.memory, self.by = memory, by

    def allowed(self) -> list[str]:
        """Community memories have a page on which they are edited."""
        memory = self.memory
        if memory.space_id is None or (not memory.active and not memory.content):
            return []
        verbs = [RETIRE, ERASE] if memory.active else [RESTORE, ERASE]
        if memory.active:
            verbs = [CORRECT, MERGE, *verbs]
        return [UNDO, *verbs] if self._undoable() else verbs

    def correct(self, text: str) -> Memory:
        """Supersede it by a new text. Network, then database. Raises RepairRefused."""
        memory = self.memory
        candidate = Candidate(text, memory.kind, memory.confidence, memory.evidence)
        prepared = prepare_facts([candidate])
        (item,) = prepared.items
        if item.refusal is not None:
            raise RepairRefused(refused_text(item.refusal))
        if item.vector is None:
            text = _("The embedding model does not answer. Try again in a minute.")
            raise RepairRefused(text)
        with transaction.atomic():
            scope = self._lock(active=True)
            new = _insert_corrected(scope, memory, item, prepared.model)
            _move_holders(scope, memory, new)
            store.supersede(scope, memory, new, REPLACED_BY[CORRECT])
            self._record(scope, CORRECT, new, memory)
        return new

    @transaction.atomic
    def retire(self) -> None:
        """Take it out of answers and keep its text. Raises RepairRefused."""
        scope = self._lock(active=True)
        users = [str(key) for key in self.memory.links.values_list("user", flat=True)]
        store.retire(self.memory, Retired.ARCHIVED)
        self._record(scope, RETIRE, self.memory, users=users)

    @transaction.atomic
    def restore(self) -> None:
        """Raises RepairRefused if the user asked to forget it, or it was replaced."""
        scope = self._lock(active=False)
        memory = self.memory
        if memory.retired_reason == Retired.RETRACTED:
            self._refuse_forgotten()
        successor = None
        if memory.retired_reason == Retired.SUPERSEDED:
            successor = store.find_successor(scope, memory)
        if successor is not None:
            text = _("Another memory took its place. Retire that one first.")
            raise RepairRefused(text)
        reason, at = memory.retired_reason, memory.retired_at
        self._activate(scope)
        self._record(scope, RESTORE, memory, reason=reason, at=at and at.isoformat())

    @transaction.atomic
    def merge(self, other: Memory) -> None:
        """Let it stay and supersede another of its scope. Raises RepairRefused."""
        scope = self._lock(active=True)
        owned = Memory.objects.owned_by(scope).active().defer("embedding", "near")
        memory = self.memory
        merged = owned.exclude(pk=memory.pk).filter(pk=other.pk).first()
        if merged is None:
            text = _("Choose another active memory of this user in this space.")
            raise RepairRefused(text)
        MemoryStatement.objects.all().add_first([memory])
        _move_holders(scope, merged, memory)
        store.supersede(scope, merged, memory, REPLACED_BY[MERGE])
        self._record(scope, MERGE, memory, merged)

    @transaction.atomic
    def erase(self) -> None:
        """Blank the text for good. What forgetting keeps to stay forgotten remains."""
        retraction.erase(self.memory, self.by)

    @transaction.atomic
    def undo(self) -> None:
        """Undo the last repair. Raises RepairRefused if the memory changed since."""
        event = self._undoable()
        if event is None:
            raise RepairRefused(_("There is nothing to undo."))
        action, data = event.data["action"], event.data
        if action in REPLACED_BY:
            scope = self._undo_replacement(action, data)
        elif action == RETIRE:
            scope = self._lock(active=False)
            if self.memory.retired_reason != Retired.ARCHIVED:
                raise RepairRefused(outdated_text())
            self._activate(scope)
        else:
            scope = self._lock(active=True)
            store.retire(self.memory, data["reason"], _moment(data["at"]))
        self._record(scope, UNDO, self.memory, of=str(event.pk))

    def _undo_replacement(self, action: str, data: Mapping[str, Any]) -> Scope:
        rows = Memory.objects.defer("embedding", "near")
        new, old = (rows.filter(pk=data[name]).first() for name in ("memory", "target"))
        scope = retraction.lock_owner(self.memory, self.by)
        if scope is None or new is None or old is None:
            raise RepairRefused(outdated_text())
        new.refresh_from_db(fields=["active"])
        old.refresh_from_db(fields=["active", "retired_reason", "content"])
        if not new.active or old.retired_reason != Retired.SUPERSEDED:
            raise RepairRefused(outdated_text())
        if action == CORRECT:
            _move_holders(scope, new, old)
            store.retire(new, Retired.SUPERSEDED)
        reason = REPLACED_BY[action]
        MemoryUpdate.objects.filter(old=old, new=new, reason=reason).delete()
        store.restore(scope, old)
        self.memory.refresh_from_db(fields=["active", "retired_reason"])
        return scope

    def _undoable(self) -> MemoryEvent | None:
        return last_repair(self.memory)

    def _refuse_forgotten(self) -> None:
        if not self.memory.content:
            raise RepairRefused(_("Its text is erased."))
        if not was_retracted_by_staff(self.memory):
            raise RepairRefused(refused_text("retracted"))

    def _activate(self, scope: Scope) -> None:
        memory = self.memory
        event = MemoryEvent.objects.about(memory).filter(kind=EVENT)
        users = [scope.user_id] if memory.user_id is not None else []
        for data in event.filter(data__action=RETIRE).order_by("-created_at")[:1]:
            users += data.data.get("users", [])
        store.reactivate(memory)
        store.audit(scope, None, memory, "restored")
        _link(scope, memory, users)

    def _lock(self, *, active: bool) -> Scope:
        """Lock the scope and read the row again. Raises RepairRefused."""
        memory = self.memory
        scope = retraction.lock_owner(memory, self.by)
        fields = ["active", "retired_reason", "retired_at", "content", "stated_at"]
        memory.refresh_from_db(fields=fields)
        if scope is None or memory.active != active:
            raise RepairRefused(outdated_text())
        return scope

    def _record(
        self,
        scope: Scope,
        action: str,
        memory: Memory,
        target: Memory | None = None,
        **further: Any,
    ) -> None:
        journal.record(
            scope, EVENT, repair_data(action, self.by, memory, target) | further
        )


def outdated_text() -> str:
    return _("It has changed in the meantime. Reload the page.")


def repair_data(action: str, by: User, row: Any, target: Any) -> dict[str, Any]:
    data = {"action": action, "memory": str(row.pk), "by": str(by.pk)}
    return data if target is None else data | {"target": str(target.pk)}


def last_repair(row: Any) -> MemoryEvent | None:
    """The last repair, unless it was undone or something else happened after it."""
    last = MemoryEvent.objects.of_owner(row).order_by("-created_at").first()
    if last is None or last.kind != EVENT or last.data["action"] == UNDO:
        return None
    return last


def was_retracted_by_staff(row: Any) -> bool:
    """Whether the wish to forget was that of staff."""
    events = MemoryEvent.objects.filter(kind=MemoryEvent.Kind.FORGET).about(row)
    last = events.order_by("-created_at").first()
    return last is not None and "by" in last.data


def operator_provenance(old: Memory) -> Provenance:
    """Of a correction, which was stated when the old text was."""
    return Provenance(
        Memory.Origin.OPERATOR,
        old.stated_at,
        source=Memory.Source.MANUAL,
        message_id=old.source_message_id,
        run_id=old.run_id,
    )


def _insert_corrected(scope: Scope, old: Memory, item: Item, model: str) -> Memory:
    """The new row, or a retired one of the same text. Raises RepairRefused."""
    provenance = operator_provenance(old)
    assert item.vector is not None  # noqa: S101 -- the caller looked
    fact = Fact(scope, item.candidate, item.line, item.vector, model, provenance)
    if fact.tombstones:
        raise RepairRefused(refused_text("retracted"))
    row = fact.row
    if row is not None and row.active:
        same = row.pk == old.pk
        text = _("This is the text already.") if same else ""
        raise RepairRefused(text or _("The user has a memory with this text already."))
    memory = filled(fact, row or Memory())
    if row is None:
        store.insert(memory, fact.literal)
    else:
        store.revive(scope, memory)
    return memory


def _move_holders(scope: Scope, old: Memory, new: Memory) -> None:
    """Let the users to whom a memory is lent have the other one."""
    others = old.links.exclude(user=old.user_id)
    _link(scope, new, list(others.values_list("user", flat=True)))
    others.delete()
    MemoryStatement.objects.all().add_first([old])
    known = set(new.statements.values_list("message_id", flat=True))
    moved = [one.pk for one in old.statements.all() if one.message_id not in known]
    old.statements.filter(pk__in=moved).update(memory=new)


def _link(scope: Scope, memory: Memory, users: list[Any]) -> None:
    links = [
        MemoryLink(
            user_id=user,
            space_id=scope.space_id,
            memory=memory,
            lent=str(user) != str(memory.user_id),
        )
        for user in dict.fromkeys(map(str, users))
    ]
    MemoryLink.objects.bulk_create(links, ignore_conflicts=True)


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
