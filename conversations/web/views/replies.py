"""Buttons of a message, a reply and the lines under it."""

from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    require_POST,
    require_safe,
)
from redis.exceptions import RedisError

from conversations import user_texts
from conversations.models import Feedback, Message
from conversations.new_conversation import NotFound
from conversations.refusals import TurnRefused
from conversations.reply import about_whom, change_lines, confirmations, revise, runner
from conversations.web import chat_page
from conversations.web.forms import FeedbackForm
from conversations.web.own_rows import (
    own_conversation,
    own_line,
    own_message,
    own_version,
)
from conversations.web.responses import (
    announce_change,
    composer_note,
    read_or_post,
    retarget,
)
from conversations.web.views.pages import render_chat
from conversations.web.views.send import start_turn
from meddie.threads import run_db
from people.access import PageRequest, signed_in


@require_safe
@signed_in
def line(request: PageRequest, pk: UUID) -> HttpResponse:
    """The line for an open page, which asks again while there may be more to tell."""
    found = own_line(request.user, pk)
    if not change_lines.has_update(found):
        return HttpResponse(status=204)
    context = {"message": found, "fresh": True}
    return render(request, "conversations/_saved.html", context)


@require_POST
@signed_in
def undo(request: PageRequest, pk: UUID) -> HttpResponse:
    """Undo what a line tells of, until the next message is sent."""
    line = own_line(request.user, pk)
    if not change_lines.tells_of_change(line) or line.has_later_user_message():
        raise Http404
    done = change_lines.undo_line(line, request.user)
    line = own_line(request.user, pk)
    refused = not done and not change_lines.is_undone(line)
    return _answer_line(
        request, line, change_lines.changed_since(line) if refused else ""
    )


@require_POST
@signed_in
def forget(request: PageRequest, pk: UUID) -> HttpResponse:
    """Forget a memory that a line offers."""
    line = own_line(request.user, pk)
    chosen = request.POST.get("memory", "")
    if not change_lines.forget_offered(line, request.user, chosen):
        raise Http404
    return _answer_line(request, own_line(request.user, pk))


@require_POST
@signed_in
def answer(request: PageRequest, pk: UUID) -> HttpResponse:
    """Do what a line asks, or leave it, until the next message is sent."""
    line, said = own_line(request.user, pk), request.POST.get("answer")
    if "about" in request.POST:
        return _answer_about(request, line, request.POST["about"])
    if (
        not confirmations.waits(line)
        or line.has_later_user_message()
        or said not in {"yes", "no"}
    ):
        raise Http404
    try:
        confirmations.answer_line(line, request.user, agrees=said == "yes")
    except NotFound as error:
        raise Http404 from error
    return _answer_line(request, own_line(request.user, pk))


def _answer_about(request: PageRequest, line: Message, chosen: str) -> HttpResponse:
    if line.has_later_user_message() or not about_whom.answer(
        line, request.user, chosen
    ):
        raise Http404
    return _answer_line(request, own_line(request.user, line.pk))


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


@require_POST
@signed_in
async def regenerate(request: PageRequest, pk: UUID) -> HttpResponse:
    reply = await run_db(_own, request, pk, Message.Role.ASSISTANT)
    begin = partial(revise.regenerate, request.user, reply.conversation.space_id, pk)
    try:
        turn = await start_turn(begin)
    except TurnRefused as refusal:
        return await run_db(_refused, request, reply.conversation_id, refusal)
    return await run_db(_log, request, turn.conversation_id)


@read_or_post
@signed_in
async def edit(request: PageRequest, pk: UUID) -> HttpResponse:
    message = await run_db(_own, request, pk, Message.Role.USER)
    if request.method != "POST":
        return await run_db(_form, request, message, message.content)
    text, space_id = request.POST.get("text", ""), message.conversation.space_id
    try:
        turn = await start_turn(partial(revise.edit, request.user, space_id, pk, text))
    except TurnRefused as refusal:
        return await run_db(_form, request, message, text, refusal)
    return await run_db(_log, request, turn.conversation_id)


@require_POST
@signed_in
def use_version(request: PageRequest, pk: UUID) -> HttpResponse:
    """Make a version of a message or a reply current."""
    version = own_version(request.user, pk)
    conversation_id, space_id = version.conversation_id, version.conversation.space_id
    try:
        revise.use_version(request.user, space_id, pk)
    except NotFound as error:
        raise Http404 from error
    except TurnRefused as refusal:
        return _refused(request, conversation_id, refusal)
    return _log(request, conversation_id)


def _own(request: PageRequest, pk: UUID, role: str) -> Message:
    return own_message(request.user, pk, "conversation", role=role)


def _log(request: PageRequest, conversation_id: UUID) -> HttpResponse:
    if not request.htmx:
        return redirect("conversations:show", conversation_id)
    context = chat_page.conversation_context(
        own_conversation(request.user, conversation_id)
    )
    return announce_change(render(request, "conversations/_log.html", context))


def _refused(
    request: PageRequest, conversation_id: UUID, refusal: TurnRefused
) -> HttpResponse:
    if request.htmx:
        return composer_note(refusal, refusal.status)
    own = own_conversation(request.user, conversation_id)
    context = chat_page.conversation_context(own) | {"refusal": refusal}
    return render_chat(request, context, status=refusal.status)


def _form(
    request: PageRequest,
    message: Message,
    text: str,
    refusal: TurnRefused | None = None,
) -> HttpResponse:
    later = revise.later_messages(message).count()
    context = {"message": message, "text": text, "later": later}
    context["refusal"] = refusal or ""
    status = refusal.status if refusal else 200
    answer = render(request, "conversations/edit.html", context, status=status)
    return retarget(answer, "#dialog")
