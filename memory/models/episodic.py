"""Summaries of stretches of conversation, embedded to be recalled (S4-04)."""

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from meddie.row_names import dated_name
from memory.models.embedded import Embedded, simple_tsvector
from people.models import Space


class EpisodicMemory(Embedded):
    """Turns are numbers of messages in their thread."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="episodic_memories",
        db_index=False,  # episodic_memories_user_space serves it
    )
    space = models.ForeignKey(Space, models.CASCADE, related_name="episodic_memories")
    run_id = models.UUIDField(help_text=_("The episode that it was said in."))
    thread_id = models.UUIDField(help_text=_("The thread whose turns it sums up."))
    turn_start = models.PositiveIntegerField(_("first turn"))
    turn_end = models.PositiveIntegerField(_("last turn"))
    turn_range = models.TextField(_("turns"))
    content = models.TextField(_("summary"))
    content_tsv = simple_tsvector("content")
    stated_at = models.DateTimeField(_("stated"))
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        db_table = "episodic_memories"
        verbose_name = _("episodic memory")
        verbose_name_plural = _("episodic memories")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(turn_start__lte=models.F("turn_end")),
                name="episodic_memories_range_forwards",
            ),
        ]
        indexes = [
            models.Index(fields=["user", "space"], name="episodic_memories_user_space"),
            models.Index(fields=["run_id"], name="episodic_memories_run"),
            models.Index(fields=["embedding_model"], name="episodic_memories_model"),
        ]

    def __str__(self) -> str:
        return dated_name(_("episodic memory"), self.stated_at)
