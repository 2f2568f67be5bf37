"""Responses with htmx headers."""

import json
from collections.abc import Mapping

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_http_methods

TOLD_TEMPLATE = "conversations/_told.html"
read_or_post = require_http_methods(["GET", "HEAD", "POST"])


def composer_note(text: object, status: int) -> HttpResponse:
    """A sentence above the composer."""
    return retarget(HttpResponse(text, status=status), "#composer-note")


def retarget(response: HttpResponse, selector: str) -> HttpResponse:
    response.headers["HX-Retarget"] = selector
    response.headers["HX-Reswap"] = "innerHTML"
    return response


def tell(request: HttpRequest, told: Mapping[str, object]) -> None:
    messages.success(request, render_to_string(TOLD_TEMPLATE, told, request))


def announce_change(response: HttpResponse) -> HttpResponse:
    """Tell the list and other tabs that the conversation has changed."""
    response.headers["HX-Trigger-After-Settle"] = "conversation-moved"
    return response


def announce_list(
    request: HttpRequest, told: Mapping[str, object], **events: object
) -> HttpResponse:
    """Tell the user in the frame, and the lists to load again."""
    response = render(request, TOLD_TEMPLATE, told)
    response.headers["HX-Trigger"] = json.dumps({"conversations-changed": ""} | events)
    return retarget(response, "#told")
