"""Pages to read."""

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from conversations.models import Message
from conversations.reply.turn import LONGEST_MESSAGE
from conversations.web import chat_page
from conversations.web.listing import listing
from conversations.web.own_rows import own_conversation, own_message
from conversations.web.takeout.transcripts import (
    markdown_transcript,
    transcript_file_name,
)
from meddie.text import storable
from people.access import (
    PageRequest,
    current_space,
    own_space,
    signed_in,
    switch,
)


def render_chat(
    request: PageRequest, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    return render(request, "conversations/show.html", context, status=status)


@require_safe
@signed_in
def new(request: PageRequest) -> HttpResponse:
    """Nothing is stored before the first message, of which `text` is a draft."""
    space = own_space(request)
    context = chat_page.empty_context(request.user, space, request.GET.get("person"))
    context["draft"] = storable(request.GET.get("text", ""))[:LONGEST_MESSAGE]
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
        context = chat_page.conversation_context(conversation)
        last = context["part"].last
        if last and request.GET.get("last") == f"message-{last.pk}":
            return HttpResponse(status=204)
        return render(request, "conversations/_log.html", context)
    space = current_space(request)
    if space != conversation.space:
        switch(request, conversation.space_id)
    return render_chat(request, chat_page.conversation_context(conversation))


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
def message(request: PageRequest, pk: UUID) -> HttpResponse:
    """Redirect to the message, with the searched words, and its neighbours."""
    found = own_message(request.user, pk)
    searched = request.GET.get("q", "")
    words = f"?{urlencode({'q': searched})}" if searched else ""
    key, place = found.conversation_id, f"{words}#message-{pk}"
    later = Message.objects.current().filter(conversation=key, seq__gt=found.seq)
    if later.count() < chat_page.PAGE_SIZE:
        return redirect(reverse("conversations:show", args=[key]) + place)
    before = found.seq + chat_page.PAGE_SIZE // 2
    return redirect(reverse("conversations:earlier", args=[key, before]) + place)


@require_safe
@signed_in
def index(request: PageRequest) -> HttpResponse:
    """A page, its list, or the list of the rail."""
    space = own_space(request)
    asked = request.GET
    context = {
        "listing": listing(
            request.user.pk,
            space.pk,
            query=asked.get("q", ""),
            page=asked.get("page", ""),
            archived="archived" in asked,
        ),
        "open_id": asked.get("conversation", ""),
        "selected": asked.get("select"),
    }
    if not request.htmx:
        return render(request, "conversations/list.html", context)
    rail = request.htmx.target != "library"
    return render(
        request, f"conversations/{'_rail_list' if rail else '_library'}.html", context
    )


@require_safe
@signed_in
def keys(request: PageRequest) -> HttpResponse:
    """The keyboard shortcuts."""
    return render(request, "conversations/keys.html")


@require_safe
@signed_in
def export(request: PageRequest, pk: UUID) -> HttpResponse:
    conversation = own_conversation(request.user, pk)
    name = content_disposition_header(
        as_attachment=True, filename=transcript_file_name(conversation)
    )
    return HttpResponse(
        markdown_transcript(conversation),
        content_type="text/markdown; charset=utf-8",
        headers={"Content-Disposition": str(name)},
    )
