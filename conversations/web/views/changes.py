"""Rename or delete a conversation."""

from contextlib import suppress
from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods
from redis.exceptions import RedisError

from conversations.deletion import delete_conversation, facts_stated_in
from conversations.reply import runner
from conversations.web.access import (
    PageRequest,
    own_conversation,
    signed_in,
)
from conversations.web.forms import RenameForm
from meddie.threads import run_db
from people.models import User


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def rename(request: PageRequest, pk: UUID) -> HttpResponse:
    conversation = own_conversation(request.user, pk)
    form = RenameForm(request.POST or None, initial={"title": conversation.title})
    if form.is_valid():
        conversation.title = form.cleaned_data["title"]
        conversation.save(update_fields=["title"])
        return redirect("conversations:show", pk)
    name = "_rename.html" if request.htmx else "rename.html"
    context = {"conversation": conversation, "form": form}
    return render(request, f"conversations/{name}", context)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
async def delete(request: PageRequest, pk: UUID) -> HttpResponse:
    """Confirm, then delete and stop an active reply."""
    if request.method != "POST":
        return await run_db(_confirm, request, pk)
    forget = bool(request.POST.get("forget"))
    streaming, told = await run_db(partial(_delete, request.user, pk, forget=forget))
    for reply_id in streaming:
        with suppress(RedisError):  # its runner finds within a second that it is gone
            await runner.stop(reply_id)
    await run_db(messages.success, request, told)
    return redirect("conversations:new")


def _confirm(request: PageRequest, pk: UUID) -> HttpResponse:
    conversation = own_conversation(request.user, pk)
    name = "_delete.html" if request.htmx else "delete.html"
    context = {
        "conversation": conversation,
        "stated": len(facts_stated_in(conversation)),
    }
    return render(request, f"conversations/{name}", context)


def _delete(user: User, pk: UUID, *, forget: bool) -> tuple[list[UUID], str]:
    """Active replies, and what to tell the user."""
    conversation = own_conversation(user, pk)
    stated = len(facts_stated_in(conversation)) if forget else 0
    streaming = delete_conversation(conversation, forget=forget)
    return streaming, deleted_text(stated)


def deleted_text(forgotten: int) -> str:
    if not forgotten:
        return _("The conversation has been deleted.")
    text = ngettext(
        "The conversation has been deleted, and %(count)d thing you said in it forgotten.",
        "The conversation has been deleted, and %(count)d things you said in it forgotten.",
        forgotten,
    )
    return text % {"count": forgotten}
