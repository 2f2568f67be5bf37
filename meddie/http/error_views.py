"""Error pages, rendered without the request and so without
queries (decision 3).

A signed-in user has the rail, whose list the browser loads.
"""

import logging
import sys

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _

from meddie.file_storage import FilesAway
from meddie.http.api_edge import ApiError, answer_error, is_api
from meddie.outages import (
    is_disk_full,
    is_outage,
    refers_to_deleted,
    replace_connections,
)
from meddie.themes import chosen_theme

logger = logging.getLogger(__name__)

RETRY_AFTER = "30"
DISK_FULL = _("Meddie’s disk is full. Tell the person who runs it.")
API_TEXTS = {
    400: _("The request is not valid."),
    403: _("The request is not allowed."),
    404: _("There is nothing at this address."),
    410: _("What this call is about was deleted while it ran."),
    413: _("The body of the request is too large, or has too many values."),
    500: _("Something went wrong. Please try again."),
    507: DISK_FULL,
    503: _("Meddie cannot reach its database or its files. Please try again."),
}


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """413 for a body above the limit of forms."""
    too_large = isinstance(exception, RequestDataTooBig)
    return _page(request, 413 if too_large else 400)


def not_allowed(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, 403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, 404)


def server_error(request: HttpRequest) -> HttpResponse:
    error = sys.exc_info()[1]
    status = status_of(error)
    if status == 503:
        replace_connections()
    response = _page(request, status)
    if status == 503:
        response.headers["Retry-After"] = RETRY_AFTER
    return response


def status_of(error: BaseException | None) -> int:
    """507: the disk is full; 503: no database or files; 410: something was deleted; else 500."""
    if is_disk_full(error):
        return 507
    if refers_to_deleted(error):
        return 410
    return 503 if is_outage(error) or isinstance(error, FilesAway) else 500


def api_error_of(error: BaseException) -> ApiError:
    """The same for doors that are no page of Django's."""
    status = status_of(error)
    if status == 410:  # or a fault of ours
        logger.info("Gone during a call: %s", type(error).__name__)
    headers = {"Retry-After": RETRY_AFTER} if status == 503 else {}
    return ApiError(status, API_TEXTS[status], headers)


def _page(request: HttpRequest, status: int) -> HttpResponse:
    if is_api(request.path):
        return answer_error(ApiError(status, API_TEXTS[status]), request)
    context: dict[str, object] = {"theme": chosen_theme(request)}
    if user := getattr(request, "loaded_user", None):
        context |= {"user": user, "csrf_token": get_token(request)}
    return HttpResponse(render_to_string(f"{status}.html", context), status=status)
