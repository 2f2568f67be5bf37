"""Where dialogs of facts lead back to, and the note with Undo there."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import NoReverseMatch, reverse

from conversations.web.responses import tell
from people.access import PageRequest

YOU = "you"
PARTS = ("q", "about", "kind", "sort", "page", "select", "person")


def shown_part(request: PageRequest) -> dict[str, str]:
    """The part of the list that the user looks at, or the `person` of a page."""
    return {name: request.GET[name] for name in PARTS if request.GET.get(name)}


def address_of(shown: dict[str, str]) -> str:
    person = shown.get("person", "")
    if person == YOU:
        return reverse("people:you")
    try:
        if person:
            return reverse("people:person", args=[person])
    except NoReverseMatch:
        shown = {name: part for name, part in shown.items() if name != "person"}
    address, query = reverse("memory_page:index"), urlencode(shown)
    return f"{address}?{query}" if query else address


def back(request: PageRequest) -> HttpResponse:
    return redirect(address_of(shown_part(request)))


def dialog(
    request: PageRequest, name: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    shown = shown_part(request)
    context |= {"back": urlencode(shown), "back_address": address_of(shown)}
    return render(request, f"conversations/memory/{name}.html", context, status=status)


def tell_forgotten(request: PageRequest, text: str) -> None:
    tell(request, {"text": text, "proof": True})


def tell_undoable(
    request: PageRequest,
    text: str,
    what: str = "",
    *,
    address: str,
    fields: Iterable[tuple[str, str]] = (),
) -> None:
    """Say what was done; Undo posts the fields."""
    query = urlencode(shown_part(request))
    told = {
        "text": text,
        "what": what,
        "address": f"{address}?{query}",
        "fields": fields,
    }
    note = render_to_string("conversations/memory/_undo.html", told, request)
    messages.success(request, note)
