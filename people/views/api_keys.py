"""The API keys of a space, and its external users."""

import uuid

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from people import api_keys, external_users, mail
from people.access import (
    PageRequest,
    api_key_of,
    api_keys_of,
    external_user_of,
    is_admin_of,
    signed_in,
    space_administered_by,
    space_of,
)
from people.forms import ApiKeyForm
from people.models import Space


@signed_in
@require_http_methods(["GET", "POST"])
def keys(request: PageRequest, pk: uuid.UUID) -> HttpResponse:
    """Show admins all keys, members their own; a POST makes one and shows it, once.

    It answers the POST directly: a redirect would have to store the key.
    """
    space = space_of(request.user, pk)
    is_admin = is_admin_of(request.user, space)
    form = ApiKeyForm(request.POST or None, is_admin=is_admin)
    if request.method == "GET":
        return _render(request, space, form=form)
    if not form.is_valid():
        return _render(request, space, status=422, form=form)
    try:
        _row, key = api_keys.create(space, request.user, **form.cleaned_data)
    except api_keys.TooManyKeys:
        text = _(
            "You have 20 API keys. Revoke one that you do not need, then try again."
        )
        form.add_error(None, text)
        return _render(request, space, status=409, form=form)
    return _render(request, space, new_key=key, form=ApiKeyForm(is_admin=is_admin))


@signed_in
@require_http_methods(["GET", "POST"])
def revoke(request: PageRequest, pk: uuid.UUID, key_pk: uuid.UUID) -> HttpResponse:
    """Confirm, then revoke: admins any key, members their own."""
    space = space_of(request.user, pk)
    key = api_key_of(request.user, space, key_pk)
    if request.method == "GET":
        return render(request, "people/revoke_key.html", {"space": space, "key": key})
    api_keys.revoke(key)
    messages.success(request, _("The key has been revoked."))
    return redirect("people:api_keys", pk)


@signed_in
@require_http_methods(["GET", "POST"])
def remove_external(
    request: PageRequest, pk: uuid.UUID, external_pk: uuid.UUID
) -> HttpResponse:
    """Confirm, then delete an external user with all that is remembered."""
    space = space_administered_by(request.user, pk)
    external = external_user_of(space, external_pk)
    if request.method == "GET":
        page = {"space": space, "external": external}
        return render(request, "people/remove_external_user.html", page)
    external_users.remove_external_user(external)
    messages.success(request, _("The user has been removed."))
    return redirect("people:api_keys", pk)


def _render(
    request: PageRequest, space: Space, *, status: int = 200, **parts: object
) -> HttpResponse:
    page: dict[str, object] = {
        "space": space,
        "base_url": mail.public_url(request, "/v1"),
        "keys": api_keys_of(request.user, space),
        "is_admin": is_admin_of(request.user, space),
    }
    if page["is_admin"]:
        externals = space.external_users.select_related("user")
        page["external_users"] = externals.order_by("created_at", "pk")
    return render(request, "people/api_keys.html", page | parts, status=status)
