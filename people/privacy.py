"""What a signed-in user saw stays with them: no cache keeps it for whoever comes next.

Otherwise Back would bring it up again after they have signed out.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase
from django.utils.decorators import sync_only_middleware

from people.models import User

View = Callable[[HttpRequest], HttpResponseBase]


@sync_only_middleware
def keep_nothing(get_response: View) -> View:
    """Static files never come here, and what says how it may be kept is left alone."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if isinstance(request.user, User):
            response.headers.setdefault("Cache-Control", "private, no-store")
        return response

    return middleware
