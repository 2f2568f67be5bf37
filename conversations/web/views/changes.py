"""Rename or delete a conversation; undo a change to a person's notes."""

from contextlib import suppress
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST
from redis.exceptions import RedisError

from conversations import user_texts
from conversations.deletion import delete_conversation
from conversations.models import Message
from conversations.reply import runner
from conversations.web.access import (
    PageRequest,
    own_conversation,
    own_message,
    signed_in,
)
from conversations.web.forms import RenameForm
from meddie.threads import run_db
from people import profile_updates
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
    for reply_id in await run_db(_delete, request.user, pk):
        with suppress(RedisError):  # its runner finds within a second that it is gone
            await runner.stop(reply_id)
    await run_db(messages.success, request, _("The conversation has been deleted."))
    return redirect("conversations:new")


def _confirm(request: PageRequest, pk: UUID) -> HttpResponse:
    conversation = own_conversation(request.user, pk)
    name = "_delete.html" if request.htmx else "delete.html"
    return render(request, f"conversations/{name}", {"conversation": conversation})


def _delete(user: User, pk: UUID) -> list[UUID]:
    return delete_conversation(own_conversation(user, pk))


@require_POST
@signed_in
def undo(request: PageRequest, pk: UUID) -> HttpResponse:
    """Undo a change to a person's notes, until the next message is sent."""
    line = own_message(
        request.user, pk, "profile_update__person", role=Message.Role.SYSTEM
    )
    if line.profile_update is None or line.has_later_user_message():
        raise Http404
    done = profile_updates.undo_update(line.profile_update, request.user)
    line.profile_update.refresh_from_db()
    refusal = (
        "" if done or line.profile_update.reverted_at else user_texts.CHANGED_SINCE
    )
    if request.htmx:
        context = {"message": line, "refusal": refusal}
        return render(request, "conversations/_saved.html", context)
    if refusal:
        messages.error(request, str(refusal))
    return redirect("conversations:show", line.conversation_id)
