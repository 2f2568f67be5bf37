"""The files that a caller's user has sent, and what of them was read."""

from datetime import datetime
from uuid import UUID

from ninja import Schema
from pydantic import Field

from conversations.api.memories.caller import Caller
from conversations.api.memories.schema import MOST_LISTED, Strict
from conversations.attachments.problems import told_of
from conversations.models import Attachment


class FilesQuery(Strict):
    before: int | None = Field(default=None, ge=1, description="The `next` of a page.")
    limit: int = Field(default=20, ge=1, le=MOST_LISTED)
    user: str = Field(default="", description="Another member, for staff.")


class FileOut(Schema):
    id: UUID
    name: str
    type: str
    bytes: int
    sent_at: datetime
    state: str = Field(description="pending, done or failed")
    account: str = Field(description="What of it was read, and what was not and why.")

    @classmethod
    def of(cls, file: Attachment) -> "FileOut":
        return cls(
            id=file.pk,
            name=file.name,
            type=file.content_type,
            bytes=file.size,
            sent_at=file.created_at,
            state=file.state,
            account=told_of(file),
        )


class FileList(Schema):
    files: list[FileOut]
    total: int = Field(description="Of all pages.")
    next: int | None = Field(description="The `before` of the next page.")


def list_files(caller: Caller, asked: FilesQuery) -> FileList:
    """The newest first."""
    scope = caller.scope
    sent = Attachment.objects.sent_by(scope.user_id, scope.space_id)
    total = sent.count()
    if asked.before is not None:
        sent = sent.filter(number__lt=asked.before)
    found = list(sent[: asked.limit + 1])
    shown = found[: asked.limit]
    caller.record_look(shown, "files")
    following = shown[-1].number if len(found) > len(shown) else None
    files = [FileOut.of(file) for file in shown]
    return FileList(files=files, total=total, next=following)
