"""The page for what nobody caught, told apart by whether trying again will help."""

import sys

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponseServerError
from django.template.loader import render_to_string

RETRY_AFTER = "30"


def server_error(request: HttpRequest) -> HttpResponseServerError:
    """503 while the database cannot be reached, else 500.

    Rendered without the request, for its context would ask the database again.
    """
    unreachable = isinstance(sys.exc_info()[1], OperationalError | InterfaceError)
    status = 503 if unreachable else 500
    response = HttpResponseServerError(
        render_to_string(f"{status}.html"), status=status
    )
    if unreachable:
        response.headers["Retry-After"] = RETRY_AFTER
    return response
