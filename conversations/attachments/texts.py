"""Rows of texts that are derived from a file."""

from collections.abc import Collection, Sequence
from uuid import UUID

from conversations.attachments.extraction.chunks import Piece, cut_pieces
from conversations.models import Attachment, AttachmentText, Message
from conversations.models.attachment import CUT
from meddie.text import storable
from memory.models.embedded import NO_MODEL
from people.scope import NotAMember, scope_for

Kind = AttachmentText.Kind
LONGEST_TEXT = 20_000  # characters; a tsvector has at most one megabyte


def text_row(
    attachment: Attachment,
    kind: str,
    content: str,
    *,
    part: tuple[int, int] = (0, 0),
    place: str = "",
) -> AttachmentText:
    """`part` is the number and the total of parts."""
    assert attachment.user_id and attachment.message  # noqa: S101, PT018 -- it has a job
    return AttachmentText(
        user_id=attachment.user_id,
        space_id=attachment.space_id,
        attachment=attachment,
        kind=kind,
        number=part[0],
        total=part[1],
        place=storable(place)[:255],
        content=storable(content)[:LONGEST_TEXT],
        searchable=_is_searchable(attachment, attachment.message),
        stated_at=attachment.message.created_at,
    )


def part_rows(
    attachment: Attachment, kind: str, pieces: Sequence[Piece]
) -> list[AttachmentText]:
    return [
        text_row(
            attachment,
            kind,
            piece.text,
            part=(number, len(pieces)),
            place=piece.place,
        )
        for number, piece in enumerate(pieces, start=1)
    ]


def rows_of(attachment: Attachment, kind: str, text: str) -> list[AttachmentText]:
    """The text as it is, or cut into parts; no row for an empty one."""
    if kind in CUT:
        return part_rows(attachment, kind, cut_pieces([Piece(text, "")]))
    return [text_row(attachment, kind, text)] if text.strip() else []


def keep_transcript(message: Message, transcript: str) -> None:
    """Of its recording, whose job then has nothing left to ask."""
    file = message.attachments.get()
    rows = rows_of(file, Kind.TRANSCRIPT, transcript)
    if message.content == storable(transcript):
        for row in rows:  # a short one is found as the message
            row.searchable &= row.content != message.content
    else:
        rows += caption_rows(file)
    AttachmentText.objects.bulk_create(rows)


def caption_rows(attachment: Attachment) -> list[AttachmentText]:
    assert attachment.message  # noqa: S101 -- it has a job
    return rows_of(attachment, Kind.CAPTION, _caption(attachment.message))


def copied_rows(attachment: Attachment) -> list[AttachmentText]:
    """The texts of an equal file of the user that was read before."""
    same = Attachment.objects.filter(
        user=attachment.user_id,
        sha256=attachment.sha256,
        state=Attachment.State.DONE,
    )
    earlier = same.exclude(pk=attachment.pk).first()
    if earlier is None:
        return []
    attachment.note(earlier.account)
    texts = earlier.texts.exclude(kind=Kind.CAPTION).defer("embedding")
    return [
        text_row(
            attachment,
            text.kind,
            text.content,
            part=(text.number, text.total),
            place=text.place,
        )
        for text in texts
    ]


def hide_files(message_ids: Collection[UUID]) -> None:
    """The texts of their files are found no more."""
    texts = AttachmentText.objects.filter(attachment__message__in=message_ids)
    texts.update(searchable=False)


def show_files(message_ids: Collection[UUID]) -> None:
    """The texts of their files are found again, as they were before."""
    files = Attachment.objects.filter(message__in=message_ids)
    for file in files.select_related("user", "message__conversation__thread"):
        assert file.message  # noqa: S101 -- it was found by its message
        # A short voice message is found as the message.
        own = file.texts.exclude(kind=Kind.TRANSCRIPT, content=file.message.content)
        own.update(searchable=_is_searchable(file, file.message))


def move_files(old: Message, new: Message) -> None:
    """Give the files of an edited message to the new one, with its text as caption."""
    captions = AttachmentText.objects.filter(attachment__message=old, kind=Kind.CAPTION)
    caption = _caption(new)
    if caption:
        captions.update(content=caption, embedding_model=NO_MODEL)
    else:
        captions.delete()
    old.attachments.update(message=new)


def _caption(message: Message) -> str:
    return message.content_to_keep[:LONGEST_TEXT]


def _is_searchable(attachment: Attachment, message: Message) -> bool:
    if message.status == Message.Status.SUPERSEDED or message.off_record:
        return False
    conversation = message.conversation
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
