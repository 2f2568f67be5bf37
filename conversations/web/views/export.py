"""Download a conversation."""

from uuid import UUID

from django.http import HttpResponse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from conversations.transcript_export import markdown_transcript, transcript_file_name
from conversations.web.own_rows import own_conversation
from people.access import PageRequest, signed_in


@require_safe
@signed_in
def export(request: PageRequest, pk: UUID) -> HttpResponse:
    conversation = own_conversation(request.user, pk)
    name = content_disposition_header(
        as_attachment=True, filename=transcript_file_name(conversation)
    )
    return HttpResponse(
        markdown_transcript(conversation),
        content_type="text/markdown; charset=utf-8",
        headers={"Content-Disposition": str(name)},
    )
