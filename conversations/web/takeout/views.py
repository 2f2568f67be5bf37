"""The user's data and account."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import IO

from django import forms
from django.contrib.auth import logout
from django.db.models import QuerySet
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    StreamingHttpResponse,
)
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from conversations.forgetting.erasing import (
    count_rows,
    erase_user,
    read_traces,
)
from conversations.models import Attachment, Conversation, DeletionProof, Message
from conversations.proofs.noting import note_account
from conversations.web.takeout.write import AlreadyWriting, write_takeout
from meddie.threads import run_db, run_work
from memory.models import Memory, ProfileFact
from people import throttling
from people.access import PageRequest, signed_in
from people.deletion import BotConnected
from people.forms import PasswordForm
from people.members import LastAdmin, spaces_of_only, spaces_without_admin
from people.models import ApiKey, Person, Space, User

DOWNLOAD_PAGE = "conversations/takeout/download.html"


@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
@signed_in
async def download(request: PageRequest) -> HttpResponseBase:
    """Answer the POST with the file, so that it has no link."""
    page = await run_db(_download_page, request)
    if page is not None:
        return page
    try:
        file, size = await run_work(write_takeout, request.user)
    except AlreadyWriting:
        return await run_db(_refusal, request)
    name = f"meddie-{timezone.localdate():%Y-%m-%d}.zip"
    return StreamingHttpResponse(
        _Pieces(file),
        content_type="application/zip",
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "Content-Length": str(size),
        },
    )


def _download_page(request: PageRequest) -> HttpResponse | None:
    form = PasswordForm(request, request.POST or None)
    if request.method == "POST" and form.is_valid():
        if throttling.DOWNLOADS.allows(request.user.pk):
            return None
        form.add_error(
            None,
            _("You have reached the daily limit of downloads. Try again tomorrow."),
        )
    return render(
        request, DOWNLOAD_PAGE, {"form": form}, status=422 if form.errors else 200
    )


def _refusal(request: PageRequest) -> HttpResponse:
    told = _("Another download is being prepared. Try again in a minute.")
    page = {"form": PasswordForm(request), "refusal": told}
    return render(request, DOWNLOAD_PAGE, page, status=409)


class _Pieces:
    """An open file, which the response closes."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.close = file.close

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while piece := await run_work(self._file.read, 256 * 1024):
            yield piece


@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
@signed_in
def delete(request: PageRequest) -> HttpResponse:
    form = PasswordForm(request, request.POST or None)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                proof = _erase(request.user)
            except (LastAdmin, BotConnected):
                status = 409
            else:
                logout(request)
                return redirect(f"{reverse('takeout:deleted')}?proof={proof.pk}")
    page = {"form": form, "leaving": read_leaving(request.user)}
    return render(request, "conversations/takeout/delete.html", page, status=status)


def _erase(user: User) -> DeletionProof:
    """Raises LastAdmin, BotConnected."""
    rows, traces = count_rows(user, None), read_traces(user, None)
    keys = traces.messages | traces.facts
    proof = note_account(user, keys, traces.files, rows)
    try:
        erase_user(traces)
    except (LastAdmin, BotConnected):
        proof.delete()
        raise
    return proof


@require_safe
def deleted(request: HttpRequest) -> HttpResponse:
    form = ProofForm(request.GET)
    proof = form.cleaned_data["proof"] if form.is_valid() else None
    return render(request, "conversations/takeout/deleted.html", {"proof": proof})


class ProofForm(forms.Form):
    proof = forms.UUIDField()


@dataclass(frozen=True, slots=True)
class Leaving:
    """`without_admin` and `with_bot` prevent the deletion."""

    removed: list[str]
    deleted_spaces: list[Space]
    kept_spaces: list[Space]
    without_admin: list[Space]
    with_bot: list[Space]

    @property
    def is_possible(self) -> bool:
        return not (self.without_admin or self.with_bot)


def read_leaving(user: User) -> Leaving:
    deleted = spaces_of_only([user.pk]).order_by("name", "pk")
    kept = Space.objects.of(user).exclude(pk__in=deleted.values("pk"))
    return Leaving(
        removed=_counts(user, deleted),
        deleted_spaces=list(deleted),
        kept_spaces=list(kept),
        without_admin=list(spaces_without_admin([user.pk])),
        with_bot=list(deleted.filter(telegram_bot__isnull=False)),
    )


def _counts(user: User, deleted: QuerySet[Space]) -> list[str]:
    facts = Memory.objects.filter(user=user).active().count()
    lore = Memory.objects.filter(told_by=user).active().count()
    facts += ProfileFact.objects.filter(user=user).active().count()
    conversations = Conversation.objects.filter(user=user).count()
    messages = Message.objects.filter(conversation__user=user).count()
    files = Attachment.objects.filter(user=user).count()
    keys = ApiKey.objects.filter(user=user, revoked_at=None, program=None).count()
    programs = ApiKey.objects.of_programs().filter(user=user).count()
    people = Person.objects.filter(space__in=deleted).count()
    told = (
        (ngettext("%d conversation", "%d conversations", conversations), conversations),
        (ngettext("%d message", "%d messages", messages), messages),
        (ngettext("%d fact about you", "%d facts about you", facts), facts),
        (
            ngettext(
                "%d fact that you told a whole household",
                "%d facts that you told a whole household",
                lore,
            ),
            lore,
        ),
        (ngettext("%d file", "%d files", files), files),
        (ngettext("%d API key", "%d API keys", keys), keys),
        (
            ngettext("%d connected program", "%d connected programs", programs),
            programs,
        ),
        (
            ngettext(
                "%d person with their notes", "%d people with their notes", people
            ),
            people,
        ),
    )
    return [sentence % count for sentence, count in told if count]
