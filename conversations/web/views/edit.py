"""Regenerate the last reply, edit a message, or go back to a version of them."""

from functools import partial
from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from conversations.models import Message
from conversations.new_conversation import NotFound
from conversations.refusals import TurnRefused
from conversations.reply import revise
from conversations.web import chat_page
from conversations.web.own_rows import own_conversation, own_message, own_version
from conversations.web.responses import announce_change, composer_note, retarget
from conversations.web.views.pages import render_chat
from conversations.web.views.send import start_turn
from meddie.threads import run_db
from people.access import PageRequest, signed_in


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


@require_http_methods(["GET", "HEAD", "POST"])
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
