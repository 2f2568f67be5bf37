"""A change to a person's notes, by talking or by hand, kept for undo."""

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from people.models.person import Person
from people.person_text import clean_line


class ProfileUpdate(models.Model):
    class Field(models.TextChoices):
        HEALTH_NOTES = "health_notes", _("Health notes")
        SUPPLEMENTS = "supplements", _("Supplements")
        MEDICATIONS = "medications", _("Medications")

    class Action(models.TextChoices):
        APPEND = "append", _("added")
        REMOVE = "remove", _("removed")
        EDIT = "edit", _("edited")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    person = models.ForeignKey(Person, models.CASCADE, related_name="profile_updates")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="profile_updates",
    )
    field = models.CharField(max_length=16, choices=Field)
    action = models.CharField(max_length=8, choices=Action)
    text = models.TextField(blank=True)
    previous_value = models.TextField(blank=True)
    new_value = models.TextField(
        blank=True, help_text=_("Undo refuses when the field no longer reads this.")
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    reverted_at = models.DateTimeField(_("reverted"), null=True, blank=True)

    class Meta:
        verbose_name = _("profile update")
        verbose_name_plural = _("profile updates")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(
                    field__in=["health_notes", "supplements", "medications"]
                ),
                name="people_profileupdate_field_known",
            ),
            models.CheckConstraint(
                condition=models.Q(action__in=["append", "remove", "edit"]),
                name="people_profileupdate_action_known",
            ),
        ]
        indexes = [
            models.Index(
                fields=["person", "-created_at"], name="people_profileupdate_newest"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.field} {self.action}"

    def sentence(self) -> str:
        """A change by talking as a sentence in the active language."""
        line = (
            _("Saved to %(field)s: %(text)s")
            if self.action == self.Action.APPEND
            else _("Removed from %(field)s: %(text)s")
        )
        text = self._removed_line or self.text
        return str(line) % {"field": self.get_field_display(), "text": text}

    def what_was_done(self) -> str:
        """Like "added", also of an edit that filled or emptied the field."""
        done = self.Action(self.action)
        if done == self.Action.EDIT and not self.previous_value.strip():
            done = self.Action.APPEND
        elif done == self.Action.EDIT and not self.new_value.strip():
            done = self.Action.REMOVE
        return str(done.label)

    @property
    def _removed_line(self) -> str:
        """The line that was removed, which may say more than the request."""
        if self.action != self.Action.REMOVE:
            return ""
        left = self.new_value.split("\n")
        lines = self.previous_value.split("\n")
        return next((clean_line(line) for line in lines if line not in left), "")

    def lines_removed(self) -> list[str]:
        return _lines_only_in(self.previous_value, self.new_value)

    def lines_added(self) -> list[str]:
        return _lines_only_in(self.new_value, self.previous_value)

    @property
    def can_be_undone(self) -> bool:
        """Whether the field is unchanged since."""
        return (
            self.reverted_at is None
            and getattr(self.person, self.field) == self.new_value
        )


def _lines_only_in(text: str, other: str) -> list[str]:
    others = set(other.split("\n"))
    return [line for line in text.split("\n") if line.strip() and line not in others]
