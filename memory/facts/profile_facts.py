"""Store structured facts about a user, in the scope's lock (S4-20 to S4-26)."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from memory.facts.decide import Known
from memory.facts.kind import CONFIDENCE, FactColumn, Kind, Matches, Retired, Stated
from memory.facts.periods import end_values
from memory.facts.profile_keys import normalised, why_unfit
from memory.models import Fact, MemoryUpdate, ProfileFact
from memory.reasons import Reason
from memory.recall.shelves import OWN_PROFILE
from memory.values import PROFILE_KIND, ProfileCandidate, Proposal
from memory.wording.evidence import has_value
from memory.wording.guards import repeats_example
from memory.wording.words import (
    RELATIONS,
    UNTELLING,
    negated,
    plain,
    tokens,
)
from people.scope import Scope

MOST_FACTS = 50  # active ones of a scope (S4-10)


class ProfileFacts(Kind):
    name, model, shelf = PROFILE_KIND, ProfileFact, OWN_PROFILE
    candidate = ProfileCandidate
    columns = (
        *(FactColumn(name) for name in ("category", "key", "value")),
        CONFIDENCE,
        FactColumn("importance", is_share=True),
    )

    def line(self, candidate: ProfileCandidate) -> str:
        fact = normalised(candidate)
        return f"{fact.key}: {fact.value}"

    def proposal(self, candidate: ProfileCandidate) -> Proposal:
        fact = normalised(candidate)
        return Proposal(fact, self.line(fact), why_unfit(fact, candidate.value))

    def refusals(self, stated: Sequence[Stated]) -> list[Reason | None]:
        """Of several values for one key the surest is taken, and of equals the last."""
        refusals = [fact.proposal.refusal or _ungrounded(fact) for fact in stated]
        best: dict[object, Stated] = {}
        for fact, refused in zip(stated, refusals, strict=True):
            if not refused:
                best[_place(fact)] = max(
                    fact, best.get(_place(fact), fact), key=_weight
                )
        return [
            refused or (None if best[_place(fact)] is fact else Reason.DUPLICATE)
            for fact, refused in zip(stated, refusals, strict=True)
        ]

    def look(self, stated: Stated) -> Known:
        scope, candidate = stated.scope, stated.candidate
        own = ProfileFact.objects.owned_by(scope)
        tombstones = own.tombstones(candidate.category, candidate.key)
        forgotten = tombstones.order_by("-retired_at").first()
        if forgotten and not _is_stated_since(stated, forgotten):
            return Known(forgotten=forgotten)
        versions = _versions(scope, candidate)
        latest = versions.order_by("-active", "-stated_at").first()
        active = latest if latest and latest.active else None
        if active and active.value.lower() == candidate.value.lower():
            return Known(same=active)
        if latest and latest.stated_at >= stated.at:
            return Known(newer=latest)
        corrected = candidate.correction
        if active and not corrected and candidate.confidence < active.confidence:
            return Known(surer=active)
        has_room = active is not None or _has_room(stated)
        return Known(old=active, corrected=corrected, has_room=has_room)

    def fill(self, stated: Stated, row: ProfileFact) -> None:
        row.message_id = stated.provenance.message_id

    def store(
        self, stated: Stated, row: Any, old: Any, reason: Reason, *, is_new: bool
    ) -> None:
        super().store(stated, row, old, reason, is_new=is_new)
        if old is not None:
            MemoryUpdate.objects.create(
                user_id=row.user_id, old_fact=old, new_fact=row, reason=reason
            )
            end_values(_versions(stated.scope, row))

    def restate(self, stated: Stated, row: ProfileFact) -> None:
        candidate = stated.candidate
        if row.message_id != stated.provenance.message_id:
            # The edit of one message leaves what the other states.
            self.keep_as_history(stated, self.filled(stated), row)
        before = (row.confidence, row.importance, row.stated_at)
        row.confidence = max(row.confidence, candidate.confidence)
        row.importance = max(row.importance, candidate.importance)
        row.stated_at = max(row.stated_at, stated.at)
        if (row.confidence, row.importance, row.stated_at) != before:
            row.save()

    def keep_as_history(self, stated: Stated, row: ProfileFact, newer: Any) -> bool:
        versions = _versions(stated.scope, row)
        if versions.filter(value=row.value, stated_at=row.stated_at).exists():
            return False
        row.retire(Retired.SUPERSEDED)
        if row.value.lower() != newer.value.lower():
            end_values(versions)
        return True

    def correction(self, proposal: Proposal, old: ProfileFact) -> Proposal:
        return self.proposal(
            ProfileCandidate(
                old.category,
                old.key,
                proposal.line,
                importance=old.importance,
                correction=True,
            )
        )

    def corrected_at(self, old: ProfileFact) -> datetime:
        """A key has the value that was stated last."""
        return timezone.now()

    def find(self, wish: Stated) -> Matches:
        own = ProfileFact.objects.owned_by(wish.scope)
        former = own.retracted().by_importance()
        gone = next((fact for fact in former if _states(wish.line, fact)), None)
        return Matches([f for f in own.active() if _states(wish.line, f)], gone)

    def versions(self, scope: Scope, fact: ProfileFact) -> list[Fact]:
        if fact.retired_reason == Retired.SUPERSEDED:
            return [fact]
        others = ProfileFact.objects.of_key(fact).filter(active=False)
        others = others.retracted() if fact.is_retracted else others
        return [fact, *others.exclude(pk=fact.pk)]

    def same_value(self, fact: ProfileFact) -> list[Fact]:
        former = ProfileFact.objects.of_key(fact).superseded()
        return [fact, *former.filter(value__iexact=fact.value)]

    def restore_replaced(
        self, scope: Scope, facts: Sequence[ProfileFact], keys: Collection[UUID]
    ) -> None:
        for fact in facts:
            versions = ProfileFact.objects.of_key(fact)
            former = versions.superseded().exclude(value="")
            previous = former.order_by("-stated_at", "pk").first()
            if previous is not None and not versions.active().exists():
                previous.reactivate()

    def why_not_restored(
        self, scope: Scope, fact: ProfileFact, *, by_user: bool
    ) -> Reason | None:
        active = ProfileFact.objects.owned_by(scope).active()
        if active.of_key(fact).exists():
            return Reason.REPLACED
        return Reason.FULL if active.count() >= MOST_FACTS else None

    def forget_all(self, scope: Scope, at: Any) -> list[Fact]:
        ProfileFact.objects.owned_by(scope).withdrawn().delete()
        return super().forget_all(scope, at)


PROFILE = ProfileFacts()


def _place(fact: Stated) -> object:
    return fact.candidate.category, fact.candidate.key, fact.at


def _weight(fact: Stated) -> tuple[bool, float]:
    return fact.candidate.correction, fact.candidate.confidence


def _ungrounded(fact: Stated) -> Reason | None:
    provenance, value = fact.provenance, fact.candidate.value
    texts = [t for t in (provenance.user_text, provenance.in_context) if t is not None]
    if not texts or any(has_value(value, text) for text in texts):
        return None
    unsaid = Reason.UNREAD_PICTURE if provenance.unread else Reason.UNGROUNDED
    return Reason.OF_PROMPT if repeats_example(value, "".join(texts)) else unsaid


def _versions(scope: Scope, fact: Any) -> QuerySet[ProfileFact]:
    """Values of the key, active and former ones, but for those taken back."""
    own = ProfileFact.objects.owned_by(scope)
    own = own.filter(category=fact.category, key=fact.key)
    return own.exclude(retired_reason=Retired.RETRACTED).exclude(withdrawn=True)


def _is_stated_since(stated: Stated, forgotten: ProfileFact) -> bool:
    """Whether the user states the value after the wish to forget, or in its message."""
    assert forgotten.retired_at is not None  # noqa: S101 -- a constraint
    if stated.provenance.user_text is None:
        return stated.at > forgotten.retired_at
    value, stating = stated.candidate.value, stated.provenance.stating
    return stated.at >= forgotten.retired_at and has_value(value, stating)


def _has_room(stated: Stated) -> bool:
    """Whether there is room, after a less important or older fact is archived."""
    own = ProfileFact.objects.owned_by(stated.scope).active()
    facts = list(own.by_importance())
    if len(facts) < MOST_FACTS:
        return True
    last, new = facts[-1], stated.candidate.importance
    if (last.importance, last.stated_at) >= (new, stated.at):
        return False
    last.retire(Retired.ARCHIVED)
    return True


def _states(line: str, fact: ProfileFact) -> bool:
    """Whether a sentence is the key, the value or both, or says little besides."""
    said, key, value = (tokens(plain(t)) for t in (line, fact.key, fact.value))
    if not value:
        return False
    if said in (key, value, key + value):
        return True
    others = set(said) - {*key, *value} - UNTELLING
    return (
        set(value) <= set(said)
        and len(others) <= 1
        and RELATIONS.keys().isdisjoint(said)
        and negated(line) == negated(fact.value)
    )
