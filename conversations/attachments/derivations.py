"""The texts of a file, derived in steps that can be repeated."""

from collections.abc import Sequence

from django.db import transaction

from conversations.attachments.extraction.chunks import Piece
from conversations.attachments.extraction.run import extract_pieces
from conversations.attachments.extraction.unreadable import Unreadable
from conversations.attachments.storage import open_file
from conversations.models import Attachment, AttachmentText, Conversation, DerivationJob
from memory import service
from memory.models.embedded import NO_MODEL, NO_VECTOR
from people.scope import NotAMember, scope_for

Kind = AttachmentText.Kind
LONGEST = 20_000  # characters; a tsvector has at most one megabyte
DESCRIPTION = 300  # characters


def derive(job: DerivationJob) -> None:
    """Read the file of a job. Raises LeaseLost, AIError."""
    attachment = job.attachment
    try:
        with open_file(attachment) as file:
            pieces = extract_pieces(file, attachment.content_type)
    except (Unreadable, FileNotFoundError) as error:
        reason = str(error) if isinstance(error, Unreadable) else "missing"
        _end(job, Attachment.State.FAILED, error=reason)
        return
    _store(job, chunk_rows(attachment, pieces))
    _end(job, Attachment.State.DONE, description=pieces[0].text)
    embed_attachments(attachment)


def chunk_rows(attachment: Attachment, pieces: Sequence[Piece]) -> list[AttachmentText]:
    total = len(pieces)
    return [
        text_row(attachment, Kind.CHUNK, piece.text, number, total, piece.place)
        for number, piece in enumerate(pieces, start=1)
    ]


def text_row(
    attachment: Attachment,
    kind: str,
    content: str,
    number: int = 0,
    total: int = 0,
    place: str = "",
) -> AttachmentText:
    assert attachment.user_id and attachment.message  # noqa: S101, PT018 -- it has a job
    return AttachmentText(
        user_id=attachment.user_id,
        space_id=attachment.space_id,
        attachment=attachment,
        kind=kind,
        number=number,
        total=total,
        place=place[:255],
        content=content[:LONGEST],
        searchable=_is_searchable(attachment, attachment.message.conversation),
        stated_at=attachment.message.created_at,
        embedding=NO_VECTOR,
        embedding_model=NO_MODEL,
    )


def _is_searchable(attachment: Attachment, conversation: Conversation) -> bool:
    try:
        scope = scope_for(
            attachment.user,
            attachment.space_id,
            channel=conversation.thread.channel,
            remember=conversation.remember,
        )
    except NotAMember:
        return False
    return scope.writes


@transaction.atomic
def _store(job: DerivationJob, rows: Sequence[AttachmentText]) -> None:
    """Replace the texts of an earlier attempt."""
    job.hold()
    kinds = {row.kind for row in rows}
    AttachmentText.objects.filter(attachment=job.attachment, kind__in=kinds).delete()
    AttachmentText.objects.bulk_create(rows)


@transaction.atomic
def _end(
    job: DerivationJob, state: str, *, description: str = "", error: str = ""
) -> None:
    job.hold()
    attachment = job.attachment
    attachment.state, attachment.error = state, error
    attachment.description = description[:DESCRIPTION]
    attachment.save(update_fields=["state", "error", "description"])
    if error:
        job.give_up(error)
    else:
        job.succeed()


def embed_attachments(attachment: Attachment | None = None) -> int:
    """Embed the texts of this file, or all without a current vector."""
    rows, total = AttachmentText.objects.filter(searchable=True), 0
    if attachment is not None:
        rows = rows.filter(attachment=attachment)
    while batch := service.index(rows):
        total += batch
    return total
