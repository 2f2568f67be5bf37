"""Rename or delete a conversation, and remove the example household."""

from contextlib import suppress
from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect
from redis.exceptions import RedisError

from conversations.examples.household import household_of
from conversations.forgetting.deletion import count_facts_in, delete_conversation
from conversations.models import Conversation
from conversations.reply import runner
from conversations.web.forms import RenameForm
from conversations.web.own_rows import own_conversation
from conversations.web.responses import announce_list, retarget, tell
from meddie.threads import run_db
from people.access import PageRequest, signed_in
from people.deletion import BotConnected, delete_spaces


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def rename(request: PageRequest, pk: UUID) -> HttpResponse:
    conversation = own_conversation(request.user, pk)
    form = RenameForm(request.POST or None, initial={"title": conversation.title})
    if form.is_valid():
        conversation.title = form.cleaned_data["title"]
        conversation.renamed = True
        conversation.save(update_fields=["title", "renamed"])
        if request.htmx:
            renamed = {"key": str(pk), "title": conversation.title}
            told = {"text": _("Renamed:"), "what": conversation.title}
            return announce_list(request, told, **{"conversation-renamed": renamed})
        return redirect("conversations:show", pk)
    page = {"conversation": conversation, "form": form}
    status = 422 if form.is_bound else 200
    answer = render(request, "conversations/rename.html", page, status=status)
    return retarget(answer, "#dialog")


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
async def delete(request: PageRequest, pk: UUID) -> HttpResponse:
    """Confirm, then delete and stop an active reply."""
    if request.method != "POST":
        return await run_db(_confirm, request, pk)
    forget = bool(request.POST.get("forget"))
    conversation = await run_db(own_conversation, request.user, pk)
    stated = await run_db(count_facts_in, [conversation]) if forget else 0
    await stop_and_delete(conversation, forget=forget)
    told = {
        "text": deleted_text(stated),
        "what": conversation.title or _("New conversation"),
    }
    if request.htmx and str(pk) not in (request.htmx.current_url or ""):
        return await run_db(announce_list, request, told)
    await run_db(tell, request, told)
    if request.htmx:
        return HttpResponseClientRedirect(reverse("conversations:new"))
    return redirect("conversations:new")


async def stop_and_delete(conversation: Conversation, *, forget: bool = False) -> None:
    delete_it = partial(delete_conversation, conversation, forget=forget)
    for reply_id in await run_db(delete_it):
        with suppress(RedisError):  # its runner finds within a second that it is gone
            await runner.stop(reply_id)


def _confirm(request: PageRequest, pk: UUID) -> HttpResponse:
    conversation = own_conversation(request.user, pk)
    page = {"conversation": conversation, "stated": count_facts_in([conversation])}
    return render(request, "conversations/delete.html", page)


def deleted_text(forgotten: int) -> str:
    if not forgotten:
        return _("Deleted for good:")
    text = ngettext(
        "Deleted for good, and %(count)d thing forgotten:",
        "Deleted for good, and %(count)d things forgotten:",
        forgotten,
    )
    return text % {"count": forgotten}


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def remove_examples(request: PageRequest) -> HttpResponse:
    """Confirm, then delete its space."""
    household = household_of(request.user)
    if household is None:
        raise Http404
    if request.method != "POST":
        page = {"household": household}
        return render(request, "conversations/remove_examples.html", page)
    try:
        delete_spaces([household.pk])
    except BotConnected:
        text = _("Nothing was deleted. Disconnect the space's Telegram bot first.")
        messages.error(request, text)
    else:
        messages.success(request, _("The example household has been removed."))
    return redirect("conversations:new")
