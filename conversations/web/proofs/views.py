"""Proofs of deletion: the user's own, that of a deleted account by its link, and any file."""

import base64
import json
import lzma
import zlib
from datetime import datetime
from io import BytesIO
from typing import Any
from uuid import UUID
from zipfile import BadZipFile, ZipFile

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from conversations.models import DeletionProof
from conversations.proofs import signature
from conversations.web.responses import read_or_post
from people.access import PageRequest, signed_in

DOCUMENT, SIGNATURE, KEY = "proof.json", "proof.sig", "meddie.pem"
LONGEST_FILE = 100_000  # bytes; a proof has about 2,000
# What the library raises for bytes that are no such file.
UNREADABLE = (
    *(BadZipFile, KeyError, ValueError, NotImplementedError, RuntimeError),
    *(zlib.error, lzma.LZMAError, EOFError, OSError),
)
WHAT = {
    DeletionProof.FACTS: _("Forgotten facts"),
    DeletionProof.CONVERSATION: _("A conversation"),
    DeletionProof.ACCOUNT: _("An account"),
}


class CheckForm(forms.Form):
    file = forms.FileField(label=_("The zip file of a proof"))

    def clean_file(self) -> bool:
        """Whether this Meddie signed it. Raises ValidationError for what is no proof."""
        given = self.cleaned_data["file"]
        if given.size <= LONGEST_FILE:
            try:
                with ZipFile(BytesIO(given.read())) as files:
                    parts = [_part(files, name) for name in (DOCUMENT, SIGNATURE)]
                return signature.has_signed(*parts)
            except UNREADABLE:
                pass
        raise forms.ValidationError(_("This is not the zip file of a proof."))


def _part(files: ZipFile, name: str) -> bytes:
    """Raises KeyError, ValueError."""
    if files.getinfo(name).file_size > LONGEST_FILE:
        raise ValueError(name)
    return files.read(name)


@require_safe
@signed_in
def index(request: PageRequest) -> HttpResponse:
    proofs = DeletionProof.objects.of(request.user)
    page = {"proofs": [(proof, WHAT[proof.kind]) for proof in proofs]}
    return render(request, "conversations/proofs/index.html", page)


@require_safe
def show(request: HttpRequest, proof_pk: UUID) -> HttpResponse:
    proof = _own(request, proof_pk)
    page = {"proof": proof, "what": WHAT[proof.kind]}
    if proof.document:
        page["told"] = _in_words(json.loads(proof.document))
    return render(request, "conversations/proofs/show.html", page)


def _in_words(told: dict[str, Any]) -> dict[str, Any]:
    """What the document says, in the active language as far as it has the words."""
    kept = ((k["what"], k.get("count"), k["until"]) for k in told["remains"])
    return {
        "deleted": [(gettext(what), n) for what, n in told["deleted"]["rows"].items()],
        "searched_at": datetime.fromisoformat(told["searched_at"]),
        "remains": [(gettext(what), n, gettext(until)) for what, n, until in kept],
    }


@require_safe
def download(request: HttpRequest, proof_pk: UUID) -> HttpResponse:
    proof = _own(request, proof_pk, state=DeletionProof.State.DONE)
    file = BytesIO()
    with ZipFile(file, "w") as files:
        files.writestr(DOCUMENT, proof.document)
        files.writestr(SIGNATURE, base64.b64decode(proof.signature))
        files.writestr(KEY, proof.public_key)
    name = f"meddie-proof-{proof.created_at:%Y-%m-%d}.zip"
    return HttpResponse(
        file.getvalue(),
        content_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@read_or_post
def check(request: HttpRequest) -> HttpResponse:
    form = CheckForm(request.POST or None, request.FILES or None)
    page: dict[str, Any] = {"form": form}
    if form.is_bound and form.is_valid():
        page["signed"] = form.cleaned_data["file"]
    status = 422 if form.errors else 200
    return render(request, "conversations/proofs/check.html", page, status=status)


@require_safe
def key(_request: HttpRequest) -> HttpResponse:
    return HttpResponse(signature.public_key(), content_type="application/x-pem-file")


def _own(request: HttpRequest, pk: UUID, **conditions: str) -> DeletionProof:
    shown = DeletionProof.objects.shown_to(request.user)
    return get_object_or_404(shown.filter(**conditions), pk=pk)
