"""A file that came with a message, to be saved; nothing of it is shown in a page."""

from uuid import UUID

from django.http import HttpResponse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from conversations.web.access import ChatRequest, own_attachment, signed_in

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
"""What a browser does no harm with; whatever else its sender called it is bytes."""
UNKNOWN_TYPE = "application/octet-stream"


@require_safe
@signed_in
def attachment(request: ChatRequest, pk: UUID) -> HttpResponse:
    """The file as it was sent, to nobody but its sender, and kept by nobody between."""
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
