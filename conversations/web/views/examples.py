"""Remove the example household."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from conversations.examples.household import household_of
from people.access import PageRequest, signed_in
from people.deletion import BotConnected, delete_spaces


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def remove(request: PageRequest) -> HttpResponse:
    """Confirm, then delete its space."""
    household = household_of(request.user)
    if household is None:
        raise Http404
    if request.method != "POST":
        page = {"household": household}
        return render(request, "conversations/remove_examples.html", page)
    try:
        delete_spaces([household.pk])
    except BotConnected:
        text = _("Nothing was deleted. Disconnect the space's Telegram bot first.")
        messages.error(request, text)
    else:
        messages.success(request, _("The example household has been removed."))
    return redirect("conversations:new")
