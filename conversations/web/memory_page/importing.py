"""Import of facts from a file of another assistant, after a preview.

The functions are those of the commands `import_facts` and `import_conversations`.
"""

import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import islice
from typing import Any
from zipfile import BadZipFile, ZipFile, is_zipfile

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from conversations.chatgpt_export import (
    ExportedMessage,
    NotAnExport,
    capture_exported,
    read_export,
    uncaptured_of,
)
from conversations.fact_texts import shown_proposal
from conversations.web.memory_page.views import read_or_post, space_and_scope
from conversations.web.responses import retarget
from meddie.threads import run_db, run_work
from memory.imports import InvalidImport, import_all, read_import
from memory.reasons import Reason
from memory.values import STORED, Decision, ImportedFact
from people import throttling
from people.access import PageRequest, signed_in
from people.scope import Scope, scope_for

MOST_FACTS = 500
MOST_MESSAGES = 1000  # the newest; a model reads each
LARGEST = 100 * 1024 * 1024  # bytes of what is packed in a zip file
LINES = (".txt", ".md")  # copied from a list of saved memories
TOO_MANY = 429


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
class ImportGroup:
    label: str
    texts: Sequence[str]


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
        return await run_db(_refused, request, form, TOO_MANY)
    try:
        brought = await run_work(read_file, scope, form.cleaned_data["file"])
    except InvalidImport as error:
        form.add_error("file", str(error))
        return await run_db(_refused, request, form)
    confirmed = "confirm" in request.POST
    decisions = await run_work(import_all, scope, brought.facts, dry_run=not confirmed)
    if not confirmed:
        context = {"form": form, "brought": brought, "outcomes": outcomes(decisions)}
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
    content = file.read()
    if is_zipfile(BytesIO(content)):
        content = _unzipped(content)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidImport(_("This file is no text.")) from error
    try:
        said = read_export(text)
    except NotAnExport:
        lines = str(file.name).lower().endswith(LINES)
        facts = read_import(text, "chatgpt" if lines else None, timezone.now())
        if len(facts) > MOST_FACTS:
            told = _("The file has %(count)d facts. Bring at most %(most)d at once.")
            numbers = {"count": len(facts), "most": MOST_FACTS}
            raise InvalidImport(told % numbers) from None
        return Brought(facts, total=len(facts))
    new = uncaptured_of(scope, sorted(said, key=lambda one: one.at, reverse=True))
    return Brought(messages=list(islice(new, MOST_MESSAGES)), total=len(said))


def _unzipped(content: bytes) -> bytes:
    """`conversations.json` of ChatGPT's export, or the facts of Meddie's own."""
    try:
        with ZipFile(BytesIO(content)) as archive:
            named = {one: one.filename.rpartition("/")[2] for one in archive.infolist()}
            found = [one for one, name in named.items() if name == "conversations.json"]
            found = found or [one for one in named if one.filename.endswith(".jsonl")]
            if not found:
                raise InvalidImport(_("The file has no list of memories."))
            if sum(one.file_size for one in found) > LARGEST:
                raise InvalidImport(_("What the zip file holds is too large."))
            return b"\n".join(archive.read(one) for one in found)
    except (
        BadZipFile,
        NotImplementedError,
        RuntimeError,
        EOFError,
        zlib.error,
    ) as error:
        raise InvalidImport(_("The zip file cannot be opened.")) from error


def outcomes(decisions: Sequence[Decision]) -> list[ImportGroup]:
    """The texts of the decisions, by what became of them."""
    texts: defaultdict[str, list[str]] = defaultdict(list)
    for one in decisions:
        refused = one.action == "reject" and one.reason != Reason.RETRACTED
        told = f" ({one.reason.label})" if refused else ""
        texts[_outcome(one)].append(shown_proposal(one) + told)
    return [ImportGroup(label, texts[label]) for label in _labels() if label in texts]


def _labels() -> Iterator[str]:
    yield from (_("New"), _("Changed"), _("Known already"))
    yield from (_("Forgotten before, and left out"), _("Refused"))


def _outcome(decision: Decision) -> str:
    new, changed, known, forgotten, refused = _labels()
    if decision.action == "reject":
        return forgotten if decision.reason == Reason.RETRACTED else refused
    return {"add": new, "defer": new, "replace": changed}.get(decision.action, known)


def _told(decisions: Sequence[Decision], brought: Brought) -> str:
    if brought.messages:
        count = len(brought.messages)
        text = ngettext(
            "Meddie is reading %(count)d message. What it learns appears here.",
            "Meddie is reading %(count)d messages. What it learns appears here.",
            count,
        )
    else:
        count = sum(one.action in {*STORED, "defer"} for one in decisions)
        text = ngettext(
            "%(count)d thing imported.", "%(count)d things imported.", count
        )
    return text % {"count": count}
