"""The endpoint for messages of other channels. Keys are the only way in."""

from dataclasses import asdict

from django.http import HttpRequest, JsonResponse
from django.utils.translation import gettext as _

from conversations.api.ingest.receive import receive_body
from meddie.http.api import ApiError, api_view
from meddie.threads import run_work


@api_view("POST")
async def ingest(request: HttpRequest) -> JsonResponse:
    if request.content_type != "application/json":
        text = _("The body must be application/json.")
        raise ApiError(415, text, code="unsupported_media_type")
    results = await run_work(receive_body, request.headers, request.read())
    body = {"object": "list", "data": [asdict(result) for result in results]}
    return JsonResponse(body, status=202, headers={"Cache-Control": "no-store"})
