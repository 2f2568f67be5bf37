"""The pages for what nobody caught.

Rendered without the request, because Django calls these in a thread of no request:
a query there would keep its database connection for as long as that thread lives.
"""

import sys

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from psycopg.errors import QueryCanceled

RETRY_AFTER = "30"


def bad_request(_request: HttpRequest, exception: Exception) -> HttpResponse:
    """400: more than a form may hold, or a host that Meddie does not answer for."""
    return _page(400)


def not_allowed(_request: HttpRequest, exception: Exception) -> HttpResponse:
    """403, for staff who may not do everything."""
    return _page(403)


def not_found(_request: HttpRequest, exception: Exception) -> HttpResponse:
    """404: the same for what is not there and what belongs to somebody else."""
    return _page(404)


def server_error(_request: HttpRequest) -> HttpResponse:
    """503 while the database cannot be reached, else 500; one that took too long has
    been reached."""
    error = sys.exc_info()[1]
    if not isinstance(error, OperationalError | InterfaceError) or isinstance(
        error.__cause__, QueryCanceled
    ):
        return _page(500)
    response = _page(503)
    response.headers["Retry-After"] = RETRY_AFTER
    return response


def _page(status: int) -> HttpResponse:
    return HttpResponse(render_to_string(f"{status}.html"), status=status)
