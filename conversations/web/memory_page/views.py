"""Views of the memory page, which exists where the space's setting says so."""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import (
    require_POST,
    require_safe,
)

from conversations.channels import WEB
from conversations.limits import take_room
from conversations.models import Attachment
from conversations.refusals import NoRoomForText
from conversations.reply import confirmations
from conversations.web.facts.about import Subjects
from conversations.web.facts.headings import HEADINGS
from conversations.web.listing import LONGEST_QUERY
from conversations.web.memory_page.entries import Entry
from conversations.web.memory_page.fact_page import (
    Wanted,
    find_entry,
    read_fact_page,
)
from conversations.web.memory_page.forms import EditFactForm, FactForm
from conversations.web.memory_page.model_work import tidy_note
from conversations.web.memory_page.older import older_note
from conversations.web.memory_page.places import (
    back,
    dialog,
    shown_part,
    tell_forgotten,
    tell_undoable,
)
from conversations.web.own_rows import own_conversation
from conversations.web.responses import read_or_post, retarget
from meddie.text import one_line
from meddie.threads import run_db, run_work
from memory import service
from memory.household import household, household_for
from memory.reasons import Reason
from memory.values import (
    STORED,
    Candidate,
    Decision,
    Prepared,
    Provenance,
)
from people import throttling
from people.access import PageRequest, current_space, signed_in
from people.models import Space
from people.scope import Scope, retraction_scope, scope_for

NO_KEY = UUID(int=0)
MOST_FILES = 50  # that are listed, the newest
NO_KINDS = frozenset({"person", "family"})
"""Headings that depend on whose page it is."""
TOO_MANY_LOOKUPS = gettext_lazy(
    "You have searched or corrected a lot in a short time. Try again in a few minutes."
)


def with_memory(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponseBase]:
    """Pass the current space and the user's scope in it, also while memory is off."""

    @signed_in
    @wraps(view)
    def inner(request: PageRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return view(request, *space_and_scope(request), *args, **kwargs)

    return inner


def space_and_scope(request: PageRequest) -> tuple[Space, Scope]:
    space = current_space(request)
    if space is None or not space.memory_page:
        raise Http404
    return space, retraction_scope(request.user.pk, space.pk, channel=WEB.name)


@require_safe
@signed_in
async def index(request: PageRequest) -> HttpResponse:
    space, scope = await run_db(space_and_scope, request)
    query = one_line(request.GET.get("q", ""))[:LONGEST_QUERY]
    if query and not await _may_look_up(request):
        return await run_db(_refusal, request, space, query)
    near = await run_work(service.near, scope, query) if query else set()
    return await run_work(_page, request, space, scope, query, near)


async def _may_look_up(request: PageRequest) -> bool:
    return await run_work(throttling.LOOKUPS.allows, request.user.pk)


def _page(
    request: PageRequest, space: Space, scope: Scope, query: str, near: set[UUID]
) -> HttpResponse:
    asked = request.GET
    wanted = Wanted(
        query,
        near,
        asked.get("about", ""),
        kind if (kind := asked.get("kind", "")) in HEADINGS else "",
        by_kind=asked.get("sort") == "kind",
        page=asked.get("page", ""),
    )
    shown = shown_part(request)
    context = {
        "space": space,
        "query": query,
        "wanted": wanted,
        "headings": {k: v for k, v in HEADINGS.items() if k not in NO_KINDS},
        "listing": read_fact_page(request.user, scope, wanted),
        "older": None if request.htmx else older_note(scope),
        "tidying": None if request.htmx else tidy_note(scope),
        "files": None if request.htmx else _files(scope),
        "shown": shown,
        "selecting": "select" in asked,
        "back": urlencode(shown),
        "pages": urlencode({k: v for k, v in shown.items() if k != "page"}),
        "unselected": urlencode({k: v for k, v in shown.items() if k != "select"}),
    }
    return _render_list(request, context)


def _files(scope: Scope) -> QuerySet[Attachment]:
    sent = Attachment.objects.sent_by(scope.user_id, scope.space_id)
    return sent.select_related("message")[:MOST_FILES]


def _refusal(request: PageRequest, space: Space, query: str) -> HttpResponse:
    context = {"space": space, "query": query, "refusal": TOO_MANY_LOOKUPS}
    return retarget(
        _render_list(request, context, HTTPStatus.TOO_MANY_REQUESTS), "#memory-list"
    )


def _render_list(
    request: PageRequest, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    name = "_found" if request.htmx else "page"
    context = {"refusal": ""} | context
    return render(request, f"conversations/memory/{name}.html", context, status=status)


@read_or_post
@signed_in
async def add(request: PageRequest) -> HttpResponse:
    """A fact in the user's own words, which are all the evidence that it needs."""
    space, scope = await run_db(space_and_scope, request)
    subjects = await run_db(Subjects.in_scope, scope)
    form = FactForm(request.POST or None, subjects=subjects)
    form.fields["about"].initial = request.GET.get("about", "")
    status = 200
    if form.is_valid() and not await _may_look_up(request):
        form.add_error("text", TOO_MANY_LOOKUPS)
        status = HTTPStatus.TOO_MANY_REQUESTS
    if form.is_valid() and await run_db(_has_room, request, form):
        text = form.cleaned_data["text"]
        candidate = Candidate(text, subject=form.cleaned_data["subject"])
        known = await run_db(household, scope)
        prepared = await run_work(service.prepare_facts, [candidate], known)
        decision = await run_db(_remember, request, space, prepared, text)
        if decision.action in STORED:
            messages.success(request, _("Remembered."))
            return back(request)
        form.add_error("text", decision.reason.label)
    return await run_db(dialog, request, "add", {"form": form}, status)


def _has_room(request: PageRequest, form: FactForm) -> bool:
    try:
        take_room(request.user.pk, form.cleaned_data["text"])
    except NoRoomForText as refusal:
        form.add_error("text", str(refusal))
        return False
    return True


def _remember(
    request: PageRequest, space: Space, prepared: Prepared, text: str
) -> Decision:
    if prepared.error:
        return Decision(text, "reject", Reason.EMBEDDING_FAILED)
    scope = scope_for(request.user, space.pk, channel=WEB.name)
    provenance = Provenance.by_hand(text, timezone.now())
    (decision,) = service.remember(scope, prepared, provenance)
    return decision


@read_or_post
@signed_in
async def edit(request: PageRequest, pk: UUID) -> HttpResponse:
    _space, scope = await run_db(space_and_scope, request)
    entry = await run_db(_entry, request, scope, pk)
    subjects = await run_db(Subjects.in_scope, scope)
    form = EditFactForm(request.POST or None, entry=entry, subjects=subjects)
    status = 200
    if form.is_valid() and "text" not in form.changed_data:
        subject = form.chosen_subject
        if form.is_moved and subject is not None:
            await run_db(service.assign, scope, [pk], subject)
        return back(request)
    if form.is_valid() and not await _may_look_up(request):
        form.add_error("text", TOO_MANY_LOOKUPS)
        status = HTTPStatus.TOO_MANY_REQUESTS
    if form.is_valid() and await run_db(_has_room, request, form):
        candidate = Candidate(form.fact, subject=form.chosen_subject)
        known = await run_db(household_for, scope, entry.about)
        prepared = await run_work(service.prepare_facts, [candidate], known)
        decision = await run_db(service.correct, scope, pk, prepared)
        if decision.action == "replace" and decision.memory_id:
            await run_db(_tell_edited, request, scope, decision.memory_id)
        if decision.action in {"replace", "ignore"}:
            return back(request)
        form.add_error("text", decision.reason.label)
    context = {"entry": entry, "form": form}
    return await run_db(dialog, request, "edit", context, status)


def _tell_edited(request: PageRequest, scope: Scope, key: UUID) -> None:
    entry = find_entry(request.user, scope, key)
    if entry and entry.can_undo:
        address = reverse("memory_page:undo", args=[key])
        tell_undoable(request, _("Saved:"), entry.text, address=address)


@read_or_post
@with_memory
def forget(request: PageRequest, _space: Space, scope: Scope, pk: UUID) -> HttpResponse:
    entry = _entry(request, scope, pk)
    if request.method != "POST":
        return dialog(request, "forget", {"entry": entry})
    service.erase(scope, [pk])
    tell_forgotten(request, _("Forgotten."))
    return back(request)


@read_or_post
@with_memory
def forget_all(request: PageRequest, space: Space, scope: Scope) -> HttpResponse:
    count = service.count(scope)
    if request.method != "POST":
        return dialog(request, "forget_all", {"space": space, "count": count})
    confirmations.forget_scope(scope)
    service.erase(scope, None)
    text = ngettext("%(count)d thing forgotten.", "%(count)d things forgotten.", count)
    tell_forgotten(request, text % {"count": count})
    return redirect("memory_page:index")


@require_POST
@with_memory
def undo(request: PageRequest, _space: Space, scope: Scope, pk: UUID) -> HttpResponse:
    """Take back a correction; what it replaced is remembered again."""
    if not _entry(request, scope, pk).can_undo:
        raise Http404
    service.forget(scope, [pk], undo=True)
    messages.success(request, _("The change has been undone."))
    return back(request)


@require_POST
@signed_in
def turn_on(request: PageRequest) -> HttpResponse:
    """Turn the user's memory on, and return to the conversation."""
    address = reverse("conversations:new")
    if text := request.POST.get("conversation"):
        conversation = own_conversation(request.user, _key(text) or NO_KEY)
        address = reverse("conversations:show", args=[conversation.pk])
    request.user.memory_on = True
    request.user.save(update_fields=["memory_on"])
    return redirect(address)


def _key(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _entry(request: PageRequest, scope: Scope, pk: UUID) -> Entry:
    entry = find_entry(request.user, scope, pk)
    if entry is None:
        raise Http404
    return entry
