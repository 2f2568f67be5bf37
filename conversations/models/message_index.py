"""The search row of a message, in its own table to keep messages small.

Stored with the turn and embedded later; deleted when its message is superseded.
"""

from django.conf import settings
from django.db import models

from conversations.models.message import Message
from memory.models.embedded import Embedded, simple_tsvector
from people.models import Space


class MessageIndex(Embedded):
    message = models.OneToOneField(
        Message,
        models.CASCADE,
        primary_key=True,
        db_column="id",
        related_name="index",
    )
    # The index on both below serves it.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    space = models.ForeignKey(Space, models.CASCADE, related_name="+")
    session = models.UUIDField(help_text="The episode that it was said in.")
    place = models.PositiveIntegerField(help_text="The message's number in its thread.")
    speaker = models.CharField(max_length=9, help_text="The role of who spoke.")
    content = models.TextField()
    content_tsv = simple_tsvector("content")
    stated_at = models.DateTimeField()

    class Meta:
        db_table = "message_index"
        verbose_name_plural = "message index"
        indexes = [
            models.Index(fields=["user", "space"], name="message_index_user_space"),
            models.Index(fields=["embedding_model"], name="message_index_model"),
        ]

    def __str__(self) -> str:
        return str(self.pk)
