from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from conversations.examples.household import remove_household
from conversations.web.access import PageRequest, signed_in
from people.access import space_administered_by


@require_POST
@signed_in
def remove(request: PageRequest, pk: UUID) -> HttpResponse:
    """Remove the examples, and keep what was added."""
    remove_household(request.user, space_administered_by(request.user, pk))
    messages.success(request, _("The example data has been removed."))
    return redirect("conversations:new")
