"""Downloads of files."""

from uuid import UUID

from django.http import Http404, HttpResponse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from conversations.attachments.storage import open_file
from conversations.web.access import PageRequest, own_attachment, signed_in

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
    return HttpResponse(
        content,
        content_type=file.content_type if known else UNKNOWN_TYPE,
        headers={
            "Content-Disposition": content_disposition_header(not inline, file.name),
            "Content-Security-Policy": "sandbox; default-src 'none'",
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "private, no-store",
        },
    )
