"""The endpoint of OpenAI's chat protocol. Keys are the only way in."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from functools import wraps
from typing import Any, cast

from django.http import (
    HttpRequest,
    HttpResponseBase,
    JsonResponse,
    StreamingHttpResponse,
)
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from conversations.api.openai.answers import stream_answer, whole_answer
from conversations.api.openai.calls import admit, begin_call, identify
from conversations.api.openai.errors import CAUGHT, ApiError, api_error
from meddie.ai.events import MEDDIE
from meddie.ai.provider import current_provider
from meddie.threads import run_work

HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
View = Callable[..., Any]


def with_errors(method: str) -> Callable[[View], View]:
    """Require the method; answer failures in the protocol's shape."""

    def decorate(view: View) -> View:
        @csrf_exempt
        @wraps(view)
        async def inner(request: HttpRequest) -> HttpResponseBase:
            try:
                if request.method != method:
                    raise _not_allowed(method)
                return cast("HttpResponseBase", await view(request))
            except CAUGHT as error:
                return api_error(error).response()

        return inner

    return decorate


@with_errors("POST")
async def chat_completions(request: HttpRequest) -> HttpResponseBase:
    # Not `request.body`, whose limit is smaller than that of all requests.
    raw = request.read()
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


@with_errors("GET")
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


def _not_allowed(method: str) -> ApiError:
    text = _("Use %(method)s here.") % {"method": method}
    return ApiError(405, text, {"Allow": method}, code="method_not_allowed")
