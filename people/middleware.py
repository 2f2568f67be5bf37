"""The language of a page, no caching of a user's pages, and their connection."""

from collections.abc import Callable

from django.db import connections
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
def give_back_connection(get_response: View) -> View:
    """Before the view, which may stream, or wait for another connection in a thread.

    Requests that keep the session's connection meanwhile would deadlock the pool (decision 2).
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        for connection in connections.all(initialized_only=True):
            if not connection.in_atomic_block:  # of a test
                connection.close()
        return get_response(request)

    return middleware


@sync_only_middleware
def no_store(get_response: View) -> View:
    """Forbid caching, unless the view has decided."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if isinstance(request.user, User):
            response.headers.setdefault("Cache-Control", "private, no-store")
        return response

    return middleware
