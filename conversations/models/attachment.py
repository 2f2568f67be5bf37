"""A file of a user, and the texts derived from it.

A trigger notes the file of every deleted row in RemovedFile.
"""

import uuid
from typing import Any, ClassVar, Self

from django.conf import settings
from django.core.files.storage import Storage, storages
from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from conversations.models.message import Message
from meddie.jobs.job import Job, JobQuerySet
from meddie.row_names import dated_name
from memory.models.embedded import Embedded, simple_tsvector
from people.models import Space


def attachment_storage() -> Storage:
    return storages["attachments"]


class AttachmentQuerySet(models.QuerySet["Attachment"]):
    def sent_by(self, user_id: uuid.UUID | None, space_id: uuid.UUID) -> Self:
        """With current messages of a space, the newest first; none of guests."""
        sent = self.filter(message__in=Message.objects.current())
        sent = sent.filter(space=space_id).order_by("-number")
        return sent.filter(user=user_id) if user_id else sent.none()


class Attachment(models.Model):
    class Kind(models.TextChoices):
        IMAGE = "image", _("image")
        DOCUMENT = "document", _("document")
        AUDIO = "audio", _("audio")

    class State(models.TextChoices):
        PENDING = "pending", _("pending")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    # The unique constraint below serves it.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        related_name="attachments",
        db_index=False,
        help_text=_("Empty for a guest on Telegram."),
    )
    space = models.ForeignKey(Space, models.CASCADE, related_name="attachments")
    message = models.ForeignKey(
        Message,
        models.CASCADE,
        null=True,
        related_name="attachments",
        help_text=_("Empty until the file is sent."),
    )
    number = models.PositiveIntegerField(help_text=_("Of the user's files."))
    file = models.FileField(storage=attachment_storage, max_length=64)
    sha256 = models.CharField(max_length=64)
    kind = models.CharField(_("kind"), max_length=8, choices=Kind)
    name = models.CharField(_("name"), max_length=255)
    content_type = models.CharField(max_length=127)
    size = models.PositiveIntegerField(_("size"), help_text=_("In bytes."))
    description = models.TextField(_("description"), blank=True)
    state = models.CharField(
        _("state"), max_length=7, choices=State, default=State.PENDING
    )
    error = models.CharField(_("error"), max_length=64, blank=True)
    encoding = models.CharField(
        max_length=32,
        blank=True,
        db_default="",
        help_text=_("What its user chose, of a text."),
    )
    account = models.JSONField(
        default=dict,
        db_default={},
        blank=True,
        help_text=_("What of it was read, and what was not."),
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    objects = AttachmentQuerySet.as_manager()

    class Meta:
        verbose_name = _("attachment")
        verbose_name_plural = _("attachments")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "number"], name="conversations_attachment_number"
            ),
        ]
        indexes = [
            models.Index(
                fields=["user", "sha256"], name="conversations_attachment_same"
            ),
            models.Index(fields=["file"], name="conversations_attachment_file"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.code}"

    @property
    def code(self) -> str:
        """The name in prompts, as in `[image#A123]`."""
        return f"A{self.number}"

    def note(self, account: dict[str, Any]) -> None:
        """`read` counts units, `unread` has places and reasons, `samples` encodings."""
        self.account = account
        Attachment.objects.filter(pk=self.pk).update(account=account)

    def fail(self, error: str) -> None:
        self.state, self.error = self.State.FAILED, error
        # No error if it was deleted meanwhile.
        rows = Attachment.objects.filter(pk=self.pk)
        rows.update(state=self.state, error=self.error)


CUT = ("ocr", "chunk", "transcript")  # kinds of texts that are cut into numbered parts


class AttachmentText(Embedded):
    """A text derived from a file, a shelf of recall."""

    class Kind(models.TextChoices):
        CAPTION = "caption", _("caption")
        VISION_SHORT = "vision_short", _("short description")
        VISION_DETAIL = "vision_detail", _("detailed description")
        OCR = "ocr", _("text in the picture")
        FILE_SUMMARY = "file_summary", _("summary")
        CHUNK = "chunk", _("part")
        TRANSCRIPT = "transcript", _("transcript")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    # The index on both below serves it.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    space = models.ForeignKey(Space, models.CASCADE, related_name="+")
    # The unique constraint below serves it.
    attachment = models.ForeignKey(
        Attachment, models.CASCADE, related_name="texts", db_index=False
    )
    kind = models.CharField(_("kind"), max_length=13, choices=Kind)
    number = models.PositiveIntegerField(default=0, help_text=_("Of parts, from 1."))
    total = models.PositiveIntegerField(default=0, help_text=_("Of parts."))
    place = models.CharField(max_length=255, blank=True, help_text="As in 'page 3'.")
    content = models.TextField()
    content_tsv = simple_tsvector("content")
    # False while memory is off for the conversation.
    searchable = models.BooleanField()
    stated_at = models.DateTimeField()

    class Meta:
        db_table = "attachment_texts"
        verbose_name = _("attachment text")
        verbose_name_plural = _("attachment texts")
        constraints = [
            models.UniqueConstraint(
                fields=["attachment", "kind", "number"], name="attachment_texts_unique"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=CUT, number__gte=1, number__lte=F("total"))
                | ~Q(kind__in=CUT) & Q(number=0, total=0),
                name="attachment_texts_one_of_a_kind",
            ),
        ]
        indexes = [
            models.Index(fields=["user", "space"], name="attachment_texts_user_space"),
            models.Index(fields=["embedding_model"], name="attachment_texts_model"),
        ]

    @classmethod
    def to_embed(cls) -> models.QuerySet[Self]:
        return super().to_embed().filter(searchable=True)

    def __str__(self) -> str:
        return dated_name(self.get_kind_display(), self.stated_at)


class DerivationJobQuerySet(JobQuerySet["DerivationJob"]):
    def due(self) -> Self:
        """Of each user's documents one at a time, so that they leave workers to others."""
        now = timezone.now()
        documents = DerivationJob.objects.filter(
            attachment__kind=Attachment.Kind.DOCUMENT,
            attachment__user=OuterRef("attachment__user"),
        )
        running = Q(state=Job.State.RUNNING, leased_until__gt=now)
        before = Q(available_at__lt=OuterRef("available_at")) | Q(
            available_at=OuterRef("available_at"), pk__lt=OuterRef("pk")
        )
        waiting = Q(state__in=(Job.State.RUNNING, Job.State.WAITING)) & before
        first = documents.filter(running | waiting & Q(available_at__lte=now))
        is_document = Q(attachment__kind=Attachment.Kind.DOCUMENT)
        return super().due().exclude(is_document & Exists(first))

    def after(self, job: "DerivationJob") -> Self:
        """Those of the same user."""
        return self.filter(attachment__user=job.attachment.user_id)


class DerivationJob(Job):
    """The reading of a sent file."""

    QUEUE = "files"
    DERIVE: ClassVar[str] = "derive"

    attachment = models.OneToOneField(
        Attachment, models.CASCADE, related_name="derivation"
    )

    objects = DerivationJobQuerySet.as_manager()

    class Meta:
        verbose_name = _("derivation job")
        verbose_name_plural = _("derivation jobs")
        indexes = [
            models.Index(
                fields=["available_at"],
                condition=Q(state__in=["waiting", "running"]),
                name="conversations_derivation_due",
            ),
        ]

    def find_payer(self) -> uuid.UUID | None:
        return self.attachment.user_id

    def stop(self, state: str, error: str) -> None:
        super().stop(state, error)
        if state == self.State.DEAD:
            self.attachment.fail(error)


class RemovedFile(models.Model):
    """A file to be deleted from the storage unless another row has it."""

    file = models.CharField(max_length=64)
    removed_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "removed files"

    def __str__(self) -> str:
        return self.file
