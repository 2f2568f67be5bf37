"""A model tidies up what was kept without one, after a preview."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from conversations.channels import WEB
from conversations.fact_texts import shown_line, subject_label
from conversations.web.memory_page.model_work import tidy_note
from conversations.web.memory_page.views import space_and_scope, with_memory
from conversations.web.responses import read_or_post
from meddie.threads import run_db, run_work
from memory import service
from memory.models import Memory
from memory.reasons import Reason
from memory.values import Candidate, TidyChange
from people.access import PageRequest, signed_in
from people.models import Space
from people.scope import Scope, scope_for


@dataclass(frozen=True, slots=True)
class TidyLine:
    """A line, and what it would become: texts, each with whom it is about and its kind."""

    key: UUID
    text: str
    made: Sequence[tuple[str, str]]
    repeats: bool
    shortens: bool


@require_safe
@with_memory
def tidy_state(request: PageRequest, _space: Space, scope: Scope) -> HttpResponse:
    """For a page that waits for the model."""
    context = {"tidying": tidy_note(scope)}
    return render(request, "conversations/memory/_tidy.html", context)


@require_POST
@signed_in
async def start_tidy(request: PageRequest) -> HttpResponse:
    scope = await run_db(_writing_scope, request)
    await run_db(service.start_tidying, scope)
    return redirect("memory_page:index")


@require_POST
@with_memory
def settle_tidy(request: PageRequest, _space: Space, scope: Scope) -> HttpResponse:
    """Take the changes back, or do not offer them again."""
    undo = request.POST.get("answer") == "undo"
    if service.settle_tidying(scope, undo=undo) and undo:
        messages.success(request, _("The change has been undone."))
    return redirect("memory_page:index")


@read_or_post
@signed_in
async def preview(request: PageRequest) -> HttpResponse:
    """Show what the model would change; carry out what is ticked."""
    scope = await run_db(_writing_scope, request)
    if request.method == "POST":
        taken = frozenset(request.POST.getlist("take"))
        count = await run_work(service.tidy, scope, taken) if taken else 0
        if not taken or count is None:
            nothing = _("Nothing was selected.")
            told = Reason.EMBEDDING_FAILED.label if taken else nothing
            messages.info(request, told)
            return redirect("memory_page:tidy")
        if left := len(taken) - count:
            messages.info(request, _told_left(left))
        return redirect("memory_page:index")
    return await run_db(_preview, request, scope)


def _writing_scope(request: PageRequest) -> Scope:
    space, _retractions = space_and_scope(request)
    scope = scope_for(request.user, space.pk, channel=WEB.name)
    if not scope.writes:
        raise Http404
    return scope


def _preview(request: PageRequest, scope: Scope) -> HttpResponse:
    state = service.tidying_of(scope)
    if state is None or not state.is_ready:
        return redirect("memory_page:index")
    context = {
        "lines": [*map(_line, service.tidy_changes(scope))],
        "state": state,
    }
    return render(request, "conversations/memory/tidy.html", context)


def _line(change: TidyChange) -> TidyLine:
    made = [
        (shown_line(kind, text), _about(candidate))
        for candidate, (kind, text) in zip(change.candidates, change.lines, strict=True)
    ]
    return TidyLine(change.key, change.text, made, change.repeats, change.shortens)


def _about(candidate: object) -> str:
    """Whom a sentence is about and its kind; a fact of the profile is the user's."""
    if not isinstance(candidate, Candidate) or candidate.subject is None:
        return _("Profile")
    kinds = dict(Memory.Kind.choices)
    kind = str(kinds.get(candidate.kind, kinds[Memory.Kind.OTHER]))
    return f"{subject_label(candidate.subject)} · {kind}"


def _told_left(count: int) -> str:
    told = ngettext(
        "%(count)d stays as it was, because it has changed since or may not be stored.",
        "%(count)d stay as they were, because they have changed since or may not be"
        " stored.",
        count,
    )
    return told % {"count": count}
