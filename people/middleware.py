"""The language of a page, and no cache of pages that belong to a user.

LocaleMiddleware is the innermost middleware and knows no coroutines. So Django calls all that are
around it in one thread, one after the other; beside an innermost one that could be
awaited, each would be sent to a thread twice for every request: 103 hops in one turn.
The page that axes puts in place of a refused sign-in has the right language too, but no
header that says so.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase
from django.middleware.locale import LocaleMiddleware as BrowserLocaleMiddleware
from django.utils import timezone, translation
from django.utils.decorators import sync_only_middleware

from people.models import User


class LocaleMiddleware(BrowserLocaleMiddleware):
    async_capable = False

    def process_request(self, request: HttpRequest) -> None:
        """Choose language and time zone before the view renders."""
        super().process_request(request)
        timezone.deactivate()
        if isinstance(request.user, User):
            translation.activate(request.user.locale)
            request.LANGUAGE_CODE = request.user.locale
            timezone.activate(request.user.zone)


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
