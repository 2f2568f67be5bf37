"""What a user put on the emergency card of a person (`conversations.web.sheet`)."""

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from meddie.row_names import dated_name
from people.models import Person, Space

MOST_CONTACTS = 3
CONTACT_LIMIT = 60  # characters of a name, and of a number


class EmergencyCard(models.Model):
    """`items` has the keys of ticked lines and their headings, and no text of a fact.

    `contacts` are names and telephone numbers, as typed.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    space = models.ForeignKey(Space, models.CASCADE, related_name="+")
    person = models.ForeignKey(Person, models.CASCADE, null=True, related_name="+")
    items: "models.JSONField[dict[str, str]]" = models.JSONField(default=dict)
    contacts: "models.JSONField[list[list[str]]]" = models.JSONField(
        _("contacts"), default=list
    )
    updated_at = models.DateTimeField(_("updated"), auto_now=True)

    class Meta:
        verbose_name = _("emergency card")
        verbose_name_plural = _("emergency cards")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "space", "person"],
                nulls_distinct=False,
                name="conversations_emergencycard_unique",
            ),
        ]

    def __str__(self) -> str:
        return dated_name(self._meta.verbose_name, self.updated_at)
