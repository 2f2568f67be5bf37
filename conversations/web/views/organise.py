"""The actions of a conversation in the list, and of several at once.

And the removal of the example household.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import (
    require_POST,
    require_safe,
)
from django_htmx.http import HttpResponseClientRedirect
from redis.exceptions import RedisError

from conversations.examples import household_of
from conversations.forgetting.deletion import (
    count_facts_in,
    delete_conversation,
    forget_facts_in,
)
from conversations.models import Conversation
from conversations.models.conversation import ConversationQuerySet
from conversations.reply import runner
from conversations.web.forms import OrganiseForm, RenameForm
from conversations.web.own_rows import own_conversation
from conversations.web.responses import announce_list, read_or_post, retarget, tell
from meddie.threads import run_db
from people.access import PageRequest, signed_in
from people.deletion import BotConnected, delete_spaces


@dataclass(frozen=True, slots=True)
class Action:
    """A change of conversations. `changes`: whether it changes a conversation."""

    run: Callable[[ConversationQuerySet], int]
    changes: Callable[[Conversation], bool]
    told: Any
    undo: str


ACTIONS = {
    "pin": Action(
        run=ConversationQuerySet.pin,
        changes=lambda conversation: not conversation.is_pinned,
        told=gettext_lazy("Pinned:"),
        undo="unpin",
    ),
    "unpin": Action(
        run=ConversationQuerySet.unpin,
        changes=lambda conversation: conversation.is_pinned,
        told=gettext_lazy("Unpinned:"),
        undo="pin",
    ),
    "archive": Action(
        run=ConversationQuerySet.archive,
        changes=lambda conversation: not conversation.is_archived,
        told=gettext_lazy("Archived:"),
        undo="unarchive",
    ),
    "unarchive": Action(
        run=ConversationQuerySet.unarchive,
        changes=lambda conversation: conversation.is_archived,
        told=gettext_lazy("Back in the list:"),
        undo="archive",
    ),
}


@require_safe
@signed_in
def actions(request: PageRequest, pk: UUID) -> HttpResponse:
    """What can be done with a conversation, as a menu or a page."""
    page = {"conversation": own_conversation(request.user, pk)}
    return render(request, "conversations/actions.html", page)


@require_POST
@signed_in
async def organise(request: PageRequest) -> HttpResponse:
    form = OrganiseForm(request.POST)
    if not form.is_valid():
        raise Http404
    data = form.cleaned_data
    if action := ACTIONS.get(data["action"]):
        return await run_db(_run, request, action, data["conversation"])
    if data["action"] != "delete":
        raise Http404
    own = await run_db(_own, request, data["conversation"])
    if not data["confirmed"]:
        return await run_db(_confirm_several, request, own)
    # Together first: two of them may state the same fact.
    forgotten = await run_db(forget_facts_in, own) if data["forget"] else 0
    for conversation in own:
        await stop_and_delete(conversation, forget=data["forget"])
    told = {"text": deleted_text(forgotten), "what": _named(own), "proof": True}
    return await run_db(_done, request, told)


def _own(request: PageRequest, keys: list[UUID]) -> list[Conversation]:
    """Raises Http404 without any."""
    own = Conversation.objects.reachable_by(request.user.pk).filter(pk__in=keys)
    found = list(own.select_related("thread").newest())
    if not found:
        raise Http404
    return found


def _run(request: PageRequest, action: Action, keys: list[UUID]) -> HttpResponse:
    own = _own(request, keys)
    changed = [conversation.pk for conversation in own if action.changes(conversation)]
    reachable = Conversation.objects.reachable_by(request.user.pk)
    action.run(reachable.filter(pk__in=[conversation.pk for conversation in own]))
    told = {
        "text": action.told,
        "what": _named(own),
        "undo": action.undo if changed else "",
        "keys": changed,
    }
    return _done(request, told)


def _confirm_several(request: PageRequest, own: list[Conversation]) -> HttpResponse:
    page = {"conversations": own, "stated": count_facts_in(own)}
    return render(request, "conversations/delete_several.html", page)


def _done(request: PageRequest, told: Mapping[str, object]) -> HttpResponse:
    if request.htmx:
        return announce_list(request, told)
    tell(request, told)
    return redirect("conversations:list")


def _named(own: list[Conversation]) -> str:
    if len(own) == 1:
        return own[0].title or _("New conversation")
    text = ngettext("%(count)s conversation", "%(count)s conversations", len(own))
    return text % {"count": len(own)}


@read_or_post
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


@require_POST
@signed_in
def remember(request: PageRequest, pk: UUID) -> HttpResponse:
    """From the next message on; what was kept stays."""
    conversation = own_conversation(request.user, pk)
    conversation.remember = "forgetful" not in request.POST
    conversation.save(update_fields=["remember"])
    context = {"conversation": conversation, "space": conversation.space}
    return render(request, "conversations/_head.html", context)


@read_or_post
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
        "proof": True,
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


@read_or_post
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
        text = _("Nothing was deleted. Disconnect the household's Telegram bot first.")
        messages.error(request, text)
    else:
        messages.success(request, _("The example household has been removed."))
    return redirect("conversations:new")
