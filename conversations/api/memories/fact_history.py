"""What happened to a fact: statements, replacements, and the answers that used it."""

from typing import Any
from uuid import UUID

from django.db.models import Q

from conversations.api.memories.caller import Caller
from conversations.api.memories.schema import (
    AnswerOut,
    EventOut,
    History,
    OutdatedAnswers,
    Replacement,
    Statement,
)
from conversations.api.memories.showing import NotKnown, find_fact, shown_facts
from conversations.models import OutdatedAnswer
from memory.models import (
    Fact,
    Memory,
    MemoryEvent,
    MemoryUpdate,
    ProfileFact,
)
from people.scope import Scope


def newest_version(caller: Caller, key: UUID) -> UUID:
    """What took the place of a fact, at last; the fact itself if it is current."""
    updates = MemoryUpdate.objects.filter(user=caller.scope.user_id)
    seen = {key}
    while True:
        later = updates.filter(Q(old=key) | Q(old_fact=key)).order_by("-created_at")
        update = later.first()
        new = update and _ends(update)[1]
        if not new or new in seen:
            return key
        key = new
        seen.add(key)


def read_history(caller: Caller, key: UUID) -> History:
    """What stated a fact, what it replaced and what replaced it. Raises NotKnown.

    Texts of others, and of what was forgotten, are left out.
    """
    fact, scope = find_fact(caller, key), caller.scope
    own = fact.user_id == scope.user_id
    updates = _updates(fact, scope)
    ends = [pk for update in updates for pk in _ends(update) if pk]
    shown = shown_facts(caller, list(dict.fromkeys([key, *ends])), "history")
    known = {fact.id: fact for fact in shown}
    if key not in known:  # erased meanwhile
        raise NotKnown
    events = MemoryEvent.objects.about(fact).filter(user=scope.user_id)
    return History(
        memory=known[key],
        statements=_statements(fact) if own else [],
        updates=[
            Replacement(
                at=update.created_at,
                reason=update.reason,
                old=known.get(_ends(update)[0]),
                new=known.get(_ends(update)[1]),
            )
            for update in updates
        ],
        events=[
            EventOut(
                at=event.created_at,
                event=event.kind,
                action=decision["action"],
                reason=decision["reason"],
            )
            for event in events.order_by("created_at", "pk")
            for decision in event.data["decisions"]
            if str(key) in (decision["fact"], decision["target"])
        ],
    )


def list_outdated_answers(caller: Caller, key: UUID) -> OutdatedAnswers:
    """Those of the user that used a fact, also a forgotten one. Raises NotKnown."""
    own = Memory.objects.owned_by(caller.scope) | Memory.objects.told_by(caller.scope)
    known = own.filter(pk=key) or ProfileFact.objects.owned_by(caller.scope).filter(
        pk=key
    )
    facts = list(known) or [find_fact(caller, key)]
    caller.record_look(facts, "answers")
    marks = OutdatedAnswer.objects.of_sources([key]).filter(
        message__conversation__user=caller.scope.user_id
    )
    marks = marks.select_related("message__thread").order_by("-message__created_at")
    return OutdatedAnswers(
        answers=[
            AnswerOut(
                id=mark.message_id,
                conversation=mark.message.conversation_id,
                channel=mark.message.thread.channel,
                answered_at=mark.message.created_at,
                change=mark.change,
                changed_at=mark.changed_at,
            )
            for mark in marks
        ]
    )


def _statements(fact: Fact) -> list[Statement]:
    return [
        Statement(
            stated_at=made.stated_at, message=made.message_id, withdrawn=made.withdrawn
        )
        for made in fact.statements_made()
    ]


def _updates(fact: Fact, scope: Scope) -> list[MemoryUpdate]:
    key = fact.pk
    ends = Q(old=key) | Q(new=key) | Q(old_fact=key) | Q(new_fact=key)
    rows = MemoryUpdate.objects.filter(ends, user=scope.user_id)
    return list(rows.order_by("created_at", "pk"))


def _ends(update: MemoryUpdate) -> tuple[Any, Any]:
    return update.old_id or update.old_fact_id, update.new_id or update.new_fact_id
