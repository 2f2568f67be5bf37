"""Retract, withdraw and restore profile facts.

In a transaction and after `lock`, if not said otherwise.
"""

import uuid
from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from memory import journal
from memory.facts import store
from memory.facts.copies import erase_copies
from memory.facts.profile_facts import MOST
from memory.models import Memory, MemoryEvent, ProfileFact
from memory.reasons import Reason
from memory.values import Action, Decision
from memory.words import RELATIONS, UNTELLING, negated, plain, tokens
from people.models import User
from people.scope import Scope, retraction_scope

Retired = Memory.RetiredReason


def forget_stated(
    scope: Scope, line: str, at: datetime
) -> tuple[list[Decision], list[str]]:
    """Retract the facts that a sentence states; decisions, and the retracted lines."""
    own = ProfileFact.objects.owned_by(scope)
    found = [fact for fact in own.active() if _states(line, fact)]
    if found:
        lines = [line for fact in found for line in retract_fact(fact, at)]
        return [
            _decision(line, fact, "retract", Reason.FORGOTTEN) for fact in found
        ], lines
    gone = [fact for fact in own.retracted().by_importance() if _states(line, fact)]
    known = [
        _decision(line, fact, "ignore", Reason.ALREADY_FORGOTTEN) for fact in gone[:1]
    ]
    return known, []


def _decision(line: str, fact: ProfileFact, action: Action, reason: Reason) -> Decision:
    return Decision(line, action, reason, None, fact.pk, profile=True)


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


def retract_fact(fact: ProfileFact, at: datetime | None = None) -> list[str]:
    """Retract all versions of a fact; return their lines."""
    versions = ProfileFact.objects.of_key(fact)
    lines = [version.content for version in versions]
    versions.retract(at or timezone.now())
    return lines


@transaction.atomic
def retract_profile_fact(fact: ProfileFact, by: User) -> bool:
    """Lock, and retract for staff; False if it was retracted before."""
    scope = retraction_scope(fact.user_id, fact.space_id, channel=fact.channel)
    store.lock(scope)
    fact.refresh_from_db(fields=["retired_reason"])
    if fact.retired_reason == Memory.RetiredReason.RETRACTED:
        return False
    erase_copies(scope, retract_fact(fact))
    journal.record_change(scope, MemoryEvent.Kind.FORGET, "retract", [fact.pk], by=by)
    return True


def forget_profile(scope: Scope) -> list[uuid.UUID]:
    """Retract all facts and blank their values; return those that were active."""
    own = ProfileFact.objects.owned_by(scope)
    active = list(own.active().values_list("pk", flat=True))
    own.retract(timezone.now())
    own.blank()
    return active


def take_back_profile(scope: Scope, ids: Collection[uuid.UUID]) -> list[ProfileFact]:
    """Retract active facts and restore what they replaced; return the retracted."""
    own = ProfileFact.objects.owned_by(scope)
    taken = list(own.active().filter(pk__in=ids).order_by("pk"))
    for fact in taken:
        fact.retire(Retired.RETRACTED)
        repeated = own.of_key(fact).superseded().filter(value__iexact=fact.value)
        repeated.retract(timezone.now())
        _restore_previous(fact)
    return taken


def restore_profile(
    scope: Scope, ids: Collection[uuid.UUID], at: datetime
) -> list[ProfileFact]:
    """Restore facts retracted `at` for which there is room; return them."""
    own = ProfileFact.objects.owned_by(scope)
    retracted = own.retracted().filter(pk__in=ids, retired_at=at).exclude(value="")
    restored = []
    for fact in retracted.order_by("pk"):
        if not own.of_key(fact).active().exists() and own.active().count() < MOST:
            fact.restore()
            restored.append(fact)
    return restored


def withdraw_profile(scope: Scope, message_ids: Sequence[uuid.UUID]) -> None:
    """Retire what superseded messages stated; restore what it replaced."""
    stated = ProfileFact.objects.owned_by(scope).filter(message_id__in=message_ids)
    active = list(stated.active())
    stated.superseded().update(withdrawn=True)
    for fact in active:
        fact.withdrawn = True
        fact.retire(Retired.SUPERSEDED)
    for fact in active:
        _restore_previous(fact)


def tell_profile_again(scope: Scope, message_ids: Sequence[uuid.UUID]) -> None:
    """Restore what was withdrawn, unless the key was stated or forgotten since."""
    own = ProfileFact.objects.owned_by(scope)
    withdrawn = own.withdrawn().filter(message_id__in=message_ids)
    for fact in withdrawn.order_by("stated_at", "pk"):
        since = own.tombstones(fact.category, fact.key)
        if since.filter(retired_at__gt=fact.stated_at).exists():
            continue
        active = own.of_key(fact).active().first()
        if active and active.stated_at < fact.stated_at:
            active.retire(Retired.SUPERSEDED)
            fact.restore()
        elif active is None and own.active().count() < MOST:
            fact.restore()
        else:
            fact.withdrawn = False
            fact.save()


def _restore_previous(fact: ProfileFact) -> None:
    versions = ProfileFact.objects.of_key(fact)
    previous = versions.superseded().order_by("-stated_at", "pk").first()
    if previous is not None and not versions.active().exists():
        previous.restore()


def blank_old_values(before: datetime) -> int:
    return ProfileFact.objects.retracted().filter(retired_at__lt=before).blank()
