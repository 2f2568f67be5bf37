"""Refusals in the admin as messages."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from people.deletion import BotConnected
from people.members import LastAdmin


class ExplainRefusals:
    """Show LastAdmin and BotConnected as a message; the change is rolled back."""

    def changeform_view(
        self, request: HttpRequest, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        return _or_explain(super().changeform_view, request, *args, **kwargs)  # type: ignore[misc]

    def delete_view(
        self, request: HttpRequest, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        return _or_explain(super().delete_view, request, *args, **kwargs)  # type: ignore[misc]

    def changelist_view(
        self, request: HttpRequest, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        return _or_explain(super().changelist_view, request, *args, **kwargs)  # type: ignore[misc]


def _or_explain(
    view: Callable[..., HttpResponse], request: HttpRequest, *args: Any, **kwargs: Any
) -> HttpResponse:
    try:
        return view(request, *args, **kwargs)
    except LastAdmin as refused:
        text = _(
            "“%(space)s” would be left without an admin. "
            "Make another member an admin first."
        )
        messages.error(request, text % {"space": refused.space.name})
    except BotConnected as refused:
        text = _("“%(space)s” has a Telegram bot. Disconnect it first.")
        messages.error(request, text % {"space": refused.space.name})
    return redirect(request.get_full_path())
