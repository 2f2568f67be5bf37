"""Error pages, rendered without the request and so without queries."""

import sys

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from meddie.outages import is_outage, replace_connections

RETRY_AFTER = "30"


def bad_request(_request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(400)


def not_allowed(_request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(403)


def not_found(_request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(404)


def server_error(_request: HttpRequest) -> HttpResponse:
    """503 if the database cannot be reached, else 500."""
    if not is_outage(sys.exc_info()[1]):
        return _page(500)
    replace_connections()
    response = _page(503)
    response.headers["Retry-After"] = RETRY_AFTER
    return response


def _page(status: int) -> HttpResponse:
    return HttpResponse(render_to_string(f"{status}.html"), status=status)
