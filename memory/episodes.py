"""Store summaries of stretches of conversation, and the facts that they propose."""

import uuid
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace

from django.db import transaction

from meddie.jobs.registry import announce
from memory import journal
from memory.facts import deferred, store
from memory.facts.profile_keys import LEAST_CONFIDENCE
from memory.models import CaptureJob, EpisodicMemory, Memory, MemoryPolicy
from memory.reasons import Reason
from memory.values import Candidate, Decision, Provenance, StatedMessage, Turns
from memory.wording.evidence import refusal_of
from memory.wording.guards import repeats_example
from people.scope import Scope

ORIGIN = Memory.Origin.EPISODE_CLOSE
BEFORE = 4  # messages that may name what a message is about


def remember_episode(scope: Scope, content: str, turns: Turns) -> EpisodicMemory:
    """Store it without a vector, which the sweep adds if nothing else does."""
    return EpisodicMemory.objects.create(
        user_id=store.owner(scope),
        space_id=scope.space_id,
        run_id=turns.run_id,
        thread_id=turns.thread_id,
        turn_start=turns.first,
        turn_end=turns.last,
        turn_range=f"turns {turns.first}-{turns.last}",
        content=content,
        stated_at=turns.stated_at,
    )


def capture_episode(
    scope: Scope,
    candidates: Sequence[Candidate],
    messages: Sequence[StatedMessage],
    run_id: uuid.UUID,
) -> None:
    """Defer each fact, with the time of the last message that states it."""
    if not candidates or not scope.writes:
        return
    if not MemoryPolicy.objects.of(scope.space_id).captures(scope.channel):
        return
    found = defaultdict(list)
    refused = []
    local = [
        replace(message, at=message.at.astimezone(scope.zone)) for message in messages
    ]
    said = "\n".join(message.text for message in messages)
    for candidate in candidates:
        text = str(candidate.text)
        place = _place(text, local)
        reason = _refusal(candidate, said)
        if reason or place is None:
            reason = reason or Reason.UNGROUNDED
            refused.append(Decision(text, "reject", reason))
        else:
            found[messages[place]].append(candidate)
    with transaction.atomic():
        store.lock(scope)
        for message, facts in found.items():
            told = _provenance(message, run_id)
            announce(deferred.put(scope, deferred.REMEMBER, facts, told))
        if refused:
            journal.record_run(scope, ORIGIN, refused)


def _refusal(candidate: Candidate, said: str) -> Reason | None:
    if candidate.confidence < LEAST_CONFIDENCE:
        return Reason.LOW_CONFIDENCE
    copied = repeats_example(str(candidate.text), said)
    return Reason.OF_PROMPT if copied else None


def _place(fact: str, messages: Sequence[StatedMessage]) -> int | None:
    """The last message that states the fact alone, or else after the ones before it."""
    for before in (0, BEFORE):
        for place in range(len(messages) - 1, -1, -1):
            message = messages[place]
            told = messages[max(place - before, 0) : place] if before else ()
            earlier = "\n".join(message.text for message in told)
            if not refusal_of(
                fact, message.text, earlier=earlier, stated_at=message.at
            ):
                return place
    return None


def _provenance(message: StatedMessage, run_id: uuid.UUID) -> Provenance:
    return Provenance(
        origin=ORIGIN,
        stated_at=message.at,
        message_id=message.message_id,
        run_id=run_id,
        user_text=message.text,
    )


def move_run(
    scope: Scope, message_ids: Collection[uuid.UUID], run_id: uuid.UUID
) -> None:
    """Move what was learnt from messages to another episode."""
    store.lock(scope)
    owner = {"user_id": scope.user_id, "space_id": scope.space_id}
    CaptureJob.objects.filter(**owner, source_id__in=message_ids).update(run_id=run_id)
    learnt = Memory.objects.owned_by(scope).filter(source_message__in=message_ids)
    learnt.update(run_id=run_id)


def drop_runs(run_ids: Collection[uuid.UUID]) -> None:
    """Delete what waits of deleted episodes, and their summaries; facts stay."""
    CaptureJob.objects.filter(run_id__in=run_ids).delete()
    EpisodicMemory.objects.filter(run_id__in=run_ids).delete()
