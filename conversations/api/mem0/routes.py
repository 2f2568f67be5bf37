"""The addresses that mem0's clients call (docs/mem0.md)."""

from collections.abc import Sequence
from functools import partial
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import NinjaAPI, Query

from conversations.api.mem0.schema import (
    LABELS,
    AddCall,
    BatchOf,
    Json,
    MemoryId,
    NamedMemory,
    Names,
    NewVersion,
    Paging,
    ReadCall,
    SearchCall,
    UpdateCall,
    entities_of,
    event_of,
    events_of,
    job_event,
    mem0_memory,
)
from conversations.api.memories import changing, fact_history, showing
from conversations.api.memories.caller import (
    AGENT,
    Caller,
    KeyedRequest,
    KeyOfProgram,
    Unnamed,
    admit_for,
    admit_for_row,
)
from conversations.api.memories.schema import (
    MOST_FOUND,
    Correction,
    ListQuery,
    SearchQuery,
)
from conversations.api.ninja_errors import JsonParser, handle_errors, with_errors
from meddie.http.api_edge import ApiError, Form
from meddie.threads import run_work
from memory.models import CaptureJob
from people import api_keys, external_users
from people.models import ApiKey, ExternalUser

api = NinjaAPI(
    title="mem0",
    auth=KeyOfProgram(),
    docs_url=None,
    openapi_url=None,
    urls_namespace="api:mem0",
    parser=JsonParser(),
)


def _as_detail(request: HttpRequest, error: ApiError) -> HttpResponse:
    return error.response(Form.MEM0)


handle_errors(api, _as_detail)


@api.get("/v1/ping/")
async def mem0_ping(request: KeyedRequest) -> Json:
    space = str(request.auth.space_id)
    # mem0's client sends an address to its maker, with data about use.
    return {"status": "ok", "org_id": space, "project_id": space, "user_email": None}


@api.post("/v3/memories/add/")
async def mem0_add(request: KeyedRequest, asked: AddCall) -> Json:
    return await run_work(_add, request.auth, asked)


def _add(by: ApiKey, asked: AddCall) -> Json:
    caller = admit_for(by, asked.user, asked.agent, adds=True)
    added = changing.add_memories(caller, asked.new())
    results = [event_of(decision) for decision in added.decisions]
    if not added.jobs:
        return {"results": results, "status": "SUCCEEDED"}
    return {
        "results": results,
        "status": "PENDING",
        "event_id": str(added.jobs[0]),
        "message": "Facts are extracted in the background.",
    }


@api.get("/v1/event/{event}/")
async def mem0_event(request: KeyedRequest, event: MemoryId) -> Json:
    return await run_work(_event, request.auth, event)


def _event(by: ApiKey, event: UUID) -> Json:
    caller = admit_for_row(by, event, [CaptureJob])
    return job_event(showing.find_job(caller, event))


@api.post("/v3/memories/")
async def mem0_get_all(
    request: KeyedRequest, asked: ReadCall, paging: Query[Paging]
) -> Json:
    return await run_work(_get_all, request, asked, paging)


def _get_all(request: KeyedRequest, asked: ReadCall, paging: Paging) -> Json:
    caller = admit_for(request.auth, asked.user, asked.agent)
    if off := caller.off():
        return {"count": 0, "next": None, "previous": None, "results": []} | off.told
    end = paging.page * paging.page_size
    count, found = showing.list_numbered(
        caller, ListQuery(room=asked.room), end - paging.page_size, end, asked.noted
    )

    def address(page: int) -> str:
        told = f"?page={page}&page_size={paging.page_size}"
        return request.build_absolute_uri(request.path) + told

    return {
        "count": count,
        "next": address(paging.page + 1) if end < count else None,
        "previous": address(paging.page - 1) if paging.page > 1 else None,
        "results": [mem0_memory(fact, asked.user) for fact in found],
    }


@api.post("/v3/memories/search/")
async def mem0_search(request: KeyedRequest, asked: SearchCall) -> Json:
    return await run_work(_search, request.auth, asked)


def _search(by: ApiKey, asked: SearchCall) -> Json:
    caller = admit_for(by, asked.user, asked.agent)
    query = SearchQuery(q=asked.query, limit=min(asked.top_k, MOST_FOUND))
    is_narrow = asked.room is not None or bool(asked.noted)
    among = showing.own_keys(caller, asked.room, asked.noted) if is_narrow else None
    found = showing.search_memories(caller, query, among, asked.threshold)
    told = found.dict(include={"reason", "message"}, exclude_none=True)
    return told | {
        "results": [
            mem0_memory(fact, asked.user)
            | {"score": fact.score, "relevant": fact.relevant}
            for fact in found.memories
        ]
    }


@api.get("/v1/memories/{memory}/")
async def mem0_get(request: KeyedRequest, memory: MemoryId) -> Json:
    return await run_work(_get, request.auth, memory)


def _get(by: ApiKey, memory: UUID) -> Json:
    caller, key = _current(by, memory)
    caller.demand_memory()
    return mem0_memory(showing.show_fact(caller, key), _name_of(caller))


def _current(by: ApiKey, memory: UUID) -> tuple[Caller, UUID]:
    """A memory of these clients keeps its ID when it is changed. Raises ApiError."""
    caller = admit_for_row(by, memory)
    return caller, fact_history.newest_version(caller, memory)


def _name_of(caller: Caller) -> str | None:
    external = ExternalUser.objects.filter(user=caller.user).first()
    return external.external_id if external else str(caller.key.user_id)


@api.put("/v1/memories/{memory}/")
async def mem0_update(request: KeyedRequest, memory: MemoryId, new: UpdateCall) -> Json:
    return await run_work(_update, request.auth, memory, new)


def _update(by: ApiKey, memory: UUID, new: UpdateCall) -> Json:
    caller, key = _current(by, memory)
    if not new.text and new.metadata is None:
        raise ApiError(400, _("Send a text or metadata."), code="nothing_to_update")
    caller.demand_memory()
    if new.text:
        changing.correct_memory(caller, key, Correction(text=new.text))
        key = fact_history.newest_version(caller, key)
    if new.metadata is not None:
        labels = showing.show_fact(caller, key).metadata or {}
        kept = {name: labels[name] for name in LABELS if name in labels}
        changing.note_memory(caller, key, new.metadata | kept)
    return mem0_memory(showing.show_fact(caller, key), _name_of(caller))


@api.delete("/v1/memories/{memory}/")
async def mem0_delete(request: KeyedRequest, memory: MemoryId) -> Json:
    return await run_work(_delete, request.auth, memory)


def _delete(by: ApiKey, memory: UUID) -> Json:
    caller, key = _current(by, memory)
    changing.forget_memory(caller, key, erases=False)
    return {"message": "Memory deleted successfully!"}


@api.put("/v1/batch/")
async def mem0_update_several(
    request: KeyedRequest, asked: BatchOf[NewVersion]
) -> Json:
    return await run_work(_update_several, request.auth, asked)


def _update_several(by: ApiKey, asked: BatchOf[NewVersion]) -> Json:
    _check_all(by, asked.memories)
    for new in asked.memories:
        _update(by, new.memory_id, new)
    return {"message": f"Successfully updated {len(asked.memories)} memories"}


@api.delete("/v1/batch/")
async def mem0_delete_several(
    request: KeyedRequest, asked: BatchOf[NamedMemory]
) -> Json:
    return await run_work(_delete_several, request.auth, asked)


def _delete_several(by: ApiKey, asked: BatchOf[NamedMemory]) -> Json:
    _check_all(by, asked.memories)
    for named in asked.memories:
        _delete(by, named.memory_id)
    return {"message": f"Successfully deleted {len(asked.memories)} memories"}


def _check_all(by: ApiKey, named: Sequence[NamedMemory]) -> None:
    """An unknown one is found before anything is changed. Raises ApiError."""
    api_keys.count_calls(by, len(named))
    for memory in named:
        caller, key = _current(by, memory.memory_id)
        showing.find_fact(caller, key)


@api.get("/v1/memories/{memory}/history/")
async def mem0_history(request: KeyedRequest, memory: MemoryId) -> list[Json]:
    return await run_work(_history, request.auth, memory)


def _history(by: ApiKey, memory: UUID) -> list[Json]:
    caller = admit_for_row(by, memory)
    caller.demand_memory()
    return events_of(fact_history.read_history(caller, memory), _name_of(caller))


@api.delete("/v1/memories/")
async def mem0_delete_all(request: KeyedRequest, asked: Query[Names]) -> Json:
    return await run_work(_delete_all, request.auth, asked)


def _delete_all(by: ApiKey, asked: Names) -> Json:
    call = ReadCall(**asked.dict())
    if not (call.user or call.agent):
        raise Unnamed
    caller = admit_for(by, call.user, call.agent)
    labels = call.labels
    if by.trusted_proxy and not call.user:
        del labels["agent_id"]  # whose memory it is
    keys = None
    if call.room is not None or labels:
        keys = showing.own_keys(caller, call.room, labels)
    count = changing.erase_all(caller, keys)
    return {"message": f"Deleted memories: {count}", "count": count}


@api.get("/v1/entities/")
async def mem0_users(request: KeyedRequest) -> Json:
    return await run_work(_users, request.auth)


def _users(by: ApiKey) -> Json:
    named = ExternalUser.objects.filter(space=by.space_id, user__is_active=True)
    found = named.order_by("created_at") if by.trusted_proxy else named.none()
    rows = [(str(row.pk), row.external_id, row.created_at) for row in found]
    results = entities_of(rows)
    return {"count": len(results), "next": None, "previous": None, "results": results}


@api.delete("/v2/entities/user/{name}/")
async def mem0_delete_user(request: KeyedRequest, name: str) -> Json:
    return await run_work(_delete_user, request.auth, name)


@api.delete("/v2/entities/agent/{name}/")
async def mem0_delete_agent(request: KeyedRequest, name: str) -> Json:
    return await run_work(_delete_user, request.auth, f"{AGENT}{name}")


def _delete_user(by: ApiKey, name: str) -> Json:
    user = external_users.find_external_user(by.space_id, name)
    if user is None or not by.trusted_proxy:
        raise showing.NotKnown
    external_users.remove_external_user(user.external)
    return {"message": "Entity deleted successfully!"}


urlpatterns = [*map(partial(with_errors, _as_detail), api.urls[0])]
