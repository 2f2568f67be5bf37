"""Changes to a person's notes, and undo."""

import uuid

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from people import profile_updates
from people.access import PageRequest, person_of, profile_update_of, signed_in
from people.spaces import current_space

PAGE = 50


@signed_in
@require_safe
def history(request: PageRequest, pk: uuid.UUID) -> HttpResponse:
    person = person_of(request.user, current_space(request), pk)
    updates = person.profile_updates.select_related("author", "person")
    page = Paginator(updates.order_by("-created_at", "-pk"), PAGE).get_page(
        request.GET.get("page")
    )
    return render(request, "people/history.html", {"person": person, "page": page})


@signed_in
@require_POST
def undo(request: PageRequest, pk: uuid.UUID) -> HttpResponse:
    update = profile_update_of(request.user, current_space(request), pk)
    if profile_updates.undo_update(update, request.user):
        messages.success(request, _("The change has been undone."))
    else:
        messages.error(
            request,
            _("The notes have changed since, so this could not be undone."),
        )
    return redirect("people:history", update.person_id)
