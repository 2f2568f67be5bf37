"""Pages to read."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from conversations.models import Conversation
from conversations.web import chat_page
from conversations.web.access import PageRequest, own_conversation, signed_in
from conversations.web.listing import listing
from meddie.ai import chat
from people.models import Space
from people.spaces import current_space, switch


def render_chat(
    request: PageRequest, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    space: Space = context["space"]
    context["listing"] = listing(request.user.pk, space.pk)
    context["in_chat"] = True
    return render(request, "conversations/show.html", context, status=status)


@require_safe
@signed_in
def new(request: PageRequest) -> HttpResponse:
    """Nothing is stored before the first message."""
    space = current_space(request)
    if space is None:
        return redirect("people:new_space")
    context = chat_page.empty_context(request.user, space, request.GET.get("person"))
    context["offline"] = chat.is_offline()
    if request.htmx:
        return render(request, "conversations/_welcome.html", context)
    return render_chat(request, context)


@require_safe
@signed_in
def show(request: PageRequest, pk: UUID) -> HttpResponse:
    """Opening a conversation of another space switches to that space.

    An open page gets the log if there are messages after its `last` one.
    """
    conversation = own_conversation(request.user, pk)
    if request.htmx:
        return _log_after(request, conversation, request.GET.get("last", ""))
    space = current_space(request)
    if space != conversation.space:
        switch(request, conversation.space_id)
    return render_chat(request, chat_page.conversation_context(conversation))


def _log_after(
    request: PageRequest, conversation: Conversation, last: str
) -> HttpResponse:
    context = chat_page.conversation_context(conversation)
    messages = context["part"].messages
    if messages and last == f"message-{messages[-1].pk}":
        return HttpResponse(status=204)
    return render(request, "conversations/_log.html", context)


@require_safe
@signed_in
def earlier(request: PageRequest, pk: UUID, before: int) -> HttpResponse:
    """A part for the open page, or a page."""
    conversation = own_conversation(request.user, pk)
    context = chat_page.conversation_context(conversation)
    context["part"] = chat_page.log_part(conversation, before)
    if request.htmx:
        return render(request, "conversations/_part.html", context)
    return render_chat(request, {**context, "past": True})


@require_safe
@signed_in
def index(request: PageRequest) -> HttpResponse:
    """A page, or its content for a page that shows it."""
    space = current_space(request)
    if space is None:
        return redirect("people:new_space")
    context = {
        "space": space,
        "listing": listing(
            request.user.pk,
            space.pk,
            query=request.GET.get("q", ""),
            page=request.GET.get("page", ""),
        ),
        "open_id": request.GET.get("conversation", ""),
    }
    if request.htmx:
        return render(request, "conversations/_list_part.html", context)
    return render(request, "conversations/list.html", context)
