"""Let a model tidy up what was kept in the user's own words without one.

A job asks the extractor about the kept lines. Its answers wait in the payload until the
user has seen them; an event names what was changed, for Undo.
"""

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import islice
from typing import Any

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from meddie.ai import offline
from meddie.ai.embeddings import Embedder
from meddie.ai.errors import NO_ANSWER, Unparseable
from meddie.ai.provider import extraction_provider
from meddie.jobs.job import Outage
from meddie.jobs.registry import QUEUES, announce
from memory import journal
from memory.facts import retraction, store
from memory.facts.archiving import archive_rows
from memory.facts.commit import finish, put_in_place
from memory.facts.kept_lines import (
    ToldChange,
    ask_about_lines,
    in_batches,
    read_candidate,
    restated,
    state_of,
)
from memory.facts.kinds import KINDS
from memory.facts.message_capture import record_call
from memory.facts.prepare import prepare_facts
from memory.household import household
from memory.models import CaptureJob, Memory, MemoryEvent
from memory.models.event import MemoryEventQuerySet
from memory.reasons import Reason
from memory.values import (
    MEMORY_KIND,
    STORED,
    Decision,
    Prepared,
    Proposal,
    Provenance,
    TidyChange,
    Tidying,
)
from people.scope import Scope

NEW, SETTLED = {"tidied": "new"}, {"tidied": "settled"}
"""Of events: what the user may take back, and what they have seen."""
MOST = 300  # lines of a job, the oldest first
TRIES = 5  # of lines that the provider refuses, where it answered others
Origin, State = Memory.Origin, CaptureJob.State
Decided = Mapping[uuid.UUID, Sequence[Decision]]  # by the line


def tidying_of(scope: Scope) -> Tidying | None:
    """None where nothing was kept without a model, and once the user has decided."""
    job = _jobs(scope).first()
    if job is not None:
        told = job.payload
        return Tidying(
            read=told["total"] - len(told["unread"]),
            total=told["total"],
            unreadable=told["unreadable"],
            error=job.error,
            is_stopped=job.state == State.DEAD,
            is_ready=job.state == State.DONE,
        )
    if done := _events(scope, NEW).first():
        return Tidying(changed=len(done.data["old"]))
    rows = _kept(scope) if extraction_provider().connected else []
    return Tidying(len(rows), len([*in_batches(scope, rows)])) if rows else None


def _jobs(scope: Scope) -> Any:
    """The one that runs or waits for the user."""
    own = CaptureJob.objects.filter(user=scope.user_id, space=scope.space_id)
    return own.filter(kind=CaptureJob.TIDY).exclude(payload={})


def _events(scope: Scope, state: dict[str, str]) -> MemoryEventQuerySet:
    own = MemoryEvent.objects.filter(user=scope.user_id, space=scope.space_id)
    told = own.filter(kind=MemoryEvent.Kind.DECISION, data__contains=state)
    return told.order_by("-created_at")


def _kept(scope: Scope) -> list[Memory]:
    """Own words of messages that the stand-in answered, or of an import that it read.

    Without those that were offered before.
    """
    of_stand_in = Q(source_message__replies__model=offline.MODEL)
    own_words = Q(origin__in=[Origin.BACKGROUND, Origin.IMPORT], evidence=F("content"))
    said = Q(of_stand_in, origin=Origin.INLINE)
    said |= own_words & (of_stand_in | Q(source_message=None))
    own = Memory.objects.owned_by(scope).visible_to(scope).active()
    for event in (_events(scope, NEW).first(), _events(scope, SETTLED).first()):
        if event is not None:
            own = own.filter(inserted_at__gt=parse_datetime(event.data["until"]))
    rows = Memory.objects.filter(pk__in=own.filter(said).values("pk"))
    oldest = rows.defer(*Memory.VECTORS).order_by("inserted_at", "pk")[:MOST]
    return sorted(oldest, key=lambda row: (row.about.text, row.stated_at))


@transaction.atomic
def start_tidying(scope: Scope) -> None:
    """Have a model read what was kept, or go on where that was given up."""
    store.lock(scope)
    if _jobs(scope).exists():
        QUEUES[CaptureJob.QUEUE].retry(_jobs(scope).filter(state=State.DEAD))
    elif rows := _kept(scope):
        job = CaptureJob.objects.create(
            kind=CaptureJob.TIDY,
            origin=Origin.BACKGROUND,
            source_id=uuid.uuid4(),
            user_id=store.owner(scope),
            space_id=scope.space_id,
            channel=scope.channel,
            stated_at=timezone.now(),
            payload={
                "unread": [str(row.pk) for row in rows],
                "total": len(rows),
                "changes": [],
                "answered": 0,
                "unreadable": 0,
                "until": max(row.inserted_at for row in rows).isoformat(),
            },
        )
        announce(job)


def read_kept_lines(job: CaptureJob, scope: Scope, embedder: Embedder | None) -> None:
    """Ask about the next lines; other jobs of the user come before those after them."""
    if not extraction_provider().connected:
        raise Outage("no_model")
    told = job.payload
    rows = _current(scope, told["unread"])
    batch = next(in_batches(scope, rows), [])
    changes: list[ToldChange] = []
    answered, unreadable = told["answered"], told["unreadable"]
    try:
        if batch:
            changes = ask_about_lines(scope, batch, told["changes"], embedder)
            answered += 1
    except NO_ANSWER as error:
        is_theirs = job.attempts >= TRIES and answered
        if not (is_theirs or isinstance(error, Unparseable)):
            raise
        unreadable += len(batch)
    left = [str(row.pk) for row in rows if row not in batch]
    with transaction.atomic():
        store.lock(scope)
        job.hold()
        if batch:
            record_call(scope, restated(batch))
        job.attempts = 0
        job.payload = told | {
            "unread": left,
            "changes": [*told["changes"], *changes],
            "answered": answered,
            "unreadable": unreadable,
        }
        if left:
            job.postpone("", timedelta())
        else:  # the payload is dropped once the user has decided
            job.stop(State.DONE, "")


def _current(scope: Scope, keys: Collection[str]) -> list[Memory]:
    own = Memory.objects.owned_by(scope).visible_to(scope).active()
    found = own.defer(*Memory.VECTORS).in_bulk([uuid.UUID(key) for key in keys])
    return [row for key in keys if (row := found.get(uuid.UUID(key)))]


def tidy_changes(scope: Scope) -> list[TidyChange]:
    """What the model proposes, without what was edited, moved or forgotten since."""
    job = _jobs(scope).filter(state=State.DONE).first()
    told = {change["fact"]: change for change in job.payload["changes"]} if job else {}
    changes: list[TidyChange] = []
    said: set[tuple[str, str]] = set()
    for row in _current(scope, told):
        change = told[str(row.pk)]
        if state_of(row) == change["was"]:
            made = [*map(read_candidate, change["made"])]
            lines = [(c.of_kind, KINDS[c.of_kind].line(c)) for c in made]
            repeats = bool(lines) and said.issuperset(lines)
            told_of = (row.pk, row.content, made, lines, repeats, change["shortens"])
            changes.append(TidyChange(*told_of))
            said.update(lines)
    return changes


def tidy(scope: Scope, taken: Collection[str]) -> int | None:
    """Carry out changes by their lines; how many, None if no text could be embedded."""
    chosen = [change for change in tidy_changes(scope) if str(change.key) in taken]
    candidates = [c for change in chosen for c in change.candidates]
    prepared = prepare_facts(candidates, household(scope), most=len(candidates))
    if prepared.error:
        return None
    left = iter(prepared.proposals)
    of_line = {c.key: [*islice(left, len(c.candidates))] for c in chosen}
    with transaction.atomic():
        store.lock(scope)
        job = _jobs(scope).filter(state=State.DONE).select_for_update().first()
        if job is None:
            return 0
        possible = [str(change.key) for change in tidy_changes(scope)]
        decided = {
            row.pk: _write(scope, row, of_line[row.pk], prepared.model)
            for row in _current(scope, possible)
            if row.pk in of_line
        }
        written = [decision for made in decided.values() for decision in made]
        finish(scope, Provenance(Origin.BACKGROUND, timezone.now()), written)
        job.delete()
        return _record(scope, job.payload["until"], decided)


def _write(
    scope: Scope, old: Memory, proposals: Sequence[Proposal], model: str
) -> list[Decision]:
    """The first sentence takes the place of the line; without one it is archived."""
    own = replace(scope, channel=old.channel, room=old.room)
    made = Prepared(tuple(proposals), model)
    decisions = put_in_place(own, old.pk, made, restated([old]))
    known = {Reason.DUPLICATE, Reason.NEAR_DUPLICATE}
    if any(fact.kind == MEMORY_KIND for fact in proposals) or any(
        d.action not in STORED and d.reason not in known for d in decisions
    ):
        return decisions
    archive_rows(scope, [old])
    left_out = Decision(old.content, "ignore", Reason.IMPORTANCE, None, old.pk)
    return [*decisions, left_out]


def _record(scope: Scope, until: str, decided: Decided) -> int:
    """Keys of the lines that were changed, and of what was stored; how many lines."""
    old = [
        str(pk)
        for pk, made in decided.items()
        if any(d.target_id == pk and d.action != "reject" for d in made)
    ]
    new = [
        str(decision.memory_id)
        for made in decided.values()
        for decision in made
        if decision.action in STORED and decision.reason != Reason.DUPLICATE
    ]
    data = {"origin": Origin.BACKGROUND, "decisions": [], "extracted": 0}
    keys = {"old": old, "new": new, "until": until}
    state = NEW if old else SETTLED
    journal.record(scope, MemoryEvent.Kind.DECISION, data | keys | state)
    return len(old)


@transaction.atomic
def settle_tidying(scope: Scope, *, undo: bool) -> bool:
    """Undo the changes, or offer no more of what is there; whether there was any."""
    store.lock(scope)
    events = list(_events(scope, NEW).select_for_update())
    for event in events:
        if undo:
            _undo(scope, event.data)
        event.data |= SETTLED
        event.save(update_fields=["data"])
    if events:
        return True
    job = _jobs(scope).select_for_update().first()
    until = job and job.payload["until"]
    if job is not None:
        job.delete()
    elif rows := _kept(scope):
        until = max(row.inserted_at for row in rows).isoformat()
    if until:
        _record(scope, until, {})
    return bool(until)


def _undo(scope: Scope, data: Mapping[str, Any]) -> None:
    """What the user or the resolver has changed since stays."""
    new = [uuid.UUID(key) for key in data["new"]]
    # One may have taken the place of another, which is active again after it.
    while retraction.forget(scope, new, undo=True):
        pass
    rows = Memory.objects.owned_by(scope).filter(active=False, pk__in=data["old"])
    for row in rows.exclude(retired_reason=Memory.RetiredReason.RETRACTED):
        after = store.find_successor(scope, row)
        if row.content and (after is None or after.reasons == {Reason.DUPLICATE}):
            store.reinstate(scope, row)
