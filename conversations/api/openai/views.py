"""The endpoints of OpenAI's protocol. Keys are the only way in."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from dataclasses import dataclass
from functools import partial

from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    JsonResponse,
    StreamingHttpResponse,
)
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from conversations.api.openai.answering import stream_answer, whole_answer
from conversations.api.openai.calls import Parse, admit, identify
from conversations.api.openai.failures import as_api_errors
from conversations.api.openai.responses.answer import response_events, whole_response
from conversations.api.openai.responses.request import parse_response_request
from conversations.api.openai.schema import ApiRequest, parse_request
from conversations.api.openai.text_vectors import admitted_body, embed
from meddie.ai.events import MEDDIE, Json
from meddie.ai.provider import current_provider
from meddie.http.api_edge import ApiError, answer_error, api_view
from meddie.http.overload import leave_queue
from meddie.loops import PerLoop
from meddie.threads import run_work

HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
THERE = (
    "POST /v1/chat/completions",
    "POST /v1/responses",
    "POST /v1/embeddings",
    "GET /v1/models",
)
MOST_EMBEDDING = 2  # calls at once: each takes a processor, or waits for the provider
Stream = AsyncGenerator[Json]


async def _nothing_to_close(_: object) -> None:
    return None


EMBEDDING = PerLoop(partial(asyncio.Semaphore, MOST_EMBEDDING), _nothing_to_close)


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a request is read and answered; `events` may end a stream by other bytes."""

    parse: Parse
    whole: Callable[[ApiRequest, Json], Json]
    events: Callable[[ApiRequest, Stream], AsyncGenerator[bytes]]


async def _chunks(asked: ApiRequest, chunks: Stream) -> AsyncGenerator[bytes]:
    failed = False
    async for chunk in chunks:
        failed = "error" in chunk
        yield _event(chunk)
    if not failed:
        yield b"data: [DONE]\n\n"


async def _responses(asked: ApiRequest, chunks: Stream) -> AsyncGenerator[bytes]:
    async for event in response_events(asked, chunks):
        yield f"event: {event['type']}\n".encode() + _event(event)


COMPLETIONS = Dialect(parse_request, lambda _asked, whole: whole, _chunks)
RESPONSES = Dialect(parse_response_request, whole_response, _responses)


@api_view("POST")
async def chat_completions(request: HttpRequest) -> HttpResponseBase:
    return await _answer(request, COMPLETIONS)


@api_view("POST")
async def responses(request: HttpRequest) -> HttpResponseBase:
    return await _answer(request, RESPONSES)


async def _answer(request: HttpRequest, dialect: Dialect) -> HttpResponseBase:
    with as_api_errors():
        # In one thread: when many stream, each change of threads waits for its turn.
        # Not `request.body`, whose limit is smaller, and which would be kept.
        admitted = await run_work(admit, request.headers, request.read(), dialect.parse)
        leave_queue(request)
        asked = admitted.asked
        if not asked.streams:
            whole = dialect.whole(asked, await whole_answer(admitted))
            return JsonResponse(whole, headers=HEADERS)
        chunks = stream_answer(admitted)
        events = dialect.events(asked, chunks)
        # The provider's refusal has a status of its own until something is sent.
        first = await anext(events)
    return StreamingHttpResponse(
        _from_first(first, events, chunks),
        content_type="text/event-stream",
        headers=HEADERS,
    )


@api_view("POST")
async def embeddings(request: HttpRequest) -> HttpResponseBase:
    with as_api_errors():
        body = await run_work(admitted_body, request.headers, request.read())
        leave_queue(request)
        async with await EMBEDDING.get():
            found = await run_work(embed, body)
    return JsonResponse(found, headers=HEADERS)


@csrf_exempt
def nothing(request: HttpRequest, path: str) -> HttpResponse:
    """In the form of the client, which may be mem0's."""
    there = ", ".join(THERE)
    text = _("There is nothing at /v1/%(path)s. There are %(there)s.")
    text %= {"path": path[:200], "there": there}
    return answer_error(ApiError(404, text, code="unknown_url"), request)


@api_view("GET")
async def models(request: HttpRequest) -> HttpResponseBase:
    return JsonResponse({"object": "list", "data": await _models(request)})


@api_view("GET")
async def model(request: HttpRequest, name: str) -> HttpResponseBase:
    for listed in await _models(request):
        if listed["id"] == name:
            return JsonResponse(listed)
    raise ApiError(404, _("There is no such model."), code="model_not_found")


async def _models(request: HttpRequest) -> list[Json]:
    await run_work(identify, request.headers)
    own = {"id": MEDDIE, "object": "model", "created": 0, "owned_by": "meddie"}
    return [own, *await current_provider().models()]


async def _from_first(
    first: bytes, others: AsyncGenerator[bytes], chunks: Stream
) -> AsyncIterator[bytes]:
    try:
        yield first
        async for event in others:
            yield event
    finally:
        await others.aclose()
        await chunks.aclose()


def _event(data: Json) -> bytes:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"data: {text}\n\n".encode(errors="replace")
