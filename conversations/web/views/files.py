"""Files before and after they are sent."""

from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_POST, require_safe

from conversations.attachments import derivations
from conversations.attachments.extraction import Unreadable
from conversations.attachments.picture_copies import JPEG, thumbnail_of
from conversations.attachments.storage import open_file, remove_attachment, store
from conversations.models import Attachment, Message
from conversations.refusals import EmptyFile, TurnRefused, UnreadableForm
from conversations.web.forms import MessageForm
from conversations.web.own_rows import own_attachment, own_message, own_unsent
from conversations.web.responses import retarget
from conversations.web.views.send import space_of
from people.access import PageRequest, signed_in

PICTURES = frozenset({"image/gif", "image/jpeg", "image/png", "image/webp"})
# Browsers handle these safely; all others are sent as bytes.
KNOWN_TYPES = frozenset(
    {
        "application/pdf",
        "audio/mpeg",
        "audio/ogg",
        "text/plain",
        *PICTURES,
    }
)
UNKNOWN_TYPE = "application/octet-stream"
PRIVATE = {
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "private, no-store",
}


@require_POST
@signed_in
def upload(request: PageRequest) -> HttpResponse:
    try:
        file = _stored(request, MessageForm(request.POST))
    except TurnRefused as refusal:
        answer = HttpResponse(refusal, status=refusal.status)
        return retarget(answer, "#unsent")  # Meddie's own sentence
    return render(request, "conversations/_unsent.html", {"file": file})


def _stored(request: PageRequest, form: MessageForm) -> Attachment:
    if not form.is_valid():
        raise UnreadableForm
    given = request.FILES.get("file")
    if given is None:
        raise EmptyFile
    space_id = space_of(request, form.cleaned_data)
    return store(request.user, space_id, given.name or "", given)


@require_POST
@signed_in
def remove(request: PageRequest, pk: UUID) -> HttpResponse:
    remove_attachment(own_unsent(request.user, pk))
    return HttpResponse()


@require_safe
@signed_in
def progress(request: PageRequest, pk: UUID) -> HttpResponse:
    message = own_message(request.user, pk, role=Message.Role.USER)
    return render(request, "conversations/_states.html", {"message": message})


@require_POST
@signed_in
def read_as(request: PageRequest, pk: UUID) -> HttpResponse:
    """With the characters that the user chose among those that were offered."""
    file = own_attachment(request.user, pk)
    if file.message is None or not derivations.read_as(
        file, request.POST.get("encoding", "")
    ):
        raise Http404
    return redirect("conversations:show", file.message.conversation_id)


@require_safe
@signed_in
def thumbnail(request: PageRequest, pk: UUID) -> HttpResponse:
    file = own_attachment(request.user, pk)
    if file.kind != Attachment.Kind.IMAGE:
        raise Http404
    try:
        content = thumbnail_of(file)
    except (Unreadable, FileNotFoundError):
        raise Http404 from None
    return HttpResponse(content, content_type=JPEG, headers=PRIVATE)


@require_safe
@signed_in
def attachment(request: PageRequest, pk: UUID) -> HttpResponse:
    """To its sender only, and never cached; pictures are shown with `?inline=1`."""
    file = own_attachment(request.user, pk)
    try:
        with open_file(file) as opened:
            content = opened.read()
    except FileNotFoundError:
        raise Http404 from None
    known = file.content_type in KNOWN_TYPES
    inline = "inline" in request.GET and file.content_type in PICTURES
    disposition = content_disposition_header(not inline, file.name)
    return HttpResponse(
        content,
        content_type=file.content_type if known else UNKNOWN_TYPE,
        headers=PRIVATE | {"Content-Disposition": disposition},
    )
