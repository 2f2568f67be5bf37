"""The current space of a request, and new spaces."""

import uuid
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from people.access import PageRequest, signed_in
from people.models import Membership, Space, User

SESSION_KEY = "space"

P = ParamSpec("P")


def current_space(request: HttpRequest) -> Space | None:
    """The chosen space, if the user is in it, else the first."""
    if not isinstance(request.user, User):
        return None
    mine = Space.objects.of(request.user)
    chosen = request.session.get(SESSION_KEY)
    found = mine.filter(pk=chosen).first() if chosen else None
    return found or mine.first()


def switch(request: HttpRequest, space_id: uuid.UUID) -> None:
    """The caller checks membership."""
    request.session[SESSION_KEY] = str(space_id)


def enter(request: HttpRequest, space: Space) -> None:
    switch(request, space.pk)
    messages.success(request, _("You are now in “%s”.") % space.name)


@transaction.atomic
def create_space(name: str, admin: User) -> Space:
    space = Space.objects.create(name=name)
    Membership.objects.create(space=space, user=admin, role=Membership.Role.ADMIN)
    return space


def first_name_for(user: User) -> str:
    return _("%(name)s's health") % {"name": user.get_short_name()}


def with_space(
    view: Callable[Concatenate[PageRequest, Space, P], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Pass the current space; without one, redirect to create one."""

    @signed_in
    @wraps(view)
    def inner(request: PageRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        space = current_space(request)
        if space is None:
            return redirect("people:new_space")
        return view(request, space, *args, **kwargs)

    return inner
