"""Answering on a page whether a fact replaces an older one."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from conversations.web.memory_page.fact_page import find_entry
from conversations.web.memory_page.places import back
from conversations.web.memory_page.views import with_memory
from memory import service
from people.access import PageRequest
from people.models import Space
from people.scope import Scope


@require_POST
@with_memory
def answer_doubt(
    request: PageRequest, _space: Space, scope: Scope, pk: UUID
) -> HttpResponse:
    """Replace the older fact, or keep both."""
    if find_entry(request.user, scope, pk) is None:
        raise Http404
    replace = request.POST.get("answer") == "replace"
    service.answer_doubts(scope, [pk], replace=replace)
    messages.success(request, _("Replaced.") if replace else _("Both are kept."))
    return back(request)
