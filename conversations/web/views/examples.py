"""Remove the examples of the demo space."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from conversations.examples.household import (
    has_household,
    read_removal,
    remove_household,
)
from people.access import PageRequest, signed_in, space_administered_by
from people.models import Person, Space


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def remove(request: PageRequest, pk: UUID) -> HttpResponse:
    """Confirm, then remove."""
    space = space_administered_by(request.user, pk)
    if request.method != "POST":
        return _confirm(request, space)
    remove_household(request.user, space)
    messages.success(request, _("The example data has been removed."))
    return redirect("conversations:new")


def _confirm(request: PageRequest, space: Space) -> HttpResponse:
    people = Person.objects.in_space(space.pk)
    if not has_household(request.user, space, people):
        raise Http404
    page = {"space": space, "removal": read_removal(request.user, space)}
    return render(request, "conversations/remove_examples.html", page)
