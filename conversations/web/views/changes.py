"""Rename or delete a conversation."""

from contextlib import suppress
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from redis.exceptions import RedisError

from conversations.deletion import delete_conversation
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
