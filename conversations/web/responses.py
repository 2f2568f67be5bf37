"""Responses that htmx puts elsewhere than where the request asked for."""

from django.http import HttpResponse


def composer_note(text: object, status: int) -> HttpResponse:
    """A sentence above the composer."""
    return retarget(HttpResponse(text, status=status), "#composer-note")


def retarget(response: HttpResponse, selector: str) -> HttpResponse:
    """Fill the element that `selector` names."""
    response.headers["HX-Retarget"] = selector
    response.headers["HX-Reswap"] = "innerHTML"
    return response


def moved_on(response: HttpResponse) -> HttpResponse:
    """Tell the list and the user's other tabs that the conversation has changed."""
    response.headers["HX-Trigger-After-Settle"] = "conversation-moved"
    return response
