"""Downloads of files."""

from uuid import UUID

from django.http import HttpResponse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from conversations.web.access import PageRequest, own_attachment, signed_in

# Browsers handle these safely; all others are sent as bytes.
KNOWN_TYPES = frozenset(
    {
        "application/pdf",
        "audio/mpeg",
        "audio/ogg",
        "image/gif",
        "image/jpeg",
        "image/png",
        "image/webp",
        "text/plain",
    }
)
UNKNOWN_TYPE = "application/octet-stream"


@require_safe
@signed_in
def attachment(request: PageRequest, pk: UUID) -> HttpResponse:
    """To its sender only, and never cached."""
    file = own_attachment(request.user, pk)
    known = file.content_type in KNOWN_TYPES
    return HttpResponse(
        bytes(file.content),
        content_type=file.content_type if known else UNKNOWN_TYPE,
        headers={
            "Content-Disposition": content_disposition_header(True, file.name),  # noqa: FBT003 -- Django's
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "private, no-store",
        },
    )
