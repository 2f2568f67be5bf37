"""Responses with htmx headers."""

import json

from django.http import HttpResponse


def composer_note(text: object, status: int) -> HttpResponse:
    """A sentence above the composer."""
    return retarget(HttpResponse(text, status=status), "#composer-note")


def retarget(response: HttpResponse, selector: str) -> HttpResponse:
    response.headers["HX-Retarget"] = selector
    response.headers["HX-Reswap"] = "innerHTML"
    return response


def announce_change(response: HttpResponse) -> HttpResponse:
    """Tell the list and other tabs that the conversation has changed."""
    response.headers["HX-Trigger-After-Settle"] = "conversation-moved"
    return response


def announce_list(told: str, **events: object) -> HttpResponse:
    """Tell the lists to load again, and screen readers what happened."""
    response = HttpResponse(status=204)
    response.headers["HX-Trigger"] = json.dumps(
        {"conversations-changed": told} | events
    )
    return response
