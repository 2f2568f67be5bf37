"""The space that a request is about, and how spaces begin."""

import uuid
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from people.models import Membership, Space, User
from people.requests import SignedInRequest

SESSION_KEY = "space"

P = ParamSpec("P")


def current_space(request: HttpRequest) -> Space | None:
    """The space that was switched to, as long as the user is in it; else the first."""
    if not isinstance(request.user, User):
        return None
    mine = Space.objects.of(request.user)
    chosen = request.session.get(SESSION_KEY)
    found = mine.filter(pk=chosen).first() if chosen else None
    return found or mine.first()


def switch(request: HttpRequest, space_id: uuid.UUID) -> None:
    """Go on in this space. The caller has made sure that the user is in it."""
    request.session[SESSION_KEY] = str(space_id)


@transaction.atomic
def create(name: str, admin: User) -> Space:
    """Start a space with its first admin."""
    space = Space.objects.create(name=name)
    Membership.objects.create(space=space, user=admin, role=Membership.Role.ADMIN)
    return space


def first_name_for(user: User) -> str:
    """What a user's first space is called unless they say otherwise."""
    return _("%(name)s's health") % {"name": user.get_short_name()}


def with_space(
    view: Callable[Concatenate[SignedInRequest, Space, P], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Give the view the current space; who has none is asked to create one."""

    @login_required
    @wraps(view)
    def inner(
        request: SignedInRequest, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponse:
        space = current_space(request)
        if space is None:
            return redirect("people:new_space")
        return view(request, space, *args, **kwargs)

    return inner
