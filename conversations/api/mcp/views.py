"""The address /mcp (docs/mcp.md)."""

from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import HttpRequest, HttpResponse

from conversations.api.memories.caller import Caller, admit_caller
from meddie.bounded_json import TooMuch, check_json, with_whole_characters
from meddie.http.api_edge import ApiError, BodyTooLarge, api_view
from meddie.http.headers import has_own_origin
from meddie.threads import run_work
from people import programs


@api_view("POST")
async def mcp(request: HttpRequest) -> HttpResponse:
    """Nothing is ever sent unasked, so there is no stream to open by GET."""
    allowed = request.headers.get("Origin") in settings.CORS_ALLOWED_ORIGINS
    if not (allowed or has_own_origin(request)):  # against DNS rebinding
        raise PermissionDenied
    caller = await run_work(_admit, request)
    body = await run_work(_checked_body, request)
    answer_mcp = await run_work(_load_mcp)
    response: HttpResponse = await answer_mcp(caller, request, body)
    return response


def _admit(request: HttpRequest) -> Caller:
    """Raises ApiError."""
    try:
        key = programs.admit_program(request)
        return admit_caller(request.headers, adds=True, key=key)
    except ApiError as error:
        if error.status == 401:
            challenge = programs.challenge(request)
            error.headers = {**error.headers, "WWW-Authenticate": challenge}
        raise


def _checked_body(request: HttpRequest) -> bytes:
    """As `read_json` reads it. Raises BodyTooLarge."""
    try:
        check_json(request.body)
    except (RequestDataTooBig, TooMuch) as error:
        raise BodyTooLarge from error
    return with_whole_characters(request.body)


def _load_mcp() -> Any:
    """Imported when it is first asked for: it takes half a second and 20 MB."""
    from conversations.api.mcp.http import answer_mcp  # noqa: PLC0415

    return answer_mcp
