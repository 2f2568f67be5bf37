"""Import of facts from a file of another assistant, after a preview.

The functions are those of the commands `import_facts` and `import_conversations`.
"""

import json
from collections import defaultdict
from collections.abc import Sequence, Set
from dataclasses import dataclass
from http import HTTPStatus
from itertools import islice
from typing import Any

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from conversations.attachments.extraction import EXPORT, Unreadable, run_child
from conversations.attachments.extraction.assistant_exports import ExportedMessage
from conversations.chatgpt_export import capture_exported, uncaptured_of
from conversations.fact_texts import shown_proposal
from conversations.web.memory_page.model_work import reading_cost
from conversations.web.memory_page.views import space_and_scope
from conversations.web.responses import read_or_post, retarget
from meddie.threads import run_db, run_work
from memory import service
from memory.reasons import TAKEN_ANYWAY, Reason
from memory.values import STORED, Decision, ImportedFact
from people import throttling
from people.access import PageRequest, signed_in
from people.scope import Scope, scope_for

MOST_FACTS = 500
MOST_MESSAGES = 1000  # the newest; a model reads each
UNREADABLE_TEXTS = {
    "no_text": gettext_lazy("This file is no text."),
    "no_list": gettext_lazy("The file has no list of memories."),
    "broken": gettext_lazy("The zip file cannot be opened."),
    "bomb": gettext_lazy("What the zip file holds is too large."),
}
TOO_LARGE = gettext_lazy("The file holds too much. Bring a part of it.")
NEW, CHANGED, KNOWN_ALREADY, LEFT_OUT = range(4)
KNOWN_REASONS = frozenset(
    {Reason.DUPLICATE, Reason.NEAR_DUPLICATE, Reason.SAME_MESSAGE}
)
LIST_SUFFIXES = (".txt", ".md")  # copied from a list of saved memories


class ImportForm(forms.Form):
    file = forms.FileField(
        label=gettext_lazy("File"),
        widget=forms.FileInput({"accept": ".json,.jsonl,.zip,.txt,.md"}),
    )


@dataclass(frozen=True, slots=True)
class Brought:
    """Facts, or messages that may state some; `total` counts all in the file."""

    facts: Sequence[ImportedFact] = ()
    messages: Sequence[ExportedMessage] = ()
    total: int = 0


@dataclass(frozen=True, slots=True)
class ImportLine:
    """`why` it is left out; `key` is what the form sends to take it anyway."""

    text: str
    why: str = ""
    key: str = ""
    taken: bool = False


@dataclass(frozen=True, slots=True)
class ImportGroup:
    label: str
    lines: Sequence[ImportLine]


@read_or_post
@signed_in
async def import_file(request: PageRequest) -> HttpResponse:
    """Show what a file would change; with `confirm` change it."""
    scope = await run_db(_scope, request)
    form = ImportForm(request.POST or None, request.FILES or None)
    if request.method != "POST":
        return await run_db(_page, request, {"form": form})
    if not form.is_valid():
        return await run_db(_refused, request, form)
    if not await run_work(throttling.IMPORTS.allows, request.user.pk):
        form.add_error("file", _("You have imported a lot today. Try again tomorrow."))
        return await run_db(_refused, request, form, HTTPStatus.TOO_MANY_REQUESTS)
    try:
        brought = await run_work(read_file, scope, form.cleaned_data["file"])
    except service.InvalidImport as error:
        form.add_error("file", str(error))
        return await run_db(_refused, request, form)
    confirmed = "confirm" in request.POST
    taken = frozenset(request.POST.getlist("take"))
    decisions = await run_work(
        service.import_all, scope, brought.facts, dry_run=not confirmed, taken=taken
    )
    if not confirmed:
        listed = outcomes(decisions, taken)
        context = {"form": form, "brought": brought, "outcomes": listed}
        context["cost"] = reading_cost(len(brought.messages))
        return await run_db(_page, request, context)
    await run_db(_capture, scope, brought.messages)
    messages.success(request, _told(decisions, brought))
    return redirect("memory_page:index")


def _scope(request: PageRequest) -> Scope:
    space, _retractions = space_and_scope(request)
    scope = scope_for(request.user, space.pk, channel="import")
    if not scope.writes:
        raise Http404
    return scope


def _page(
    request: PageRequest, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    name = "_preview" if request.htmx else "import"
    return render(request, f"conversations/memory/{name}.html", context, status=status)


def _refused(request: PageRequest, form: ImportForm, status: int = 422) -> HttpResponse:
    return retarget(_page(request, {"form": form}, status), "#import-preview")


def _capture(scope: Scope, found: Sequence[ExportedMessage]) -> None:
    for message in found:
        capture_exported(scope, message)


def read_file(scope: Scope, file: "UploadedFile[Any]") -> Brought:
    """What the file brings to a user. Raises InvalidImport."""
    try:
        with run_child.read_confined(file, EXPORT) as (folder, read):
            if "messages" not in read:
                text = (folder / "facts").read_text(encoding="utf-8")
                return _brought_facts(text, str(file.name))
            with (folder / "messages").open("rb") as lines:
                found = (ExportedMessage(**json.loads(line)) for line in lines)
                new = list(islice(uncaptured_of(scope, found), MOST_MESSAGES))
            return Brought(messages=new, total=read["messages"])
    except Unreadable as error:
        raise service.InvalidImport(
            str(UNREADABLE_TEXTS.get(str(error), TOO_LARGE))
        ) from error


def _brought_facts(text: str, name: str) -> Brought:
    lines = name.lower().endswith(LIST_SUFFIXES)
    kind, most = "chatgpt" if lines else None, MOST_FACTS + 1
    facts = service.read_import(text, kind, timezone.now(), most)
    if len(facts) > MOST_FACTS:
        told = _("The file has more than %(most)d facts. Bring a part of it.")
        raise service.InvalidImport(told % {"most": MOST_FACTS})
    return Brought(facts, total=len(facts))


def outcomes(
    decisions: Sequence[Decision], taken: Set[str] = frozenset()
) -> list[ImportGroup]:
    """The texts of the decisions, by what became of them."""
    groups = (_("New"), _("Changed"), _("Known already"), _("Left out"))
    lines: defaultdict[str, list[ImportLine]] = defaultdict(list)
    for decision in decisions:
        outcome = _outcome(decision)
        left_out, label = outcome == LEFT_OUT, groups[outcome]
        is_taken = decision.text in taken
        may_take = decision.reason in TAKEN_ANYWAY if left_out else is_taken
        line = ImportLine(
            shown_proposal(decision),
            str(decision.reason.label) if left_out else "",
            decision.text if may_take else "",
            is_taken,
        )
        lines[label].append(line)
    return [ImportGroup(label, lines[label]) for label in groups if label in lines]


def _outcome(decision: Decision) -> int:
    """The number of its group. What is known is active: outdated facts are left out."""
    if decision.action in {"add", "defer"}:
        return NEW
    if decision.action == "replace":
        return CHANGED
    return KNOWN_ALREADY if decision.reason in KNOWN_REASONS else LEFT_OUT


def _told(decisions: Sequence[Decision], brought: Brought) -> str:
    if brought.messages:
        count = len(brought.messages)
        text = ngettext(
            "Meddie is reading %(count)d message. What it learns appears here.",
            "Meddie is reading %(count)d messages. What it learns appears here.",
            count,
        )
    else:
        count = sum(decision.action in {*STORED, "defer"} for decision in decisions)
        text = ngettext(
            "%(count)d thing imported.", "%(count)d things imported.", count
        )
    left_out = sum(_outcome(decision) == LEFT_OUT for decision in decisions)
    further = ngettext("%(count)d was left out.", "%(count)d were left out.", left_out)
    told = text % {"count": count}
    return f"{told} {further % {'count': left_out}}" if left_out else told
