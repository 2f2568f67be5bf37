import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID

from django.db import IntegrityError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from conversations.attachments.storage import MOST_FILES, store
from conversations.models import Conversation, Message
from conversations.new_conversation import NotFound, Start, choose_model
from conversations.refusals import TurnRefused, UnreadableForm
from conversations.reply import runner
from conversations.reply.turn import Turn, begin
from conversations.web import chat_page
from conversations.web.forms import MessageForm
from conversations.web.own_rows import own_conversation, unsent_files
from conversations.web.responses import announce_change, composer_note
from conversations.web.views.pages import render_chat
from meddie.threads import run_db
from people.access import PageRequest, current_space, signed_in
from people.models import Space


class AlreadySent(Exception):
    """An earlier request stored this message; its response was lost."""

    def __init__(self, reply: Message) -> None:
        self.reply = reply


@require_POST
@signed_in
async def send(request: PageRequest) -> HttpResponse:
    """The first message begins the conversation."""
    form = MessageForm(request.POST)
    try:
        turn = await start_turn(partial(_begin, request, form))
    except AlreadySent as sent:
        return await run_db(_sent_before, request, sent.reply)
    except TurnRefused as refusal:
        return await run_db(_refused, request, form, refusal)
    return await run_db(_sent, request, turn.reply, files=turn.may_have_files)


def _begin(request: PageRequest, form: MessageForm) -> Turn:
    if not form.is_valid():
        raise UnreadableForm
    data = form.cleaned_data
    uploads = request.FILES.getlist("upload")  # of a page without scripts
    data["attached"] += [
        store(request.user, space_of(request, data), upload.name or "", upload).pk
        for upload in uploads[: MOST_FILES + 1]
    ]
    try:
        return _store(request, data)
    except (TurnRefused, IntegrityError) as error:
        if reply := _earlier_reply(request, data["key"]):
            raise AlreadySent(reply) from error
        if isinstance(error, TurnRefused) or data["key"] is None:
            raise
        # Another user's message has this key, which must not become known.
        return _store(request, data | {"key": None})


def _store(request: PageRequest, data: dict[str, Any]) -> Turn:
    space_id = None
    if not data["conversation"]:
        # A space of the form is checked as the conversation begins.
        space_id = data["space"] or _space(request, data).pk
    turn = begin(
        request.user,
        space_id,
        data["text"],
        conversation_id=data["conversation"],
        start=Start(person_id=data["person"], remember=not data["forgetful"]),
        key=data["key"],
        files=data["attached"],
    )
    choose_model(turn.reply.conversation, data["model"])
    return turn


def space_of(request: PageRequest, data: dict[str, Any]) -> UUID:
    """Raises Http404."""
    if data["conversation"]:
        return own_conversation(request.user, data["conversation"]).space_id
    return _space(request, data).pk


def _space(request: PageRequest, data: dict[str, Any]) -> Space:
    # Another tab may have switched the space since the page was rendered.
    if data["space"]:
        space = Space.objects.of(request.user).filter(pk=data["space"]).first()
    else:
        space = current_space(request)
    if space is None:
        raise Http404
    return space


def _earlier_reply(request: PageRequest, key: UUID | None) -> Message | None:
    if key is None:
        return None
    replies = Message.objects.filter(
        answers=key,
        role=Message.Role.ASSISTANT,
        conversation__in=Conversation.objects.reachable_by(request.user.pk),
    )
    replies = replies.select_related("conversation", "answers").in_order()
    return replies.current().last() or replies.last()


def _sent_before(request: PageRequest, reply: Message) -> HttpResponse:
    if request.htmx and reply.status == Message.Status.SUPERSEDED:
        address = reverse("conversations:show", args=[reply.conversation_id])
        return HttpResponseClientRedirect(address)
    reply.lines = chat_page.lines_under(reply)
    return _sent(request, reply)


def _sent(request: PageRequest, reply: Message, *, files: bool = True) -> HttpResponse:
    if not request.htmx:
        return redirect(reverse("conversations:show", args=[reply.conversation_id]))
    exchange = chat_page.started_exchange(reply, files=files)
    context = {
        "conversation": reply.conversation,
        "space": reply.conversation.space,
        "exchange": exchange,
        "new": not request.POST.get("conversation"),
        **chat_page.day_context(exchange[0]),
    }
    return announce_change(render(request, "conversations/_sent.html", context))


def _refused(
    request: PageRequest, form: MessageForm, refusal: TurnRefused
) -> HttpResponse:
    if request.htmx:
        return composer_note(refusal, refusal.status)
    data = dict.fromkeys(form.fields) | form.cleaned_data
    if data["conversation"]:
        own = own_conversation(request.user, data["conversation"])
        context = chat_page.conversation_context(own)
    else:
        space, person = _space(request, data), str(data["person"] or "")
        context = chat_page.empty_context(request.user, space, person)
    unsent = unsent_files(request.user, data["attached"] or ())
    context |= {"draft": data["text"], "refusal": refusal, "unsent": unsent}
    return render_chat(request, context, status=refusal.status)


_starting: set["asyncio.Task[Turn]"] = set()  # an event loop holds its tasks weakly


async def start_turn(begin: Callable[[], Turn]) -> Turn:
    """Store a turn with `begin` and start its reply. Raises Http404."""

    async def store_and_write() -> Turn:
        turn = await run_db(begin)
        await runner.start(turn)
        return turn

    task = asyncio.create_task(store_and_write())
    _starting.add(task)
    task.add_done_callback(_starting.discard)
    try:
        # A stored turn gets its reply even if the browser disconnects.
        return await asyncio.shield(task)
    except NotFound as error:
        raise Http404 from error
