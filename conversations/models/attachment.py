"""A file that came with a message.

The bytes are in the row, so they are deleted and backed up with it.
"""

import uuid
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from conversations.models.message import Message


class AttachmentManager(models.Manager["Attachment"]):
    def get_queryset(self) -> models.QuerySet["Attachment"]:
        return super().get_queryset().defer("content")


class Attachment(models.Model):
    class Kind(models.TextChoices):
        PHOTO = "photo", _("photo")
        DOCUMENT = "document", _("document")
        VOICE = "voice", _("voice message")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    message = models.ForeignKey(Message, models.CASCADE, related_name="attachments")
    kind = models.CharField(_("kind"), max_length=8, choices=Kind)
    name = models.CharField(_("name"), max_length=255)
    content_type = models.CharField(max_length=127)
    size = models.PositiveIntegerField(_("size"), help_text=_("In bytes."))
    content = models.BinaryField()
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    objects: ClassVar[AttachmentManager] = AttachmentManager()

    class Meta:
        verbose_name = _("attachment")
        verbose_name_plural = _("attachments")
        base_manager_name = "objects"

    def __str__(self) -> str:
        return str(self.pk)
