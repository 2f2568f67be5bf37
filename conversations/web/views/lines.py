"""Buttons of the lines under a reply."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from conversations import notes_lines
from conversations.models import Message
from conversations.web.own_rows import own_line
from people.access import PageRequest, signed_in


@require_POST
@signed_in
def undo(request: PageRequest, pk: UUID) -> HttpResponse:
    """Undo what a line tells of, until the next message is sent."""
    line = own_line(request.user, pk)
    if not notes_lines.tells_of_change(line) or line.has_later_user_message():
        raise Http404
    done = notes_lines.undo_line(line, request.user)
    line = own_line(request.user, pk)
    refused = not done and not notes_lines.is_undone(line)
    return _answer(request, line, notes_lines.changed_since(line) if refused else "")


@require_POST
@signed_in
def forget(request: PageRequest, pk: UUID) -> HttpResponse:
    """Forget a memory that a line offers, or all memories if it asks."""
    line = own_line(request.user, pk)
    if line.line_kind == Message.LineKind.FORGET_ALL:
        if line.has_later_user_message():
            raise Http404
        notes_lines.forget_all(line, request.user)
    elif not notes_lines.forget_offered(
        line, request.user, request.POST.get("memory", "")
    ):
        raise Http404
    return _answer(request, own_line(request.user, pk))


def _answer(request: PageRequest, line: Message, refusal: str = "") -> HttpResponse:
    if request.htmx:
        context = {"message": line, "refusal": refusal}
        return render(request, "conversations/_saved.html", context)
    if refusal:
        messages.error(request, refusal)
    return redirect("conversations:show", line.conversation_id)
