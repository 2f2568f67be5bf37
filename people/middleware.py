"""The language of a page, and no caching of a user's pages."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase
from django.middleware.locale import LocaleMiddleware as BrowserLocaleMiddleware
from django.utils import timezone, translation
from django.utils.decorators import sync_only_middleware

from people.models import User


class LocaleMiddleware(BrowserLocaleMiddleware):
    # Synchronous middleware lets Django run the whole chain in one thread.
    async_capable = False

    def process_request(self, request: HttpRequest) -> None:
        super().process_request(request)
        timezone.deactivate()
        if isinstance(request.user, User):
            translation.activate(request.user.locale)
            request.LANGUAGE_CODE = request.user.locale
            timezone.activate(request.user.zone)
            # Error pages know the user from it, without a query.
            vars(request)["loaded_user"] = request.user


View = Callable[[HttpRequest], HttpResponseBase]


@sync_only_middleware
def no_store(get_response: View) -> View:
    """Forbid caching, unless the view has decided."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if isinstance(request.user, User):
            response.headers.setdefault("Cache-Control", "private, no-store")
        return response

    return middleware
