"""Repairs of profile facts by staff. Raise RepairRefused."""

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from memory import journal
from memory.capture import store
from memory.capture.profile_facts import MOST, settle_profile
from memory.capture.profile_forgetting import retract_profile_fact
from memory.models import MemoryEvent, ProfileFact
from memory.operators.repairs import (
    CORRECT,
    ERASE,
    EVENT,
    MERGE,
    RESTORE,
    RETIRE,
    UNDO,
    RepairRefused,
    Retired,
    last_repair,
    outdated_text,
    refused_text,
    repair_data,
    was_retracted_by_staff,
)
from memory.values import ProfileCandidate, Provenance
from people.models import User
from people.scope import Scope, retraction_scope


class ProfileRepairs:
    """The verbs for one profile fact."""

    def __init__(self, fact: ProfileFact, by: User) -> None:
        self.fact, self.by = fact, by

    def allowed(self) -> list[str]:
        fact = self.fact
        if not fact.value:
            return []
        verbs = [CORRECT, MERGE, RETIRE] if fact.active else [RESTORE]
        return [*([UNDO] if last_repair(fact) else []), *verbs, ERASE]

    @transaction.atomic
    def correct(self, text: str) -> ProfileFact:
        """Replace the value."""
        scope, fact = self._lock(active=True), self.fact
        candidate = ProfileCandidate(
            fact.category, fact.key, text, importance=fact.importance, correction=True
        )
        provenance = Provenance("operator", timezone.now())
        (decision,) = settle_profile(scope, [candidate], provenance)
        if decision.action == "reject":
            raise RepairRefused(refused_text(decision.reason))
        if decision.action != "replace":
            raise RepairRefused(_("This is the text already."))
        new = ProfileFact.objects.of_key(fact).active().get()
        self._record(scope, CORRECT, new, fact)
        return new

    @transaction.atomic
    def retire(self) -> None:
        """Take it out of answers and keep its value."""
        scope = self._lock(active=True)
        self.fact.retire(Retired.ARCHIVED)
        self._record(scope, RETIRE, self.fact)

    @transaction.atomic
    def restore(self) -> None:
        scope, fact = self._lock(active=False), self.fact
        if fact.retired_reason == Retired.RETRACTED and not was_retracted_by_staff(
            fact
        ):
            raise RepairRefused(refused_text("retracted"))
        reason, at = fact.retired_reason, fact.retired_at
        self._activate(scope, fact)
        moment = at and at.isoformat()
        self._record(scope, RESTORE, fact, reason=reason, at=moment)

    @transaction.atomic
    def merge(self, other: ProfileFact) -> None:
        """Let it stay and supersede another fact of the user in the space."""
        scope = self._lock(active=True)
        own = ProfileFact.objects.owned_by(scope).active()
        merged = own.exclude(pk=self.fact.pk).filter(pk=other.pk).first()
        if merged is None:
            text = _("Choose another active fact of this user in this space.")
            raise RepairRefused(text)
        merged.retire(Retired.SUPERSEDED)
        self._record(scope, MERGE, self.fact, merged)

    @transaction.atomic
    def erase(self) -> None:
        """Blank all values of the key for good; the key remains against late jobs."""
        retract_profile_fact(self.fact, self.by)
        ProfileFact.objects.of_key(self.fact).retracted().blank()

    @transaction.atomic
    def undo(self) -> None:
        event = last_repair(self.fact)
        if event is None:
            raise RepairRefused(_("There is nothing to undo."))
        scope, action = self._scope(), event.data["action"]
        new = ProfileFact.objects.get(pk=event.data["memory"])
        old = ProfileFact.objects.filter(pk=event.data.get("target")).first()
        if action == CORRECT and old is not None and new.active:
            new.retire(Retired.SUPERSEDED)
            self._activate(scope, old)
        elif action == MERGE and old is not None:
            self._activate(scope, old)
        elif action == RETIRE and not new.active:
            self._activate(scope, new)
        elif action == RESTORE and new.active:
            new.retire(event.data["reason"])
        else:
            raise RepairRefused(outdated_text())
        self._record(scope, UNDO, new, old, of=str(event.pk))
        self.fact.refresh_from_db()

    def _activate(self, scope: Scope, fact: ProfileFact) -> None:
        own = ProfileFact.objects.owned_by(scope)
        if own.of_key(fact).active().exists():
            raise RepairRefused(_("Another value is active. Retire it first."))
        if own.active().count() >= MOST:
            raise RepairRefused(refused_text("full"))
        fact.restore()

    def _scope(self) -> Scope:
        fact = self.fact
        scope = retraction_scope(fact.user_id, fact.space_id, channel=fact.channel)
        store.lock(scope)
        return scope

    def _lock(self, *, active: bool) -> Scope:
        """Lock the scope and read the row again."""
        scope = self._scope()
        self.fact.refresh_from_db()
        if self.fact.active != active or not self.fact.value:
            raise RepairRefused(outdated_text())
        return scope

    def _record(
        self,
        scope: Scope,
        action: str,
        fact: ProfileFact,
        target: ProfileFact | None = None,
        **further: Any,
    ) -> None:
        data = repair_data(action, self.by, fact, target) | further
        journal.record(scope, MemoryEvent.Kind(EVENT), data)
