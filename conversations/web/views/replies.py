"""Buttons of a reply and of the lines under it."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from redis.exceptions import RedisError

from conversations import notes_lines, user_texts
from conversations.models import Feedback, Message
from conversations.reply import runner
from conversations.web.forms import FeedbackForm
from conversations.web.own_rows import own_line, own_message
from conversations.web.responses import composer_note
from meddie.threads import run_db
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
    return _answer_line(
        request, line, notes_lines.changed_since(line) if refused else ""
    )


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
    return _answer_line(request, own_line(request.user, pk))


def _answer_line(
    request: PageRequest, line: Message, refusal: str = ""
) -> HttpResponse:
    if request.htmx:
        context = {"message": line, "refusal": refusal}
        return render(request, "conversations/_saved.html", context)
    if refusal:
        messages.error(request, refusal)
    return redirect("conversations:show", line.conversation_id)


@require_POST
@signed_in
async def stop(request: PageRequest, pk: UUID) -> HttpResponse:
    reply = await run_db(own_message, request.user, pk, role=Message.Role.ASSISTANT)
    try:
        await runner.stop(reply.pk)
    except RedisError:
        return composer_note(user_texts.NO_STOP, 503)
    if request.htmx:
        return HttpResponse(status=204)
    return redirect("conversations:show", reply.conversation_id)


@require_POST
@signed_in
def feedback(request: PageRequest, pk: UUID) -> HttpResponse:
    """Store a rating, then its reason; without a rating, delete both."""
    role = Message.Role.ASSISTANT
    reply = own_message(request.user, pk, "conversation", role=role)
    form = FeedbackForm(request.POST)
    if not form.is_valid():
        return _answer_feedback(
            request, reply, said=_("This is too long to save. Shorten it.")
        )
    rating, reason = form.cleaned_data["rating"], form.cleaned_data["reason"]
    given = Feedback.objects.filter(message=reply, user=request.user)
    if not rating:
        given.delete()
        return _answer_feedback(
            request, reply, said=_("Your feedback has been removed.")
        )
    new = {"rating": rating, "space": reply.conversation.space}
    if "reason" in request.POST:
        new["reason"] = reason
    given.update_or_create(message=reply, user=request.user, defaults=new)
    if "reason" in request.POST:
        return _answer_feedback(
            request, reply, said=_("Thank you. Your feedback is saved.")
        )
    return _answer_feedback(request, reply, asks_reason=True)


def _answer_feedback(
    request: PageRequest,
    reply: Message,
    *,
    asks_reason: bool = False,
    said: str = "",
) -> HttpResponse:
    given = reply.feedback.filter(user=request.user).first()
    shown = {"asks_reason": asks_reason, "said": said}
    context = {"message": reply, "given": given, **shown}
    if request.htmx:
        return render(request, "conversations/_feedback.html", context)
    if asks_reason:
        return render(request, "conversations/feedback.html", context)
    return redirect("conversations:show", reply.conversation_id)
