"""Who may see a page, in which space, and which rows they may reach. All others are 404."""

import uuid
from collections.abc import Callable
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any, Concatenate, ParamSpec, cast
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.db import transaction
from django.db.models import F, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, resolve_url
from django.utils import timezone
from django.utils.translation import gettext as _
from django_htmx.middleware import HtmxDetails

from people.models import (
    ApiKey,
    ExternalUser,
    Invitation,
    Membership,
    Person,
    ProfileUpdate,
    Space,
    User,
)

SESSION_KEY = "space"
LAST_CHOSEN = F("memberships__chosen_at").desc(nulls_last=True)

P = ParamSpec("P")


class PageRequest(HttpRequest):
    user: User
    htmx: HtmxDetails


def signed_in(view: Callable[..., Any]) -> Callable[..., Any]:
    """Require a session; others sign in and come back."""
    if iscoroutinefunction(view):

        @wraps(view)
        async def async_inner(
            request: HttpRequest, *args: Any, **kwargs: Any
        ) -> HttpResponseBase:
            if not request.user.is_authenticated:  # known by now
                return _to_sign_in(cast("PageRequest", request))
            return cast("HttpResponseBase", await view(request, *args, **kwargs))

        return async_inner

    @wraps(view)
    def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return _to_sign_in(cast("PageRequest", request))
        return cast("HttpResponseBase", view(request, *args, **kwargs))

    return inner


def _to_sign_in(request: PageRequest) -> HttpResponse:
    """Never back to the address of a form or of an event stream, but to their page.

    With `lost` if a session has ended and its browser keeps what was written.
    """
    if request.htmx:
        back = request.htmx.current_url_abs_path
    elif request.method == "GET":
        back = request.get_full_path()
    else:
        page = urlsplit(request.headers.get("Referer", ""))
        back = page.path if page.netloc == request.get_host() else ""
    read = request.method == "GET" and settings.SESSION_COOKIE_NAME in request.COOKIES
    sign_in = resolve_url(settings.LOGIN_URL)
    if request.htmx or read:
        sign_in += "?lost"
    answer = redirect_to_login(back or settings.LOGIN_REDIRECT_URL, sign_in)
    if not request.htmx:
        return answer
    return HttpResponse(status=401, headers={"HX-Redirect": answer.url})


def space_of(user: User, pk: uuid.UUID | str) -> Space:
    return get_object_or_404(Space.objects.of(user), pk=pk)


def space_administered_by(user: User, pk: uuid.UUID) -> Space:
    return get_object_or_404(Space.objects.administered_by(user), pk=pk)


def is_admin_of(user: User, space: Space) -> bool:
    return Space.objects.administered_by(user).filter(pk=space.pk).exists()


def member_of(space: Space, pk: uuid.UUID) -> Membership:
    return get_object_or_404(
        space.memberships.with_account().select_related("user"), pk=pk
    )


def invitation_of(space: Space, pk: uuid.UUID) -> Invitation:
    return get_object_or_404(space.invitations.filter(used_at=None), pk=pk)


def api_keys_of(user: User, space: Space) -> QuerySet[ApiKey]:
    """Keys that are not revoked: all for admins, their own for members."""
    keys = space.api_keys.filter(revoked_at=None, program=None).select_related("user")
    if not is_admin_of(user, space):
        keys = keys.filter(user=user)
    return keys.order_by("created_at", "pk")


def api_key_of(user: User, space: Space, pk: uuid.UUID) -> ApiKey:
    return get_object_or_404(api_keys_of(user, space), pk=pk)


def program_key_of(user: User, pk: uuid.UUID) -> ApiKey:
    """Of a program that the user has connected."""
    return get_object_or_404(user.api_keys.of_programs(), pk=pk)


def external_user_of(space: Space, pk: uuid.UUID) -> ExternalUser:
    return get_object_or_404(space.external_users.select_related("user"), pk=pk)


def person_of(
    user: User, space: Space | None, pk: uuid.UUID, *, lock: bool = False
) -> Person:
    """`lock` keeps the row locked until the commit."""
    if space is None:
        raise Http404
    found = Person.objects.in_space(space.pk).filter(space__memberships__user=user)
    found = found.select_related("user", "space")
    if lock:
        found = found.select_for_update(of=("self",))
    return get_object_or_404(found, pk=pk)


def person_administered_by(
    user: User, space: Space | None, pk: uuid.UUID, *, deleted: bool = False
) -> Person:
    """`deleted` chooses from the deleted people instead of the others."""
    if space is None:
        raise Http404
    people = Person.objects.filter(space__in=Space.objects.administered_by(user))
    found = people.filter(space=space, deleted_at__isnull=not deleted)
    return get_object_or_404(found.select_related("space"), pk=pk)


def profile_update_of(user: User, space: Space | None, pk: uuid.UUID) -> ProfileUpdate:
    if space is None:
        raise Http404
    found = ProfileUpdate.objects.filter(
        person__in=Person.objects.in_space(space.pk),
        person__space__memberships__user=user,
    )
    return get_object_or_404(found.select_related("person"), pk=pk)


def current_space(request: HttpRequest) -> Space | None:
    """The space chosen here, else the last chosen elsewhere, else the first."""
    if not isinstance(request.user, User):
        return None
    mine = Space.objects.of(request.user)
    chosen = request.session.get(SESSION_KEY)
    found = mine.filter(pk=chosen).first() if chosen else None
    return found or mine.order_by(LAST_CHOSEN, "name", "pk").first()


def switch(request: HttpRequest, space_id: uuid.UUID) -> None:
    """The caller checks membership."""
    request.session[SESSION_KEY] = str(space_id)
    Membership.objects.filter(user=request.user.pk, space=space_id).update(
        chosen_at=timezone.now()
    )


def enter(request: HttpRequest, space: Space) -> None:
    switch(request, space.pk)
    messages.success(request, _("You are now in “%s”.") % space.name)


@transaction.atomic
def create_space(name: str, admin: User, *, memory_page: bool = True) -> Space:
    space = Space.objects.create(name=name, memory_page=memory_page)
    Membership.objects.create(space=space, user=admin, role=Membership.Role.ADMIN)
    return space


@transaction.atomic
def first_space(user: User) -> Space:
    """The user's first space; made with a person for the user if there is none."""
    # A page and its list ask at once.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if found := Space.objects.of(user).first():
        return found
    name = user.get_short_name()
    space = create_space(_("%(name)s's household") % {"name": name}, user)
    Person.objects.create(space=space, user=user, name=name)
    return space


def own_space(request: PageRequest) -> Space:
    """The current space; a user without one gets one."""
    return current_space(request) or first_space(request.user)


def with_space(
    view: Callable[Concatenate[PageRequest, Space, P], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Pass the current space; a user without one gets one."""

    @signed_in
    @wraps(view)
    def inner(request: PageRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        return view(request, own_space(request), *args, **kwargs)

    return inner
