"""Access to conversations. Other users' rows are 404."""

from collections.abc import Callable, Collection
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any, cast
from uuid import UUID

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, resolve_url
from django.urls import reverse
from django_htmx.middleware import HtmxDetails

from conversations.models import Attachment, Conversation, Message
from people.models import Space, User
from people.requests import SignedInRequest


class PageRequest(SignedInRequest):
    htmx: HtmxDetails


View = Callable[..., Any]


def signed_in(view: View) -> View:
    """Require a session; others sign in and come back."""
    if iscoroutinefunction(view):

        @wraps(view)
        async def async_inner(
            request: PageRequest, *args: Any, **kwargs: Any
        ) -> HttpResponseBase:
            if not cast("HttpRequest", request).user.is_authenticated:  # known by now
                return _to_sign_in(request)
            return cast("HttpResponseBase", await view(request, *args, **kwargs))

        return async_inner

    @wraps(view)
    def inner(request: PageRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not cast("HttpRequest", request).user.is_authenticated:
            return _to_sign_in(request)
        return cast("HttpResponseBase", view(request, *args, **kwargs))

    return inner


def _to_sign_in(request: PageRequest) -> HttpResponse:
    """With `lost` if a session has ended, as its browser keeps what was written."""
    back = _return_path(request)
    lost = request.htmx or settings.SESSION_COOKIE_NAME in request.COOKIES
    page = resolve_url("people:sign_in") + ("?lost" if lost else "")
    answer = redirect_to_login(back, page)
    if not request.htmx:
        return answer
    return HttpResponse(status=401, headers={"HX-Redirect": answer.url})


def _return_path(request: PageRequest) -> str:
    # Never the address of a form or of an event stream.
    if request.htmx:
        return request.htmx.current_url_abs_path or reverse("conversations:new")
    if request.method == "GET":
        return request.get_full_path()
    return reverse("conversations:new")


def own_conversation(user: User, pk: UUID | str) -> Conversation:
    """The user's own conversation, in any space of which they are a member."""
    own = Conversation.objects.reachable_by(user.pk)
    return get_object_or_404(own.select_related("person", "space", "thread"), pk=pk)


def own_attachment(user: User, pk: UUID) -> Attachment:
    """A file of a current message in the user's own conversations, or not yet sent."""
    messages = Message.objects.current().filter(
        conversation__in=Conversation.objects.reachable_by(user.pk)
    )
    found = Attachment.objects.filter(Q(message__in=messages) | own_and_unsent(user))
    return get_object_or_404(found, pk=pk)


def own_unsent(user: User, pk: UUID) -> Attachment:
    return get_object_or_404(Attachment.objects.filter(own_and_unsent(user)), pk=pk)


def unsent_files(user: User, keys: Collection[UUID]) -> QuerySet[Attachment]:
    return Attachment.objects.filter(own_and_unsent(user), pk__in=keys)


def own_and_unsent(user: User) -> Q:
    spaces = Space.objects.filter(memberships__user=user)
    return Q(message=None, user=user, space__in=spaces)


def own_message(user: User, pk: UUID, *related: str, **conditions: str) -> Message:
    """A current message in the user's own conversations, with `related` rows."""
    own = Message.objects.current().filter(
        conversation__in=Conversation.objects.reachable_by(user.pk)
    )
    found = own.select_related(*related) if related else own
    return get_object_or_404(found, pk=pk, **conditions)


def own_version(user: User, pk: UUID) -> Message:
    """A message or a reply in the user's own conversations, superseded or current."""
    own = Message.objects.exclude(role=Message.Role.SYSTEM).filter(
        conversation__in=Conversation.objects.reachable_by(user.pk)
    )
    return get_object_or_404(own.select_related("conversation"), pk=pk)


def own_reply(user: User, pk: UUID) -> Message:
    """With its conversation and space."""
    return own_message(user, pk, "conversation__space", role=Message.Role.ASSISTANT)


def own_line(user: User, pk: UUID) -> Message:
    """A line under a reply in the user's own conversations, with its changes."""
    own = Message.objects.current().filter(
        conversation__in=Conversation.objects.reachable_by(user.pk),
        role=Message.Role.SYSTEM,
    )
    found = own.select_related("conversation", "thread").with_changes()
    return get_object_or_404(found, pk=pk)
