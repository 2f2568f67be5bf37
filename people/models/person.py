"""A person whom a space keeps notes on, and the changes of the notes."""

import uuid
from datetime import date
from typing import ClassVar, Self

from django.conf import settings
from django.core.validators import MaxLengthValidator, MinValueValidator
from django.db import models, transaction
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from meddie.admin_log import remove_deleted_names
from people.models.space import Space
from people.person_text import PersonValues, age, clean_line

FIELD_LIMIT = 50_000
"""Characters in each of the three Markdown fields."""


class PersonQuerySet(models.QuerySet["Person"]):
    def in_space(self, space_id: uuid.UUID) -> Self:
        """Without those who are deleted."""
        here = self.filter(space_id=space_id, deleted_at=None)
        return here.order_by("position", "name", "pk")

    def deleted(self) -> Self:
        return self.filter(deleted_at__isnull=False)

    @transaction.atomic
    def erase(self) -> None:
        """Delete people and their dependants for good.

        People are locked first, as in a reply that changes notes; else both could
        deadlock.
        """
        locked = self.order_by("pk").select_for_update(of=("self",))
        keys = list(locked.values_list("pk", flat=True))
        Person.objects.filter(pk__in=keys).delete()
        remove_deleted_names(Person)


class NotesField(models.TextChoices):
    HEALTH_NOTES = "health_notes", _("Health notes")
    SUPPLEMENTS = "supplements", _("Supplements")
    MEDICATIONS = "medications", _("Medications")


class Person(models.Model):
    NOTES: ClassVar[list[str]] = NotesField.values

    class Sex(models.TextChoices):
        FEMALE = "female", _("female")
        MALE = "male", _("male")
        NOT_SAID = "", _("prefer not to say")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    space = models.ForeignKey(Space, models.CASCADE, related_name="people")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="people",
        limit_choices_to={"external": None},
        verbose_name=_("linked account"),
    )
    name = models.CharField(pgettext_lazy("person", "name"), max_length=255)
    sex = models.CharField(_("sex"), max_length=6, choices=Sex, blank=True)
    date_of_birth = models.DateField(_("date of birth"), null=True, blank=True)
    height_cm = models.DecimalField(
        _("height in cm"),
        max_digits=4,
        decimal_places=1,
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
    )
    weight_kg = models.DecimalField(
        _("weight in kg"),
        max_digits=4,
        decimal_places=1,
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
    )
    health_notes = models.TextField(
        _("health notes"), blank=True, validators=[MaxLengthValidator(FIELD_LIMIT)]
    )
    supplements = models.TextField(
        _("supplements"), blank=True, validators=[MaxLengthValidator(FIELD_LIMIT)]
    )
    medications = models.TextField(
        _("medications"), blank=True, validators=[MaxLengthValidator(FIELD_LIMIT)]
    )
    position = models.PositiveIntegerField(_("position"), default=0)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    updated_at = models.DateTimeField(_("updated"), auto_now=True)
    deleted_at = models.DateTimeField(
        _("deleted"),
        null=True,
        blank=True,
        help_text=_("Admins of the space can restore the person for 30 days."),
    )

    objects = PersonQuerySet.as_manager()

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "space"],
                condition=models.Q(user__isnull=False, deleted_at__isnull=True),
                name="people_person_user_space_unique",
                violation_error_message=_(
                    "This account is already linked to another person in this space."
                ),
            ),
            models.CheckConstraint(
                condition=models.Q(sex__in=["female", "male", ""]),
                name="people_person_sex_known",
            ),
        ]
        indexes = [
            models.Index(
                fields=["space", "position", "name"], name="people_person_order"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def details(self, today: date) -> PersonValues:
        born = self.date_of_birth
        return PersonValues(
            name=self.name,
            sex=self.sex,
            age=age(born, today) if born else None,
            date_of_birth=born,
            height_cm=self.height_cm,
            weight_kg=self.weight_kg,
            health_notes=self.health_notes,
            supplements=self.supplements,
            medications=self.medications,
        )


class ProfileUpdate(models.Model):
    Field = NotesField

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
                condition=models.Q(field__in=NotesField.values),
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
            models.Index(fields=["created_at"], name="people_profileupdate_late"),
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
