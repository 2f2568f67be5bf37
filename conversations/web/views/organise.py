"""The actions of a conversation in the list, and of several at once."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from conversations.deletion import facts_stated_in
from conversations.models import Conversation
from conversations.models.conversation import ConversationQuerySet
from conversations.web.access import PageRequest, own_conversation, signed_in
from conversations.web.forms import OrganiseForm
from conversations.web.responses import announce_list
from conversations.web.views.changes import stop_and_delete
from meddie.threads import run_db


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
    for conversation in own:
        await stop_and_delete(conversation, forget=data["forget"])
    return await run_db(_done, request, "delete", len(own))


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
    count = getattr(_own(request, data), data["action"])()
    if not count:
        raise Http404
    return _done(request, data["action"], count)


def _confirm(request: PageRequest, own: list[Conversation]) -> HttpResponse:
    stated = sum(len(facts_stated_in(conversation)) for conversation in own)
    context = {"conversations": own, "stated": stated}
    return render(request, "conversations/delete_several.html", context)


def _done(request: PageRequest, action: str, count: int) -> HttpResponse:
    told = _told(action, count)
    if request.htmx:
        return announce_list(told)
    messages.success(request, told)
    return redirect("conversations:list")


def _told(action: str, count: int) -> str:
    texts = {
        "pin": ngettext("Pinned.", "%(count)s conversations pinned.", count),
        "unpin": ngettext("Unpinned.", "%(count)s conversations unpinned.", count),
        "archive": ngettext("Archived.", "%(count)s conversations archived.", count),
        "unarchive": ngettext(
            "Back in the list.", "%(count)s conversations are back in the list.", count
        ),
        "delete": ngettext(
            "The conversation has been deleted.",
            "%(count)s conversations have been deleted.",
            count,
        ),
    }
    return texts[action] % {"count": count}
