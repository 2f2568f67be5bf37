"""Import of facts from a file of another assistant, after a preview.

The functions are those of the commands `import_facts` and `import_conversations`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from itertools import islice
from types import MappingProxyType
from typing import Any

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from conversations.attachments.extraction import Unreadable
from conversations.attachments.extraction.assistant_exports import ExportedMessage
from conversations.attachments.problems import PROBLEMS
from conversations.exported_messages import (
    capture_exported,
    open_export,
    uncaptured_of,
)
from conversations.fact_texts import subject_label
from conversations.health_facts import health_facts
from conversations.web.memory_page.import_outcomes import (
    LEFT_OUT,
    messages_account,
    outcome_of,
    outcomes,
    record_account,
)
from conversations.web.memory_page.model_work import reading_cost
from conversations.web.memory_page.views import space_and_scope
from conversations.web.responses import read_or_post, retarget
from meddie.text import storable
from meddie.threads import run_db, run_work
from memory import service
from memory.household import household
from memory.subjects import USER, Subject, same_name
from memory.values import STORED, Candidate, Decision, ImportedFact
from memory.wording.reading import reading_of
from people import throttling
from people.access import PageRequest, signed_in
from people.scope import Scope, scope_for

MOST_FACTS = 500
MOST_MESSAGES = 1000  # the newest; a model reads each
UNREADABLE_TEXTS = {
    "ambiguous": PROBLEMS["ambiguous"],
    "unknown_encoding": PROBLEMS["unknown_encoding"],
    "whose": gettext_lazy(
        "The file doesn’t say who of them you are. Which name is yours?"
    ),
    "no_text": gettext_lazy("This file is no text."),
    "unknown_shape": service.UNKNOWN_SHAPE,
    "several_users": gettext_lazy(
        "The file has chats of several users. Export yours alone."
    ),
    "several_people": gettext_lazy(
        "The file has records of several people. Bring one."
    ),
    "hostile": gettext_lazy("The file has declarations that no health record has."),
    "broken": gettext_lazy("The file is damaged."),
    "bomb": gettext_lazy("What the zip file holds is too large."),
}
TOO_LARGE = gettext_lazy("The file holds too much. Bring a part of it.")
ANSWERS = ("encoding", "whose", "about")  # fields of the form, to what was asked
LONGEST_ANSWER = 255
LIST_SUFFIXES = (".txt", ".md")  # copied from a list of saved memories


class ImportForm(forms.Form):
    file = forms.FileField(
        label=gettext_lazy("File"),
        widget=forms.FileInput({"accept": ".json,.jsonl,.ndjson,.zip,.txt,.md,.xml"}),
    )


@dataclass(frozen=True, slots=True)
class Brought:
    """Facts, and messages that may state some; `total` counts all that were read.

    `account` says what was not read, `record` whose health record it is, with the
    `people` whom it may be about.
    """

    facts: Sequence[ImportedFact] = ()
    messages: Sequence[ExportedMessage] = ()
    total: int = 0
    account: str = ""
    record: str = ""
    about: str = ""
    people: Sequence[tuple[str, str]] = ()


class Unsure(service.InvalidImport):
    """The user is asked: `choices` are values of the form's `field` and their labels."""

    def __init__(
        self, told: str, field: str, choices: Sequence[tuple[str, str]]
    ) -> None:
        super().__init__(told)
        self.field, self.choices = field, choices


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
        file, asked = form.cleaned_data["file"], _asked(request)
        brought = await run_work(read_file, scope, file, asked)
    except service.InvalidImport as error:
        form.add_error("file", str(error))
        return await run_db(_refused, request, form, asking=error)
    confirmed = "confirm" in request.POST
    taken = frozenset(request.POST.getlist("take"))
    decisions = await run_work(
        service.import_all, scope, brought.facts, dry_run=not confirmed, taken=taken
    )
    if not confirmed:
        listed = outcomes(decisions, taken)
        context = {"form": form, "brought": brought, "outcomes": listed, "asked": asked}
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


def _asked(request: PageRequest) -> dict[str, str]:
    """What the user answered before, and what the reading needs to know of them."""
    answers = {name: request.POST.get(name, "")[:LONGEST_ANSWER] for name in ANSWERS}
    return answers | {"zone": request.user.time_zone}


def _refused(
    request: PageRequest,
    form: ImportForm,
    status: int = 422,
    asking: Exception | None = None,
) -> HttpResponse:
    context = {"form": form, "asking": asking, "asked": _asked(request)}
    return retarget(_page(request, context, status), "#import-preview")


def _capture(scope: Scope, found: Sequence[ExportedMessage]) -> None:
    for message in found:
        capture_exported(scope, message)


def read_file(
    scope: Scope,
    file: "UploadedFile[Any]",
    asked: Mapping[str, str] = MappingProxyType({}),
) -> Brought:
    """What the file brings to a user. Raises InvalidImport."""
    name = str(file.name)
    try:
        with open_export(file, {**asked, "name": name}) as export:
            brought = _brought_record(scope, export.record, asked.get("about", ""))
            facts = [*brought.facts, *_remembered_facts(export.remembered)]
            if export.facts is not None:
                facts += _brought_facts(export.facts, name)
            new = list(islice(uncaptured_of(scope, export.messages), MOST_MESSAGES))
            told = " ".join(
                filter(
                    None,
                    (messages_account(export.total, export.unread), brought.account),
                )
            )
            total = export.total - sum(export.unread.values())
            return replace(
                brought, facts=facts, messages=new, total=total, account=told
            )
    except Unreadable as error:
        told = str(UNREADABLE_TEXTS.get(str(error), TOO_LARGE))
        if error.samples:
            answer = "whose" if str(error) == "whose" else "encoding"
            offered = [(storable(v), storable(label)) for v, label in error.samples]
            raise Unsure(told, answer, offered) from error
        raise service.InvalidImport(told) from error


def _brought_facts(text: str, name: str) -> list[ImportedFact]:
    lines = name.lower().endswith(LIST_SUFFIXES)
    kind, most = "chatgpt" if lines else None, MOST_FACTS + 1
    return _not_too_many(service.read_import(text, kind, timezone.now(), most))


def _not_too_many(facts: list[ImportedFact]) -> list[ImportedFact]:
    if len(facts) > MOST_FACTS:
        told = _("The file has more than %(most)d facts. Bring a part of it.")
        raise service.InvalidImport(told % {"most": MOST_FACTS})
    return facts


def _remembered_facts(lines: Sequence[str]) -> list[ImportedFact]:
    """The sentences of what another assistant wrote of the user."""
    now = timezone.now()
    said = [sentence for line in lines for sentence in reading_of(line).sentences]
    return _not_too_many([ImportedFact(Candidate(text), now) for text in said])


def _brought_record(scope: Scope, record: Mapping[str, Any], chosen: str) -> Brought:
    """About whom it names, the user if that is open, or another who is chosen."""
    if not record["known"]:
        return Brought()
    known, name = household(scope), storable(record["person"])
    others = [p for p in known.people if p.person_id not in known.own_ids]
    named = [person for person in others if name and same_name(person.name, name)]
    own = [p.name for p in known.people if p.person_id in known.own_ids]
    is_own = not (name and own) or any(same_name(known, name) for known in own)
    about = USER if is_own else Subject(name=name)
    about = named[0] if len(named) == 1 else about
    if chosen:
        subjects = {"user": USER} | {person.text: person for person in others}
        about = subjects.get(chosen, Subject(name=name) if chosen == name else about)
    people = {"user": _("Mine"), **{p.text: subject_label(p) for p in others}}
    people |= {name: name} if name and len(named) != 1 else {}
    whose = ", ".join(filter(None, (name, record["born"]))) or _("A health record")
    return Brought(
        health_facts(record["lines"], about),
        account=record_account(record["left"]),
        record=whose,
        about="user" if about.is_user else about.text,
        people=list(people.items()),
    )


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
    left_out = sum(outcome_of(decision) == LEFT_OUT for decision in decisions)
    further = ngettext("%(count)d was left out.", "%(count)d were left out.", left_out)
    told = text % {"count": count}
    return f"{told} {further % {'count': left_out}}" if left_out else told
