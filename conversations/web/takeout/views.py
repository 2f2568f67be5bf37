"""The user's data and account."""

from collections.abc import AsyncIterator
from typing import IO

from django.contrib.auth import logout
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from conversations.forgetting.erasing import erase_user, read_traces
from conversations.web.takeout.leaving import read_leaving
from conversations.web.takeout.write import AlreadyWriting, write_takeout
from meddie.threads import run_db, run_work
from people import throttling
from people.access import PageRequest, signed_in
from people.deletion import BotConnected
from people.forms import PasswordForm
from people.members import LastAdmin

PAGE = "conversations/takeout/download.html"
PIECE = 256 * 1024  # bytes


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
    return StreamingHttpResponse(
        _Pieces(file),
        content_type="application/zip",
        headers={
            "Content-Disposition": f'attachment; filename="{_name()}"',
            "Content-Length": str(size),
        },
    )


def _download_page(request: PageRequest) -> HttpResponse | None:
    form = PasswordForm(request, request.POST or None)
    if request.method == "POST" and form.is_valid():
        if throttling.may_download(request.user):
            return None
        form.add_error(
            None,
            _("You have reached the daily limit of downloads. Try again tomorrow."),
        )
    return render(request, PAGE, {"form": form}, status=422 if form.errors else 200)


def _refusal(request: PageRequest) -> HttpResponse:
    told = _("Another download is being prepared. Try again in a minute.")
    page = {"form": PasswordForm(request), "refusal": told}
    return render(request, PAGE, page, status=409)


def _name() -> str:
    return f"meddie-{timezone.localdate():%Y-%m-%d}.zip"


class _Pieces:
    """An open file, which the response closes."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.close = file.close

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while piece := await run_work(self._file.read, PIECE):
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
                erase_user(read_traces(request.user, None))
            except (LastAdmin, BotConnected):
                status = 409
            else:
                logout(request)
                return redirect("takeout:deleted")
    page = {"form": form, "leaving": read_leaving(request.user)}
    return render(request, "conversations/takeout/delete.html", page, status=status)
