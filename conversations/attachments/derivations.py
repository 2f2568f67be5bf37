"""Derive the texts of a file, in steps that can be repeated."""

from collections.abc import Sequence
from pathlib import PurePath

from django.db import transaction
from django.db.models import Q
from pydantic import BaseModel

from conversations import prompts
from conversations.attachments.extraction import Unreadable
from conversations.attachments.extraction.chunks import Piece, Unread, cut_pieces
from conversations.attachments.extraction.run_child import Extracted, extract_pieces
from conversations.attachments.problems import WAITING, account_of, gaps, lacking
from conversations.attachments.storage import open_file, read_later
from conversations.attachments.texts import (
    Kind,
    caption_rows,
    copied_rows,
    part_rows,
    rows_of,
)
from conversations.channels import channel_of
from conversations.models import Attachment, AttachmentText, DerivationJob, Message
from meddie.ai.background import answer_of
from meddie.ai.errors import AIError, RecordingTooLarge, UnknownSound, Unsupported
from meddie.ai.events import ImageDescription
from meddie.ai.provider import current_provider
from memory import service
from memory.models import MemoryEvent
from people.scope import retraction_scope

SUMMED_UP = 12_000  # characters that the model reads
FIRST = 600  # characters that stand in for a summary
DESCRIPTION = 300  # characters
UNCLEAR = Unread("picture", "unclear")  # some of its words
READ_KINDS = (Kind.CHUNK, Kind.OCR, Kind.VISION_SHORT, Kind.TRANSCRIPT)
DESCRIBING = (Kind.VISION_SHORT, Kind.FILE_SUMMARY, Kind.TRANSCRIPT, Kind.OCR)
IS_LONG = Q(kind=Kind.CHUNK) | Q(total__gt=1)  # what is summed up
SOUND_SUFFIXES = {"audio/mpeg": "mp3", "audio/mp4": "m4a"}


class FileSummary(BaseModel):
    summary: str


def derive(job: DerivationJob) -> None:
    """Raises LeaseLost, AIError."""
    file = job.attachment
    if not file.texts.exists():
        _store(job, caption_rows(file))
    try:
        if not _has(file, READ_KINDS):
            _store(job, copied_rows(file) or _read(job))
        told = _has(file, (Kind.VISION_SHORT, Kind.FILE_SUMMARY))
        if not told and file.texts.filter(IS_LONG).exists():
            _store(job, rows_of(file, Kind.FILE_SUMMARY, _sum_up(file)))
    except Unreadable as error:
        file.note({"samples": error.samples} if error.samples else {})
        job.give_up(str(error))
    except Unsupported:
        reason = lacking(file)
        with transaction.atomic():
            job.succeed(reason)
            file.fail(reason)
    else:
        _finish(job)
    _tell_gaps(file)
    rows = AttachmentText.to_embed().filter(attachment=file)
    while service.index(rows):
        pass


@transaction.atomic
def _tell_gaps(file: Attachment) -> None:
    """In a chat without a page, once all files of the message are read."""
    message = Message.objects.select_related("thread").filter(attachments=file).first()
    notify = channel_of(message.thread).notify if message else None
    if message is None or notify is None:
        return
    sent = message.attachments.order_by("number")
    if not sent.filter(state=Attachment.State.PENDING).exists() and gaps(sent):
        notify(message.thread, message.pk)


def _has(file: Attachment, kinds: Sequence[str]) -> bool:
    return file.texts.filter(kind__in=kinds).exists()


@transaction.atomic
def _store(job: DerivationJob, rows: Sequence[AttachmentText]) -> None:
    """The texts of a step, all or none. Raises LeaseLost."""
    job.hold()
    AttachmentText.objects.bulk_create(rows)


def read_unread_files() -> None:
    """Read the files that were sent before there was a provider, or tesseract."""
    sent = Attachment.objects.exclude(message=None).exclude(user=None)
    waiting = sent.filter(state=Attachment.State.FAILED, error__in=WAITING)
    files = [file for file in waiting if lacking(file) != file.error]
    with transaction.atomic():
        DerivationJob.objects.filter(attachment__in=files).delete()
        for file in files:
            file.state, file.error = Attachment.State.PENDING, ""
        Attachment.objects.bulk_update(files, ["state", "error"])
        read_later(files)


@transaction.atomic
def read_as(file: Attachment, encoding: str) -> bool:
    """Read a text again as its user says; False for what was not offered."""
    locked = Attachment.objects.select_for_update().get(pk=file.pk)
    offered = [encoding for encoding, _sample in locked.account.get("samples", ())]
    if encoding not in offered:
        return False
    DerivationJob.objects.filter(attachment=locked).delete()
    locked.encoding, locked.account = encoding, {}
    locked.state, locked.error = Attachment.State.PENDING, ""
    locked.save(update_fields=["encoding", "account", "state", "error"])
    read_later([locked])
    return True


@transaction.atomic
def _finish(job: DerivationJob) -> None:
    job.hold()
    file, texts = job.attachment, job.attachment.texts
    first = texts.filter(kind__in=DESCRIBING, number__lte=1)
    told = dict(first.values_list("kind", "content"))
    file.description = next(told[kind] for kind in DESCRIBING if kind in told)
    file.description = file.description[:DESCRIPTION]
    file.state, file.error = Attachment.State.DONE, ""
    file.save(update_fields=["description", "state", "error"])
    job.succeed()


def _read(job: DerivationJob) -> list[AttachmentText]:
    """Raises Unreadable, AIError."""
    file = job.attachment
    try:
        with open_file(file) as opened:
            if file.kind == Attachment.Kind.AUDIO:
                return rows_of(file, Kind.TRANSCRIPT, _heard(job, opened.read()))
            found = extract_pieces(
                opened,
                file.content_type,
                file.encoding,
                recognising=not current_provider().reads_files,
            )
    except FileNotFoundError:
        raise Unreadable("missing") from None
    if file.kind == Attachment.Kind.IMAGE:
        return _description(file, found)
    pieces = _with_scanned(file, found)
    if not pieces:
        raise Unreadable("no_text")
    return part_rows(file, Kind.CHUNK, pieces)


def _heard(job: DerivationJob, recording: bytes) -> str:
    """Record the first of several equal failures. Raises Unreadable, AIError."""
    file = job.attachment

    def record(error: str) -> None:
        if file.user_id and error != job.error:
            scope = retraction_scope(file.user_id, file.space_id)
            kind = MemoryEvent.Kind.VOICE_ERROR
            service.record_failure(scope, kind, error, file=str(file.pk))

    try:
        provider = current_provider()
        asking = provider.transcribe(recording_name(file), recording)
        words = answer_of(provider, asking)
    except AIError as error:
        record(error.code)
        if isinstance(error, RecordingTooLarge | UnknownSound):
            raise Unreadable(error.code) from None
        raise
    if not words:
        record("no_speech")
        raise Unreadable("no_speech")
    return words


def recording_name(file: Attachment) -> str:
    subtype = PurePath(file.content_type).name
    return f"audio.{SOUND_SUFFIXES.get(file.content_type, subtype)}"


def _description(file: Attachment, found: Extracted) -> list[AttachmentText]:
    """Without a provider only the text in the picture."""
    if not current_provider().reads_files:
        seen = found.recognised.get(1)
        if seen is None or not seen.text:
            raise Unsupported
        pieces = [Piece(seen.text, "")]
        file.note(account_of(pieces, [UNCLEAR] if seen.left_out else []))
        return rows_of(file, Kind.OCR, seen.text)
    described = _seen(file, found.pictures[1])
    told = {
        Kind.VISION_SHORT: described.short,
        Kind.VISION_DETAIL: described.detail,
        Kind.OCR: described.text,
    }
    rows = [row for kind, text in told.items() for row in rows_of(file, kind, text)]
    if not rows:
        raise Unreadable("no_text")
    return rows


def _with_scanned(file: Attachment, found: Extracted) -> list[Piece]:
    """With the texts of pages that are pictures; what was not read is noted."""
    texts = {page: seen.text for page, seen in found.recognised.items()}
    if current_provider().reads_files:
        texts = {page: _seen(file, it).text for page, it in found.pictures.items()}
    scanned = cut_pieces(
        Piece(text, f"page {page}") for page, text in texts.items() if text.strip()
    )
    if found.pictures and not (
        found.pieces or scanned or current_provider().reads_files
    ):
        raise Unsupported
    blank = [page for page in found.pictures if not texts.get(page, "").strip()]
    unread = [*(Unread(f"page {page}", "picture") for page in blank), *found.unread]
    unread += [
        Unread(f"page {page}", UNCLEAR.reason)
        for page, seen in found.recognised.items()
        if seen.text and seen.left_out
    ]
    pieces = [*found.pieces, *scanned]
    file.note(account_of(pieces, unread))
    return sorted(pieces, key=_page) if scanned else pieces


def _page(piece: Piece) -> int:
    number = piece.place.removeprefix("page ")
    return int(number) if number.isdecimal() else 0


def _seen(file: Attachment, picture: bytes) -> ImageDescription:
    provider = current_provider()
    asking = provider.describe(picture, prompts.picture(_locale(file)))
    return answer_of(provider, asking)


def _sum_up(file: Attachment) -> str:
    """By the model; the beginning without one."""
    parts = file.texts.filter(IS_LONG).order_by("number")
    text = "\n\n".join(parts.values_list("content", flat=True)[:20])[:SUMMED_UP]
    messages = prompts.file_summary(file.name, text, _locale(file))
    provider = current_provider()
    asking = provider.ask(FileSummary, messages, name="file_summary")
    try:
        told = answer_of(provider, asking).summary
        return told.strip() or _beginning(text)
    except Unsupported:
        return _beginning(text)


def _beginning(text: str) -> str:
    start = text[:FIRST]
    end = max(start.rfind(". ") + 1, start.rfind("\n"))
    return start[:end].rstrip() if end > 0 and len(text) > FIRST else start


def _locale(file: Attachment) -> str:
    return file.user.locale if file.user else ""
