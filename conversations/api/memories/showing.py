"""Read what is remembered of a caller's user. Retracted facts are in no answer."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import Any
from uuid import UUID

from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _

from conversations.api.memories.caller import Caller
from conversations.api.memories.schema import (
    FoundMemories,
    FoundMemory,
    JobOut,
    ListQuery,
    MemoryOut,
    Page,
    SearchBody,
    State,
)
from meddie.http.api_edge import ApiError
from meddie.text import one_line
from memory import service
from memory.household import facts_about, household, named_subject
from memory.models import (
    CaptureJob,
    Fact,
    Memory,
    MemoryPolicy,
    ProfileFact,
)
from people.scope import Scope

LONGEST_QUERY = 1000  # characters
STATES: Sequence[State] = ("active", "superseded", "archived")


class NotKnown(ApiError):
    """Also of facts of other users and spaces, and of forgotten ones."""

    def __init__(self) -> None:
        super().__init__(404, _("There is no such memory."))


def _chosen(scope: Scope, asked: ListQuery) -> list[QuerySet[Any]]:
    kinds: dict[str, Any] = {
        "memory": _memories(scope, asked.state).defer(*Memory.VECTORS),
        "lore": _lore(scope, asked.state).defer(*Memory.VECTORS),
        "profile": _profile(scope, asked.state),
    }
    if asked.as_of is not None:
        kinds = _true_at(scope, asked.as_of)
    if asked.room is not None:
        kinds = {n: rows.said_in(scope, asked.room) for n, rows in kinds.items()}
    dated = Q(stated_at__gte=asked.since) if asked.since else Q()
    dated &= Q(stated_at__lt=asked.until) if asked.until else Q()
    if asked.subject is not None:
        kinds.pop("lore", None)
        named = named_subject(asked.subject, household(scope))
        dated &= facts_about(scope, named)
    chosen = kinds if asked.kind is None else kinds.keys() & {asked.kind}
    return [kinds[kind].filter(dated).select_related("person") for kind in chosen]


def _true_at(scope: Scope, moment: datetime) -> dict[str, QuerySet[Any]]:
    """Own facts, also replaced ones, but not forgotten ones."""
    memories = Memory.objects.owned_by(scope).true_at(moment)
    profile = ProfileFact.objects.owned_by(scope).filter(withdrawn=False)
    return {
        "memory": memories.defer(*Memory.VECTORS),
        "profile": profile.true_at(moment),
    }


def _memories(scope: Scope, state: State) -> QuerySet[Any]:
    if state == "active":
        seen = Memory.objects.visible_to(scope).active()
        return seen.annotate(linked_at=F("links__created_at"))
    return Memory.objects.owned_by(scope).filter(retired_reason=state)


def _profile(scope: Scope, state: State) -> QuerySet[Any]:
    own = ProfileFact.objects.owned_by(scope)
    if state == "active":
        return own.active()
    return own.filter(retired_reason=state, withdrawn=False)


def _lore(scope: Scope, state: State) -> QuerySet[Any]:
    """For members; former lines for who told them."""
    if state != "active":
        return Memory.objects.told_by(scope).filter(retired_reason=state)
    if not scope.reads or not MemoryPolicy.objects.of(scope.space_id).lore:
        return Memory.objects.none()
    return Memory.objects.lore_of(scope.space_id).active()


def list_memories(caller: Caller, asked: ListQuery) -> Page:
    """The newest first. The cursor is the last row of the page before. Raises ApiError."""
    limit = asked.limit
    before = _before(caller.scope, asked.cursor) if asked.cursor else Q()
    chosen = _chosen(caller.scope, asked)
    found = [
        row
        for rows in chosen
        for row in rows.filter(before).order_by("-stated_at", "-pk")[: limit + 1]
    ]
    found.sort(key=lambda row: (row.stated_at, row.pk.int), reverse=True)
    shown = found[:limit]
    following = str(shown[-1].pk) if len(found) > limit else None
    total = sum(rows.count() for rows in chosen)
    return Page(memories=_out(caller, shown, "listed"), total=total, next=following)


def list_numbered(
    caller: Caller,
    asked: ListQuery,
    start: int,
    end: int,
    metadata: Mapping[str, Any] | None = None,
) -> tuple[int, list[MemoryOut]]:
    """How many there are, and those with these numbers."""
    chosen = _noted(_chosen(caller.scope, asked), metadata)
    found = [row for rows in chosen for row in rows.order_by("-stated_at", "-pk")[:end]]
    found.sort(key=lambda row: (row.stated_at, row.pk.int), reverse=True)
    count = sum(rows.count() for rows in chosen)
    return count, _out(caller, found[start:end], "listed")


def _noted(
    chosen: Sequence[QuerySet[Any]], metadata: Mapping[str, Any] | None
) -> list[QuerySet[Any]]:
    """Only memories have metadata."""
    if not metadata:
        return list(chosen)
    rows: Any = [kind for kind in chosen if kind.model is Memory]
    return [kind.noted(metadata) for kind in rows]


def own_keys(
    caller: Caller, room: str | None, metadata: Mapping[str, Any]
) -> list[UUID]:
    """Of the user's memories in a room, or with these values in their metadata."""
    scope = caller.scope
    chosen = _noted(_chosen(scope, ListQuery(room=room)), metadata)
    return [
        key
        for kind in chosen
        for key in kind.filter(user=scope.user_id).values_list("pk", flat=True)
    ]


def count_memories(caller: Caller) -> int:
    """Of the user's own in the space."""
    scope = caller.scope
    chosen = (_memories(scope, "active"), _profile(scope, "active"))
    return sum(rows.filter(user=scope.user_id).count() for rows in chosen)


def _before(scope: Scope, cursor: UUID) -> Q:
    """Rows after it; it may be retired by now. Raises ApiError."""
    own = Memory.objects.owned_by(scope) | Memory.objects.lore_of(scope.space_id)
    rows = (own, Memory.objects.visible_to(scope), ProfileFact.objects.owned_by(scope))
    for kind in rows:
        row = kind.filter(pk=cursor).only("stated_at").first()
        if row is not None:
            same = Q(stated_at=row.stated_at, pk__lt=cursor)
            return Q(stated_at__lt=row.stated_at) | same
    raise ApiError(400, _("This cursor is not valid."), code="cursor", param="cursor")


def find_fact(caller: Caller, key: UUID) -> Any:
    """A fact that the user sees, in any state but retracted. Raises NotKnown."""
    return _facts(caller.scope, [key]).get(key) or _raise_not_known()


def _raise_not_known() -> Any:
    raise NotKnown


def _facts(scope: Scope, keys: Sequence[UUID]) -> dict[UUID, Any]:
    rows = chain.from_iterable(
        _chosen(scope, ListQuery(state=state)) for state in STATES
    )
    return {row.pk: row for kind in rows for row in kind.filter(pk__in=keys)}


def show_fact(caller: Caller, key: UUID) -> MemoryOut:
    """Raises NotKnown."""
    return _out(caller, [find_fact(caller, key)], "shown")[0]


def shown_facts(caller: Caller, keys: Sequence[UUID], look: str) -> list[MemoryOut]:
    """In the order of the keys, without those that the user does not see."""
    facts = _facts(caller.scope, keys)
    return _out(caller, [facts[key] for key in keys if key in facts], look)


def _out(caller: Caller, rows: Sequence[Fact], look: str) -> list[MemoryOut]:
    """The one way to an answer, so a look of staff is recorded by its name."""
    caller.record_look(rows, look)
    return [MemoryOut.of(row, caller.scope.user_id) for row in rows]


def search_memories(
    caller: Caller,
    asked: SearchBody,
    among: list[UUID] | None = None,
    least: float | None = None,
) -> FoundMemories:
    """With scores from `least` on. Network, then database.

    `among` are the keys of all that may be found.
    """
    if off := caller.off():
        return FoundMemories(memories=[], **off.told)
    found = service.search(
        caller.scope,
        one_line(asked.q)[:LONGEST_QUERY],
        limit=asked.limit,
        ranking=asked.ranking,
        least=least,
        former=asked.former,
        as_of=asked.as_of,
        among=_keys_among(caller.scope, asked) if among is None else among,
        safety=True,
    )
    facts = _facts(caller.scope, [item.memory_id for item in found])
    shown = [item for item in found if item.memory_id in facts]
    rows = [facts[item.memory_id] for item in shown]
    scored = zip(_out(caller, rows, "found"), shown, strict=True)
    return FoundMemories(
        memories=[
            FoundMemory(**fact.dict(), score=item.score, relevant=item.relevant)
            for fact, item in scored
        ]
    )


def _keys_among(scope: Scope, asked: SearchBody) -> list[UUID] | None:
    """None for all."""
    chosen: dict[str, Any] = {
        "subject": asked.subject,
        "kind": asked.kind,
        "room": asked.room,
    }
    if not any(value is not None for value in chosen.values()):
        return None
    lists = (ListQuery(state=state, **chosen) for state in STATES)
    kinds = chain.from_iterable(_chosen(scope, query) for query in lists)
    return [key for rows in kinds for key in rows.values_list("pk", flat=True)]


def find_job(caller: Caller, key: UUID) -> JobOut:
    """An extraction that the user's messages wait for. Raises ApiError."""
    own = CaptureJob.objects.filter(
        user=caller.scope.user_id, space=caller.key.space_id
    )
    job = own.filter(pk=key, kind=CaptureJob.EXTRACT).first()
    if job is None:
        raise ApiError(404, _("There is no such job."))
    return JobOut(id=job.pk, state=job.state)


def export_lines(caller: Caller) -> str:
    """Active facts as JSON lines, which the command `import_facts` reads."""
    facts = [
        *service.exported_facts(caller.scope),
        *service.exported_lore(caller.scope),
    ]
    caller.record_look(facts, "exported")
    return "".join(map(service.fact_as_json, facts))
