"""Turns to take: send, write anew, say it differently, stop.

These are coroutines because the reply is written by a task of this event loop, which
lives on when the browser is gone. Everything of the database happens in `run_db`.
"""

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any
from uuid import UUID

from django.db import IntegrityError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST
from redis.exceptions import RedisError

from conversations import user_texts
from conversations.models import Conversation, Message
from conversations.new_conversation import NotFound, Opening
from conversations.refusals import TurnRefused, Unreadable
from conversations.reply import runner
from conversations.reply.turn import Turn, begin
from conversations.reply.turn import edit as edit_turn
from conversations.reply.turn import regenerate as regenerate_turn
from conversations.web import chat_page
from conversations.web.access import (
    ChatRequest,
    own_conversation,
    own_message,
    signed_in,
)
from conversations.web.forms import MessageForm
from conversations.web.views.pages import render_chat
from meddie.threads import run_db
from people.models import Space
from people.spaces import current_space

_beginnings: set[asyncio.Task[Turn | HttpResponse]] = set()
"""A loop holds its tasks weakly."""


@require_POST
@signed_in
async def send(request: ChatRequest) -> HttpResponse:
    """Store a message and start its reply; the first one begins the conversation."""
    return await _answer(request, _send, _sent)


@require_POST
@signed_in
async def regenerate(request: ChatRequest, pk: UUID) -> HttpResponse:
    """Write the last reply anew."""
    return await _answer(request, partial(_regenerate, pk=pk), _log_anew)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
async def edit(request: ChatRequest, pk: UUID) -> HttpResponse:
    """Take a message and all behind it back and send other words in its place."""
    if request.method != "POST":
        return await run_db(_edit_form, request, pk)
    return await _answer(request, partial(_edit, pk=pk), _log_anew)


@require_POST
@signed_in
async def stop(request: ChatRequest, pk: UUID) -> HttpResponse:
    """Ask for a reply to stop, in whichever process it is written."""
    reply = await run_db(own_message, request.user, pk, role=Message.Role.ASSISTANT)
    try:
        await runner.stop(reply.pk)
    except RedisError:
        return _sentence(user_texts.NO_STOP, 503)
    if request.htmx:
        return HttpResponse(status=204)
    return redirect("conversations:show", reply.conversation_id)


def _edit_form(request: ChatRequest, pk: UUID) -> HttpResponse:
    message = own_message(request.user, pk, role=Message.Role.USER)
    return _edit_page(request, message, message.content)


async def _answer(
    request: ChatRequest,
    take: Callable[[ChatRequest], Turn | HttpResponse],
    show: Callable[[ChatRequest, Turn], HttpResponse],
) -> HttpResponse:
    """Take the turn or refuse it; the model is asked before anything is shown."""
    taken = await _whoever_waits(_begun(request, take))
    if isinstance(taken, HttpResponse):
        return taken
    return await run_db(show, request, taken)


async def _begun(
    request: ChatRequest, take: Callable[[ChatRequest], Turn | HttpResponse]
) -> Turn | HttpResponse:
    taken = await run_db(take, request)
    if isinstance(taken, Turn):
        await runner.start(taken)
    return taken


async def _whoever_waits(
    beginning: Coroutine[Any, Any, Turn | HttpResponse],
) -> Turn | HttpResponse:
    """Go through with it also when the browser leaves meanwhile: what is stored of a
    turn has a reply that somebody writes."""
    task = asyncio.create_task(beginning)
    _beginnings.add(task)
    task.add_done_callback(_beginnings.discard)
    return await asyncio.shield(task)


def _send(request: ChatRequest) -> Turn | HttpResponse:
    form = MessageForm(request.POST)
    readable = form.is_valid()
    said: dict[str, Any] = dict.fromkeys(form.fields) | form.cleaned_data
    if not readable:
        return _refuse_send(request, said, Unreadable())
    return _take(request, said)


def _take(request: ChatRequest, said: dict[str, Any]) -> Turn | HttpResponse:
    take = _go_on if said["conversation"] else _begin_new
    try:
        return take(request, said)
    except NotFound as error:
        raise Http404 from error
    except TurnRefused as refusal:
        return _taken_before(request, said) or _refuse_send(request, said, refusal)
    except IntegrityError:
        if taken := _taken_before(request, said):
            return taken
        if said["key"] is None:
            raise
        # Somebody else's message has that key, which is nobody's business.
        return _take(request, said | {"key": None})


def _taken_before(request: ChatRequest, said: dict[str, Any]) -> HttpResponse | None:
    """The turn of this very message, where the answer to it got lost on its way."""
    if said["key"] is None:
        return None
    own = Conversation.objects.reachable_by(request.user.pk)
    replies = Message.objects.current().filter(
        answers=said["key"], role=Message.Role.ASSISTANT, conversation__in=own
    )
    reply = replies.select_related("conversation", "answers").in_order().last()
    if reply is None:
        return None
    return _sent(request, Turn(reply, reply.pk), *chat_page.said_about(reply))


def _go_on(request: ChatRequest, said: dict[str, Any]) -> Turn:
    pk = said["conversation"]
    own = Conversation.objects.reachable_by(request.user.pk).filter(pk=pk)
    space_id = own.values_list("space_id", flat=True).first()
    if space_id is None:
        raise NotFound
    return begin(
        request.user, space_id, said["text"], conversation_id=pk, key=said["key"]
    )


def _begin_new(request: ChatRequest, said: dict[str, Any]) -> Turn:
    space = _space(request, said)
    opening = Opening(person_id=said["person"], remember=not said["forgetful"])
    return begin(request.user, space.pk, said["text"], opening=opening, key=said["key"])


def _space(request: ChatRequest, said: dict[str, Any]) -> Space:
    """The space of the page that was written on: another tab may have gone elsewhere."""
    if said["space"]:
        space = Space.objects.of(request.user).filter(pk=said["space"]).first()
    else:
        space = current_space(request)
    if space is None:
        raise Http404
    return space


def _sent(request: ChatRequest, turn: Turn, *lines: Message) -> HttpResponse:
    page = reverse("conversations:show", args=[turn.conversation_id])
    if not request.htmx:
        return redirect(page)
    context = {
        "conversation": turn.reply.conversation,
        "exchange": [*chat_page.begun_exchange(turn), *lines],
        "new": not request.POST.get("conversation"),
    }
    response = render(request, "conversations/_sent.html", context)
    response.headers["HX-Trigger-After-Settle"] = "talk-moved"
    return response


def _refuse_send(
    request: ChatRequest, said: dict[str, Any], refusal: TurnRefused
) -> HttpResponse:
    if request.htmx:
        return _sentence(refusal, refusal.status)
    if said["conversation"]:
        own = own_conversation(request.user, said["conversation"])
        context = chat_page.of_conversation(own)
    else:
        person = str(said["person"] or "")
        context = chat_page.of_nothing_yet(request.user, _space(request, said), person)
    context |= {"draft": said["text"], "refusal": refusal}
    return render_chat(request, context, status=refusal.status)


def _regenerate(request: ChatRequest, pk: UUID) -> Turn | HttpResponse:
    reply = own_message(request.user, pk, "conversation", role=Message.Role.ASSISTANT)
    try:
        return regenerate_turn(request.user, reply.conversation.space_id, pk)
    except NotFound as error:
        raise Http404 from error
    except TurnRefused as refusal:
        if request.htmx:
            return _sentence(refusal, refusal.status)
        own = own_conversation(request.user, reply.conversation_id)
        context = chat_page.of_conversation(own) | {"refusal": refusal}
        return render_chat(request, context, status=refusal.status)


def _edit(request: ChatRequest, pk: UUID) -> Turn | HttpResponse:
    message = own_message(request.user, pk, "conversation", role=Message.Role.USER)
    text = request.POST.get("text", "")
    try:
        return edit_turn(request.user, message.conversation.space_id, pk, text)
    except NotFound as error:
        raise Http404 from error
    except TurnRefused as refusal:
        return _edit_page(request, message, text, str(refusal), refusal.status)


def _edit_page(
    request: ChatRequest,
    message: Message,
    text: str,
    refusal: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {"message": message, "text": text, "refusal": refusal}
    name = "conversations/_edit.html" if request.htmx else "conversations/edit.html"
    response = render(request, name, context, status=status)
    if refusal and request.htmx:
        _into(response, "#dialog")
    return response


def _sentence(sentence: object, status: int) -> HttpResponse:
    """A sentence for the place above the composer."""
    return _into(HttpResponse(sentence, status=status), "#composer-note")


def _into(response: HttpResponse, place: str) -> HttpResponse:
    response.headers["HX-Retarget"] = place
    response.headers["HX-Reswap"] = "innerHTML"
    return response


def _log_anew(request: ChatRequest, turn: Turn) -> HttpResponse:
    """The whole log again: what was superseded is gone from it."""
    if not request.htmx:
        return redirect("conversations:show", turn.conversation_id)
    own = own_conversation(request.user, turn.conversation_id)
    context = chat_page.of_conversation(own)
    response = render(request, "conversations/_log.html", context)
    response.headers["HX-Trigger-After-Settle"] = "talk-moved"
    return response
