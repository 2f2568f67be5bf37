"""The actions of a conversation in the list, and of several at once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST, require_safe

from conversations.forgetting.deletion import count_facts_in, forget_facts_in
from conversations.models import Conversation
from conversations.models.conversation import ConversationQuerySet
from conversations.web.forms import OrganiseForm
from conversations.web.own_rows import own_conversation
from conversations.web.responses import announce_list, tell
from conversations.web.views.changes import deleted_text, stop_and_delete
from meddie.threads import run_db
from people.access import PageRequest, signed_in


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
        return await run_db(_confirm, request, own)
    # Together first: two of them may state the same fact.
    forgotten = await run_db(forget_facts_in, own) if data["forget"] else 0
    for conversation in own:
        await stop_and_delete(conversation, forget=data["forget"])
    told = {"text": deleted_text(forgotten), "what": _named(own)}
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
    action.run(reachable.filter(pk__in=[one.pk for one in own]))
    told = {
        "text": action.told,
        "what": _named(own),
        "undo": action.undo if changed else "",
        "keys": changed,
    }
    return _done(request, told)


def _confirm(request: PageRequest, own: list[Conversation]) -> HttpResponse:
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
