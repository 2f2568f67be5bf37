"""The routes under /api/, with their schema in /api/openapi.json."""

from typing import Annotated, Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from ninja import HeaderEx, NinjaAPI, P, Query, Status
from ninja.openapi.schema import REF_TEMPLATE
from ninja.security.http import HttpAuthBase
from pydantic import Field, TypeAdapter

from conversations.api import operators
from conversations.api.ingest.receive import IngestAnswer, ingest
from conversations.api.ingest.schema import MOST_DOCUMENTS, Document
from conversations.api.memories import changing, fact_history, showing
from conversations.api.memories.caller import Caller, admit_caller
from conversations.api.memories.files import FileList, FilesQuery, list_files
from conversations.api.memories.schema import (
    Added,
    Correction,
    DecisionOut,
    ForgottenMemories,
    FoundMemories,
    History,
    JobOut,
    ListQuery,
    MemoryOut,
    NewMemories,
    OutdatedAnswers,
    Page,
    SearchBody,
    SearchQuery,
    Wish,
    Wished,
)
from conversations.api.ninja_errors import (
    JsonParser,
    Problem,
    Renderer,
    handle_errors,
)
from meddie.http.api_edge import ApiError, Form
from meddie.threads import run_work
from meddie.version import VERSION
from memory.values import STORED


class BearerKey(HttpAuthBase):
    """The key of the API, and with `?user=` another member for staff."""

    openapi_scheme = "bearer"

    async def __call__(self, request: HttpRequest) -> Caller:
        named, adds = operators.asked_member(request), request.method == "POST"
        return await run_work(admit_caller, request.headers, named=named, adds=adds)


api = NinjaAPI(
    title="Meddie",
    version=VERSION,
    description="Add, search, correct and forget what Meddie remembers.",
    docs_url=None,
    openapi_url=None,
    urls_namespace="api:memories",
    parser=JsonParser(),
    renderer=Renderer(),
)
KEY = BearerKey()
Documents = Annotated[list[Document], Field(min_length=1, max_length=MOST_DOCUMENTS)]
TEXT = {"type": "string"}
IdempotencyKey = HeaderEx[str | None, P(alias="Idempotency-Key", max_length=255)]
ERRORS = {frozenset({400, 401, 403, 404, 410, 413, 422, 429, 503}): Problem}


class Asked(HttpRequest):
    auth: Caller


def as_problem(request: HttpRequest, error: ApiError) -> HttpResponse:
    return error.response(Form.PROBLEM)


handle_errors(api, as_problem)


@api.post(
    "/memories",
    auth=KEY,
    response={200: Added, 201: Added, 202: Added, **ERRORS},
    tags=["memories"],
)
async def post_memories(
    request: Asked,
    response: HttpResponse,
    new: NewMemories,
    idempotency_key: IdempotencyKey = None,
) -> Status[Added]:
    """Remember facts, or extract them from messages. 201: one is new, 202: a job does it."""
    call = (
        changing.Repeatable(idempotency_key, request.body) if idempotency_key else None
    )
    added = await run_work(changing.add_memories, request.auth, new, call)
    if added.jobs:
        return Status(202, added)
    stored = [d for d in added.decisions if d.action in STORED]
    if len(stored) == 1:
        response.headers["Location"] = f"/api/memories/{stored[0].id}"
    return Status(201 if stored else 200, added)


@api.get("/memories", auth=KEY, response={200: Page, **ERRORS}, tags=["memories"])
async def get_memories(request: Asked, asked: Query[ListQuery]) -> Page:
    """What is remembered, the newest first."""
    return await run_work(showing.list_memories, request.auth, asked)


@api.get(
    "/memories/search",
    auth=KEY,
    response={200: FoundMemories, **ERRORS},
    tags=["memories"],
)
async def get_found_memories(
    request: Asked, asked: Query[SearchQuery]
) -> FoundMemories:
    """Memories that fit a query, best first; with `former` also replaced ones."""
    return await run_work(showing.search_memories, request.auth, asked)


@api.post(
    "/memories/search",
    auth=KEY,
    response={200: FoundMemories, **ERRORS},
    tags=["memories"],
)
async def post_search(request: Asked, asked: SearchBody) -> FoundMemories:
    """The same with a body: no log has what was looked for."""
    return await run_work(showing.search_memories, request.auth, asked)


@api.post(
    "/memories/forget", auth=KEY, response={200: Wished, **ERRORS}, tags=["memories"]
)
async def post_wish(request: Asked, wish: Wish) -> Wished:
    """Forget what a sentence states. It can be undone for 30 days."""
    return await run_work(changing.forget_wished, request.auth, wish)


@api.get(
    "/memories/export",
    auth=KEY,
    response={200: None, **ERRORS},
    tags=["memories"],
    openapi_extra={
        "responses": {200: {"content": {"application/x-ndjson": {"schema": TEXT}}}}
    },
)
async def get_export(request: Asked) -> HttpResponse:
    """All active facts as lines of JSON, the oldest first."""
    lines = await run_work(showing.export_lines, request.auth)
    return HttpResponse(lines, content_type="application/x-ndjson; charset=utf-8")


@api.get(
    "/memories/jobs/{uuid:job}",
    auth=KEY,
    response={200: JobOut, **ERRORS},
    tags=["memories"],
)
async def get_job(request: Asked, job: UUID) -> JobOut:
    """How far an extraction is."""
    return await run_work(showing.find_job, request.auth, job)


@api.get(
    "/memories/{uuid:memory}",
    auth=KEY,
    response={200: MemoryOut, **ERRORS},
    tags=["memories"],
)
async def get_memory(request: Asked, memory: UUID) -> MemoryOut:
    """One memory, also a replaced one."""
    return await run_work(showing.show_fact, request.auth, memory)


@api.patch(
    "/memories/{uuid:memory}",
    auth=KEY,
    response={200: DecisionOut, **ERRORS},
    tags=["memories"],
)
async def patch_memory(
    request: Asked, memory: UUID, correction: Correction
) -> DecisionOut:
    """Correct a memory. The old one is kept as its former version."""
    return await run_work(changing.correct_memory, request.auth, memory, correction)


@api.delete(
    "/memories/{uuid:memory}",
    auth=KEY,
    response={200: ForgottenMemories, **ERRORS},
    tags=["memories"],
)
async def delete_memory(
    request: Asked, memory: UUID, *, erase: bool = False
) -> ForgottenMemories:
    """Forget a memory; its text is erased after 30 days, or with `erase` at once."""
    return await run_work(changing.forget_memory, request.auth, memory, erases=erase)


@api.get(
    "/memories/{uuid:memory}/history",
    auth=KEY,
    response={200: History, **ERRORS},
    tags=["memories"],
)
async def get_history(request: Asked, memory: UUID) -> History:
    """What stated a memory, what it replaced and what replaced it."""
    return await run_work(fact_history.read_history, request.auth, memory)


@api.get(
    "/memories/{uuid:memory}/answers",
    auth=KEY,
    response={200: OutdatedAnswers, **ERRORS},
    tags=["memories"],
)
async def get_answers(request: Asked, memory: UUID) -> OutdatedAnswers:
    """Earlier answers that used a memory which was corrected or forgotten since."""
    return await run_work(fact_history.list_outdated_answers, request.auth, memory)


@api.get("/files", auth=KEY, response={200: FileList, **ERRORS}, tags=["files"])
async def get_files(request: Asked, asked: Query[FilesQuery]) -> FileList:
    """The files that were sent, the newest first, and what of each was read."""
    return await run_work(list_files, request.auth, asked)


def _documented(*names: str, returns: str = "", **more: Any) -> dict[str, Any]:
    """Of a view that reads its request by itself; it `returns` text of that type."""
    content = {returns: {"schema": TEXT}} if returns else {}
    return {
        "parameters": [{"in": "query", "name": n, "schema": TEXT} for n in names],
        **({"responses": {200: {"content": content}}} if returns else {}),
        **more,
    }


def _body(accepted: Any) -> dict[str, Any]:
    schema = TypeAdapter(accepted).json_schema(ref_template=REF_TEMPLATE)
    return {"required": True, "content": {"application/json": {"schema": schema}}}


api.post(
    "/ingest",
    response={202: IngestAnswer, **ERRORS, 415: Problem},
    tags=["ingest"],
    openapi_extra=_documented(requestBody=_body(Document | Documents)),
)(ingest)
api.get(
    "/memory",
    response={200: None, **ERRORS},
    tags=["operators"],
    openapi_extra=_documented(returns="text/markdown"),
)(operators.show_snapshot)
api.post(
    "/memory/refresh",
    response={200: None, **ERRORS},
    tags=["operators"],
    openapi_extra=_documented(returns="text/markdown"),
)(operators.show_renewed)
api.get(
    "/memory/search",
    operation_id="search_space",
    response={200: dict[str, Any], **ERRORS},
    tags=["operators"],
    openapi_extra=_documented("q", "limit", "user", "channel", "channelId", "guildId"),
)(operators.search)
