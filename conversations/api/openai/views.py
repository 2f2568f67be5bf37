"""The endpoint of OpenAI's chat protocol. Keys are the only way in."""

from collections.abc import AsyncGenerator, AsyncIterator

from django.http import (
    HttpRequest,
    HttpResponseBase,
    JsonResponse,
    StreamingHttpResponse,
)

from conversations.api.openai.answers import stream_answer, whole_answer
from conversations.api.openai.calls import admit, begin_call, identify
from conversations.api.openai.errors import as_api_errors
from meddie.ai.events import MEDDIE
from meddie.ai.provider import current_provider
from meddie.http.api import api_view
from meddie.threads import run_work

HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


@api_view("POST")
async def chat_completions(request: HttpRequest) -> HttpResponseBase:
    # Not `request.body`, whose limit is smaller than that of all requests.
    raw = request.read()
    with as_api_errors():
        # In one thread: when many stream, each change of threads waits for its turn.
        call = begin_call(await run_work(admit, request.headers, raw))
        if not call.asked.streams:
            return JsonResponse(await whole_answer(call), headers=HEADERS)
        events = stream_answer(call)
        # The provider's refusal has a status of its own until something is sent.
        first = await anext(events)
    return StreamingHttpResponse(
        _from_first(first, events), content_type="text/event-stream", headers=HEADERS
    )


@api_view("GET")
async def models(request: HttpRequest) -> HttpResponseBase:
    await run_work(identify, request.headers)
    own = {"id": MEDDIE, "object": "model", "created": 0, "owned_by": "meddie"}
    listed = [own, *await current_provider().models()]
    return JsonResponse({"object": "list", "data": listed})


async def _from_first(
    first: bytes, others: AsyncGenerator[bytes]
) -> AsyncIterator[bytes]:
    try:
        yield first
        async for event in others:
            yield event
    finally:
        await others.aclose()
