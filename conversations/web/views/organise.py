"""The actions of a conversation in the list, and of several at once."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST, require_safe

from conversations.deletion import count_facts_in, forget_facts_in
from conversations.models import Conversation
from conversations.models.conversation import ConversationQuerySet
from conversations.web.access import PageRequest, own_conversation, signed_in
from conversations.web.forms import OrganiseForm
from conversations.web.responses import announce_list, tell
from conversations.web.views.changes import deleted_text, stop_and_delete
from meddie.threads import run_db

TOLD = {
    "pin": gettext_lazy("Pinned:"),
    "unpin": gettext_lazy("Unpinned:"),
    "archive": gettext_lazy("Archived:"),
    "unarchive": gettext_lazy("Back in the list:"),
}
UNDO = {
    "pin": "unpin",
    "unpin": "pin",
    "archive": "unarchive",
    "unarchive": "archive",
}


@require_safe
@signed_in
def actions(request: PageRequest, pk: UUID) -> HttpResponse:
    """What can be done with a conversation, as a menu or a page."""
    name = "_actions.html" if request.htmx else "actions.html"
    context = {"conversation": own_conversation(request.user, pk)}
    return render(request, f"conversations/{name}", context)


@require_POST
@signed_in
async def organise(request: PageRequest) -> HttpResponse:
    form = OrganiseForm(request.POST)
    if not form.is_valid():
        raise Http404
    data = form.cleaned_data
    if data["action"] != "delete":
        return await run_db(_update, request, data)
    own = await run_db(_own_list, request, data)
    if not data["confirmed"]:
        return await run_db(_confirm, request, own)
    # Together first: two of them may state the same fact.
    forgotten = await run_db(forget_facts_in, own) if data["forget"] else 0
    for conversation in own:
        await stop_and_delete(conversation, forget=data["forget"])
    told = {"text": deleted_text(forgotten), "what": _named(own)}
    return await run_db(_done, request, told)


def _own(request: PageRequest, data: dict[str, Any]) -> ConversationQuerySet:
    own = Conversation.objects.reachable_by(request.user.pk)
    return own.filter(pk__in=data["conversation"])


def _own_list(request: PageRequest, data: dict[str, Any]) -> list[Conversation]:
    """Raises Http404 without any."""
    found = list(_own(request, data).select_related("thread").newest())
    if not found:
        raise Http404
    return found


def _update(request: PageRequest, data: dict[str, Any]) -> HttpResponse:
    own, action = _own_list(request, data), data["action"]
    changed = [one.pk for one in own if not _is_done(one, action)]
    getattr(_own(request, data), action)()
    told = {
        "text": TOLD[action],
        "what": _named(own),
        "undo": UNDO[action] if changed else "",
        "keys": changed,
    }
    return _done(request, told)


def _is_done(conversation: Conversation, action: str) -> bool:
    """Whether it was so before."""
    state = conversation.is_pinned if "pin" in action else conversation.is_archived
    return state != action.startswith("un")


def _confirm(request: PageRequest, own: list[Conversation]) -> HttpResponse:
    context = {"conversations": own, "stated": count_facts_in(own)}
    return render(request, "conversations/delete_several.html", context)


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
