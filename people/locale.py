"""The language of a page: the signed-in user's own, else what the browser asks for.

It is the innermost middleware and knows no coroutines. So Django calls all that are
around it in one thread, one after the other; beside an innermost one that could be
awaited, each would be sent to a thread twice for every request: 103 hops in one turn.
The page that axes puts in place of a refused sign-in has the right language too, but no
header that says so.
"""

from django.http import HttpRequest
from django.middleware.locale import LocaleMiddleware as BrowserLocaleMiddleware
from django.utils import timezone, translation

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
